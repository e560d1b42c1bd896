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
    /// True once the server has refused an output's schema.
    refuses_output: AtomicBool,
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
            refuses_output: AtomicBool::new(false),
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

    /// Remembers a refusal of an output's schema: the next run asks by a tool at once.
    pub(super) fn note_refusal(&self, prompt: &Prompt, error: &ModelError) {
        if let ModelError::Refused { message, .. } = error
            && prompt.output.is_some()
            && names_output(message)
        {
            self.refuses_output.store(true, Ordering::Relaxed);
        }
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

    /// True if the provider loads tools itself when a search finds them.
    fn defers_tools(&self) -> bool {
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
