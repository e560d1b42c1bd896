//! A model over HTTP.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use agui_runtime_core::model::{
    ChatModel, ModelError, ModelStream, OutputSpec, Prompt, SchemaDialect, ToolSpec,
};
use agui_runtime_core::provider::ModelConfigError;

use super::attempts::{self, OpenAttempt};
use super::config::ModelTarget;
use super::decoder::ResponseDecoder;
use super::dialect::{ModelRequest, ProviderDialect};
use super::http::{self, HttpExchange};
use super::native_output::{NativeOutput, RequestedOutput, names_output};
use super::options::ModelOptions;
use super::reply::ReplyContext;

/// A provider's model, over HTTP. Requests need a tokio runtime.
///
/// A request that fails before anything was streamed is retried, as [`ModelOptions`] say. Dropping the reply stream closes the
/// connection. The [module](crate) lists the model specs.
///
/// ```
/// use agui_runtime::model::Model;
/// use agui_runtime::provider::{HostedModel, ModelOptions};
///
/// let keys = |name: &str| (name == "OPENAI_API_KEY").then(|| "sk-…".to_owned());
/// let model = HostedModel::with_keys("openai:gpt-5-mini", keys)?
///     .options(ModelOptions { max_output_tokens: Some(4000), ..ModelOptions::default() });
/// let model = Model::from(model);
/// assert_eq!((model.provider(), model.name()), ("openai", "gpt-5-mini"));
/// # Ok::<(), agui_runtime::provider::ModelConfigError>(())
/// ```
pub struct HostedModel {
    target: ModelTarget,
    client: reqwest::Client,
    options: ModelOptions,
    /// The last request's tools, translated: a run sends the same tools each time.
    tools: TranslatedTools,
    /// The tools that a search finds, likewise.
    deferred: TranslatedTools,
    /// The output whose schema the last refusal named, until a request with the output's tool shows whether the schema was the
    /// cause.
    suspected_output: Mutex<Option<String>>,
    /// True once the server has refused an output's schema, and taken the same request with the output's tool.
    refuses_output: AtomicBool,
    /// True once the server has refused to load tools itself.
    refuses_deferral: AtomicBool,
}

/// Tools, and the same tools in the provider's dialect.
type TranslatedTools = Mutex<Option<(Arc<[ToolSpec]>, Arc<[ToolSpec]>)>>;

impl HostedModel {
    /// Returns the model that a spec names, with the key from the environment.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the spec is malformed, the address can reach no model, or the key is missing.
    pub fn named(spec: &str) -> Result<Self, ModelConfigError> {
        Self::with_keys(spec, |name| std::env::var(name).ok())
    }

    /// Returns the model that a spec names. `keys` returns the key for an environment variable name, for programs that store keys
    /// elsewhere.
    ///
    /// # Errors
    /// The errors that [`named`](Self::named) returns.
    ///
    /// ```
    /// use agui_runtime::provider::HostedModel;
    ///
    /// assert!(HostedModel::with_keys("openai:gpt-5-mini", |_| None).is_err());
    /// assert!(HostedModel::with_keys("ollama:qwen3", |_| None).is_ok());
    /// ```
    pub fn with_keys(spec: &str, keys: impl Fn(&str) -> Option<String>) -> Result<Self, ModelConfigError> {
        let target = ModelTarget::parse(spec, &keys)?;
        let client = http::client(&target.address)?;
        Ok(Self {
            target,
            client,
            options: ModelOptions::default(),
            tools: Mutex::default(),
            deferred: Mutex::default(),
            suspected_output: Mutex::default(),
            refuses_output: AtomicBool::new(false),
            refuses_deferral: AtomicBool::new(false),
        })
    }

    /// Sets the options.
    #[must_use]
    pub fn options(mut self, options: ModelOptions) -> Self {
        self.options = options;
        self
    }

    pub(super) fn settings(&self) -> &ModelOptions {
        &self.options
    }

    pub(super) fn key(&self) -> Option<&str> {
        self.target.key.as_deref()
    }

    /// Suspects a refused output's schema, or no longer if the request with the output's tool fails too.
    pub(super) fn note_failure(&self, prompt: &Prompt, error: &ModelError) {
        let mut suspected = self.suspected_output.lock().unwrap_or_else(PoisonError::into_inner);
        match (&prompt.output, error) {
            (Some(output), ModelError::Refused { message, .. }) if names_output(message) => {
                *suspected = Some(output.name.clone());
            }
            (None, _) if has_tool(prompt, suspected.as_deref()) => *suspected = None,
            _ => {}
        }
    }

    /// Remembers that the server refuses an output's schema, if this reply is the one to the same request with the output's tool:
    /// the next run asks by the tool at once.
    pub(super) fn note_reply(&self, prompt: &Prompt) {
        let mut suspected = self.suspected_output.lock().unwrap_or_else(PoisonError::into_inner);
        if prompt.output.is_none() && has_tool(prompt, suspected.as_deref()) {
            *suspected = None;
            self.refuses_output.store(true, Ordering::Relaxed);
        }
    }

    /// Remembers a refusal to load tools. True if the request is worth sending again, with the found tools among the others.
    pub(super) fn note_deferral(&self, prompt: &Prompt, error: &ModelError) -> bool {
        let is_refused = matches!(error, ModelError::Refused { message, .. } if names_deferral(message))
            && !prompt.deferred_tools.is_empty()
            && self.has_deferral();
        if is_refused && !self.refuses_deferral.swap(true, Ordering::Relaxed) {
            let provider = &self.target.provider;
            tracing::warn!(
                provider,
                "the provider refuses to load tools itself: found tools stand among the others"
            );
        }
        is_refused
    }

    /// Sends the request once.
    pub(super) async fn open(&self, prompt: &Prompt) -> Result<OpenAttempt, ModelError> {
        let ModelTarget { dialect, model, quirks, .. } = &self.target;
        let tools = self.translated(&prompt.tools, &self.tools)?;
        let deferred = match self.defers_tools() {
            true => self.translated(&prompt.deferred_tools, &self.deferred)?,
            false => Arc::default(),
        };
        let seal = self.target.seal();
        let body = dialect.body(&ModelRequest {
            model,
            prompt,
            tools: &tools,
            deferred: &deferred,
            options: &self.options,
            seal: &seal,
            quirks: *quirks,
            output: prompt.output.as_deref().map(|spec| RequestedOutput::new(*dialect, spec)).transpose()?,
        })?;
        let exchange = HttpExchange::begin(&self.client, &self.target, body).await?;
        let context = ReplyContext {
            tools: tools.iter().map(|tool| tool.name.clone()).collect(),
            seal,
            think_tags: self.options.think_tags.unwrap_or_else(|| self.target.is_imitator()),
        };
        let decoder = ResponseDecoder::new(*dialect, exchange.content_type(), context);
        Ok(OpenAttempt { exchange, decoder, finished: None })
    }

    /// True if the provider loads tools itself when a search finds them, and has not refused to.
    fn defers_tools(&self) -> bool {
        self.has_deferral() && !self.refuses_deferral.load(Ordering::Relaxed)
    }

    fn has_deferral(&self) -> bool {
        let ModelTarget { dialect, model, .. } = &self.target;
        let has = matches!(dialect, ProviderDialect::Anthropic | ProviderDialect::OpenAiResponses);
        has && self
            .options
            .deferred_tools
            .unwrap_or_else(|| self.target.is_author() && dialect.has_deferred_tools(model))
    }

    /// Returns tools in the provider's schema dialect.
    fn translated(
        &self,
        specs: &Arc<[ToolSpec]>,
        last: &TranslatedTools,
    ) -> Result<Arc<[ToolSpec]>, ModelError> {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, translated)) = &*last
            && (Arc::ptr_eq(of, specs) || of == specs)
        {
            return Ok(Arc::clone(translated));
        }
        let dialect = self.target.dialect.schema(&self.options);
        let mut tools = specs.to_vec();
        for tool in &mut tools {
            tool.parameters = dialect.translate(&tool.name, &tool.parameters)?;
        }
        let translated: Arc<[ToolSpec]> = tools.into();
        *last = Some((Arc::clone(specs), Arc::clone(&translated)));
        Ok(translated)
    }
}

impl ChatModel for HostedModel {
    fn provider(&self) -> &str {
        &self.target.provider
    }

    fn name(&self) -> &str {
        &self.target.model
    }

    fn dialect(&self) -> SchemaDialect {
        self.target.dialect.schema(&self.options)
    }

    fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        let ModelTarget { dialect, model, quirks, .. } = &self.target;
        let is_native = match self.options.native_output {
            Some(is_native) => is_native,
            None => NativeOutput::of(*dialect, model, *quirks).is_for(!tools.is_empty()),
        };
        is_native
            && !self.refuses_output.load(Ordering::Relaxed)
            && RequestedOutput::new(*dialect, output).is_ok()
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        attempts::stream_reply(self, prompt)
    }
}

/// True if the prompt has a tool with this name.
fn has_tool(prompt: &Prompt, name: Option<&str>) -> bool {
    name.is_some_and(|name| prompt.tools.iter().any(|tool| tool.name == name))
}

/// True if a provider's refusal names tools that are loaded later.
fn names_deferral(message: &str) -> bool {
    ["tool_search", "defer_loading", "tool_reference"].iter().any(|name| message.contains(name))
}

impl fmt::Debug for HostedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the key.
        let ModelTarget { provider, model, address, .. } = &self.target;
        f.debug_struct("HostedModel")
            .field("provider", provider)
            .field("model", model)
            .field("address", &format_args!("{address}"))
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
