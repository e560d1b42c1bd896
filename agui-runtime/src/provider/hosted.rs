//! A model over HTTP: requests, attempts, answers.

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use futures::{Stream as _, StreamExt as _, stream};
use genai::chat::{ChatOptions, ChatRequest, ChatStream, ReasoningEffort as GenaiEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{Headers, ModelIden, ServiceTarget};

use super::config::{ModelConfigError, Target};
use super::dialect::{Dialect, Reader, Request};
use super::frames::Frames;
use super::options::{ModelOptions, ReasoningEffort};
use super::{failure, http, retry};
use crate::model::{ChatModel, Delta, Model, ModelError, ModelStream, Prompt, SchemaDialect, ToolSpec};

/// A model of a provider, over HTTP. It needs a tokio runtime when it is asked.
///
/// A request that fails before anything was streamed is sent again, as [`ModelOptions`] say. Dropping the answer closes
/// the connection. The [module](crate::provider) lists the texts that name a model.
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
    target: Target,
    client: genai::Client,
    options: ModelOptions,
    /// The tools of the last request, in the dialect: a run asks with the same tools each time.
    tools: Mutex<Option<Translated>>,
}

type Translated = (Arc<[ToolSpec]>, Arc<[ToolSpec]>);

impl HostedModel {
    /// Returns the model that a text names, with the key from the environment.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the text has another form, or the key is missing.
    ///
    /// ```no_run
    /// use agui_runtime::provider::HostedModel;
    ///
    /// let model = HostedModel::named("gemini:gemini-2.5-flash")?;
    /// # drop(model);
    /// # Ok::<(), agui_runtime::provider::ModelConfigError>(())
    /// ```
    pub fn named(spec: &str) -> Result<Self, ModelConfigError> {
        Self::with_keys(spec, |name| std::env::var(name).ok())
    }

    /// Returns the model that a text names, with the key that a function returns for the name of its variable: for
    /// programs that keep keys elsewhere.
    ///
    /// # Errors
    /// As [`named`](Self::named).
    ///
    /// ```
    /// use agui_runtime::provider::HostedModel;
    ///
    /// assert!(HostedModel::with_keys("openai:gpt-5-mini", |_| None).is_err());
    /// assert!(HostedModel::with_keys("ollama:qwen3", |_| None).is_ok());
    /// ```
    pub fn with_keys(spec: &str, keys: impl Fn(&str) -> Option<String>) -> Result<Self, ModelConfigError> {
        let target = Target::read(spec, &keys)?;
        let client = http::client(&target.address)?;
        Ok(Self { target, client, options: ModelOptions::default(), tools: Mutex::default() })
    }

    /// Sets the options.
    ///
    /// ```
    /// use agui_runtime::provider::{HostedModel, ModelOptions};
    ///
    /// let model = HostedModel::with_keys("ollama:qwen3", |_| None)?;
    /// let model = model.options(ModelOptions { temperature: Some(0.0), ..ModelOptions::default() });
    /// # drop(model);
    /// # Ok::<(), agui_runtime::provider::ModelConfigError>(())
    /// ```
    #[must_use]
    pub fn options(mut self, options: ModelOptions) -> Self {
        self.options = options;
        self
    }

    async fn open(&self, prompt: &Prompt) -> Result<Open, ModelError> {
        let Target { dialect, model, address, key, .. } = &self.target;
        let tools = self.tools(prompt)?;
        let body = dialect.body(&Request { model, prompt, tools: &tools, options: &self.options })?;
        let frames = Arc::new(Frames::default());
        let mut options = ChatOptions::default().with_capture_usage(true).with_extra_body(body.into());
        options.raw_frame_sink = Some(Arc::clone(&frames) as _);
        options.temperature = self.options.temperature;
        options.max_tokens = self.options.max_output_tokens;
        // The two others write it themselves.
        if matches!(dialect, Dialect::OpenAiChat | Dialect::Anthropic) {
            options.reasoning_effort = self.options.reasoning.map(effort);
            options.capture_reasoning_content =
                Some(self.options.reasoning.is_some_and(|asked| asked != ReasoningEffort::Off));
        }
        let target = ServiceTarget {
            endpoint: Endpoint::from_owned(address.as_str()),
            auth: match key {
                Some(key) => AuthData::from_single(key.as_str()),
                None => AuthData::RequestOverride {
                    url: format!("{address}chat/completions"),
                    headers: Headers::default(),
                },
            },
            model: ModelIden::new(dialect.adapter(), model.as_str()),
        };
        let answer = self.client.exec_chat_stream(target, ChatRequest::default(), Some(&options)).await;
        let stream = answer.map_err(|error| {
            failure::of_request(error).unwrap_or_else(|| ModelError::Malformed("the request".to_owned()))
        })?;
        Ok(Open { stream: stream.stream, frames, reader: dialect.reader(), tail: None })
    }

    /// Returns the tools in the dialect of the provider.
    fn tools(&self, prompt: &Prompt) -> Result<Arc<[ToolSpec]>, ModelError> {
        let mut last = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, translated)) = &*last
            && (Arc::ptr_eq(of, &prompt.tools) || of == &prompt.tools)
        {
            return Ok(Arc::clone(translated));
        }
        let dialect = self.target.dialect.schema();
        let mut tools = prompt.tools.to_vec();
        for tool in &mut tools {
            tool.parameters = dialect.translate(&tool.name, &tool.parameters)?;
        }
        let translated: Arc<[ToolSpec]> = tools.into();
        *last = Some((Arc::clone(&prompt.tools), Arc::clone(&translated)));
        Ok(translated)
    }
}

fn effort(reasoning: ReasoningEffort) -> GenaiEffort {
    match reasoning {
        ReasoningEffort::Off => GenaiEffort::Zero,
        ReasoningEffort::Low => GenaiEffort::Low,
        ReasoningEffort::Medium => GenaiEffort::Medium,
        ReasoningEffort::High => GenaiEffort::High,
        ReasoningEffort::Tokens(tokens) => GenaiEffort::Budget(tokens),
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
        self.target.dialect.schema()
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let asking = Asking {
            model: self,
            prompt,
            attempt: 0,
            open: None,
            ready: VecDeque::new(),
            has_said: false,
            is_over: false,
        };
        stream::unfold(asking, |mut asking| async move { Some((asking.next().await?, asking)) }).boxed()
    }
}

impl fmt::Debug for HostedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the key.
        let Target { provider, model, address, .. } = &self.target;
        f.debug_struct("HostedModel")
            .field("provider", provider)
            .field("model", model)
            .field("address", address)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

/// A request, with its attempts.
struct Asking<'a> {
    model: &'a HostedModel,
    prompt: &'a Prompt,
    attempt: u32,
    open: Option<Open>,
    ready: VecDeque<Result<Delta, ModelError>>,
    /// True once a part of the answer went out: the request cannot be sent again.
    has_said: bool,
    is_over: bool,
}

/// An attempt whose answer is being read.
struct Open {
    stream: ChatStream,
    frames: Arc<Frames>,
    reader: Box<dyn Reader>,
    /// The end of the connection, behind the frames that came with it.
    tail: Option<Tail>,
}

type Tail = Option<genai::Error>;

/// The next thing that came from the provider.
enum Came {
    Frames(Vec<String>),
    Tail(Tail),
}

impl Asking<'_> {
    async fn next(&mut self) -> Option<Result<Delta, ModelError>> {
        loop {
            match self.ready.pop_front() {
                Some(Ok(end @ Delta::End(_))) => {
                    // The connection is not read to its end, because some providers keep it open.
                    self.stop();
                    return Some(Ok(end));
                }
                Some(Err(error)) => {
                    self.open = None;
                    let random = crate::random::number("retry");
                    let wait = match self.has_said {
                        true => None,
                        false => retry::wait(&error, self.attempt, self.model.options.retries, random),
                    };
                    let Some(wait) = wait else {
                        self.stop();
                        return Some(Err(error));
                    };
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        ?wait,
                        "the model is asked again"
                    );
                    self.attempt += 1;
                    tokio::time::sleep(wait).await;
                }
                Some(Ok(delta)) => {
                    self.has_said |= !matches!(delta, Delta::Usage(_));
                    return Some(Ok(delta));
                }
                None if self.is_over => return None,
                None => self.advance().await,
            }
        }
    }

    fn stop(&mut self) {
        self.is_over = true;
        self.open = None;
        self.ready.clear();
    }

    /// Reads what the provider sends next.
    async fn advance(&mut self) {
        let open = match &mut self.open {
            Some(open) => open,
            None => match self.model.open(self.prompt).await {
                Ok(open) => self.open.insert(open),
                Err(error) => return self.ready.push_back(Err(error)),
            },
        };
        let silence = self.model.options.silence;
        let mut deltas = Vec::new();
        let failed = match tokio::time::timeout(silence, open.came()).await {
            Err(_) => Err(ModelError::Silent { after: silence }),
            Ok(Came::Frames(frames)) => {
                frames.iter().try_for_each(|frame| open.reader.read(frame, &mut deltas))
            }
            Ok(Came::Tail(Some(error))) => failure::of_request(error).map_or(Ok(()), Err),
            Ok(Came::Tail(None)) => {
                open.reader.close(&mut deltas);
                match deltas.iter().any(|delta| matches!(delta, Delta::End(_))) {
                    true => Ok(()),
                    false => Err(ModelError::Truncated),
                }
            }
        };
        self.ready.extend(deltas.into_iter().map(Ok));
        self.ready.extend(failed.err().map(Err));
    }
}

impl Open {
    /// Waits for frames, or for the end of the connection.
    async fn came(&mut self) -> Came {
        if let Some(tail) = self.tail.take() {
            return Came::Tail(tail);
        }
        poll_fn(|context| {
            loop {
                let polled = std::pin::Pin::new(&mut self.stream).poll_next(context);
                let frames = self.frames.take();
                let tail = match polled {
                    Poll::Ready(None) => Some(None),
                    Poll::Ready(Some(Err(error))) => Some(Some(error)),
                    // Genai's own reading of a frame.
                    Poll::Ready(Some(Ok(_))) if frames.is_empty() => continue,
                    Poll::Pending if frames.is_empty() => return Poll::Pending,
                    Poll::Ready(Some(Ok(_))) | Poll::Pending => None,
                };
                match (frames.is_empty(), tail) {
                    (false, tail) => {
                        self.tail = tail;
                        return Poll::Ready(Came::Frames(frames));
                    }
                    (true, Some(tail)) => return Poll::Ready(Came::Tail(tail)),
                    (true, None) => {}
                }
            }
        })
        .await
    }
}

impl Model {
    /// Returns the model that the environment names in `AGUI_MODEL`, such as `openai:gpt-5-mini`, with the key of its
    /// provider. The [module](crate::provider) lists the providers.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the variable is not set or has another form, or the key is missing.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = agui_runtime::model::Model::from_env()?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_env() -> Result<Self, ModelConfigError> {
        match spec_of_env() {
            Some(spec) => Self::named(&spec),
            None => Err(ModelConfigError::Unset),
        }
    }

    /// Returns the model that the environment names, or the other one if `AGUI_MODEL` is not set: so that a program runs
    /// without a key. A variable that is wrong, or whose key is missing, is an error all the same.
    ///
    /// # Errors
    /// As [`from_env`](Self::from_env), except that the variable may be unset.
    ///
    /// ```no_run
    /// use agui_runtime::model::{Model, Reply, ScriptedModel};
    ///
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = Model::from_env_or(ScriptedModel::from_fn(|_| Reply::text("Hello!")))?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn from_env_or(other: impl Into<Self>) -> Result<Self, ModelConfigError> {
        match spec_of_env() {
            Some(spec) => Self::named(&spec),
            None => Ok(other.into()),
        }
    }

    /// Returns the model that a text names, with the key from the environment. [`HostedModel::named`] has options.
    ///
    /// # Errors
    /// [`ModelConfigError`] if the text has another form, or the key is missing.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
    /// let model = agui_runtime::model::Model::named("anthropic:claude-sonnet-4-5")?;
    /// # drop(model);
    /// # Ok(())
    /// # }
    /// ```
    pub fn named(spec: &str) -> Result<Self, ModelConfigError> {
        HostedModel::named(spec).map(Self::from)
    }
}

fn spec_of_env() -> Option<String> {
    std::env::var("AGUI_MODEL").ok().map(|spec| spec.trim().to_owned()).filter(|spec| !spec.is_empty())
}
