//! Several models that stand in for each other.

mod breaker;
mod reply;

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::{StreamExt as _, stream};

use super::chat_model::{ChatModel, Model, ModelStream};
use super::error::ModelError;
use super::output_spec::OutputSpec;
use super::prompt::{Prompt, ToolSpec};
use super::schema::{SchemaDialect, UnsupportedSchema};
use breaker::CircuitBreaker;
use reply::FallbackReply;

/// The policy for a reply that breaks off after content was sent; set with [`ModelFallback::broken_reply`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrokenReply {
    /// The turn fails with the model's error: the user has read a part, and no other model repeats the part.
    #[default]
    Fail,
    /// The text or the thought stays, marked as broken off, and the next model writes the whole reply. A reply with a call, with a
    /// text that has ended, or with a signed thought alone fails the turn all the same, because nothing takes these back.
    Restart,
}

/// Several models that stand in for each other: a request that the first one fails goes to the next.
///
/// `AGUI_MODEL` with several specs makes one, so does [`Model::named`](super::Model::named): `openai:gpt-5-mini,
/// anthropic:claude-sonnet-4-5`. The next model is asked while nothing of the reply was sent, and by
/// [`broken_reply`](Self::broken_reply) also later. Each failure is logged with the model and the reason, inside of the request's
/// span. RUN_FINISHED's usage has the tokens for each model separately. The next model gets the whole prompt; parts that only
/// another provider can read, such as signed reasoning, are left out by the models themselves.
///
/// A model that fails several times in a row is skipped for some time: see [`breaker`](Self::breaker). If all models fail, the
/// turn fails with the last error.
///
/// ```
/// use agui_runtime::model::{BrokenReply, Model, ModelError, ModelFallback, Reply, ScriptedModel};
///
/// # let [fast, careful] = ["a", "b"].map(|text| ScriptedModel::from_fn(move |_| Reply::text(text)));
/// let model = ModelFallback::new(fast)
///     .then(careful)
///     .when(|error| !matches!(error, ModelError::Unauthorized(_)))
///     .broken_reply(BrokenReply::Restart);
/// let model = Model::from(model);
/// assert_eq!(model.provider(), "scripted", "as the first model is called");
/// ```
pub struct ModelFallback {
    models: Vec<FallbackModel>,
    is_next_asked: Arc<dyn Fn(&ModelError) -> bool + Send + Sync>,
    broken_reply: BrokenReply,
    failures: u32,
    pause: Duration,
}

/// A model, and the memory of its failures.
struct FallbackModel {
    model: Model,
    breaker: CircuitBreaker,
}

impl ModelFallback {
    /// Creates a fallback whose requests go to `first`; [`then`](Self::then) adds the others.
    #[must_use]
    pub fn new(first: impl Into<Model>) -> Self {
        let none = Self {
            models: Vec::new(),
            is_next_asked: Arc::new(is_of_real_model),
            broken_reply: BrokenReply::default(),
            failures: 3,
            pause: Duration::from_secs(30),
        };
        none.then(first)
    }

    /// Adds the model that is asked if all earlier ones fail.
    #[must_use]
    pub fn then(mut self, next: impl Into<Model>) -> Self {
        self.models.push(FallbackModel { model: next.into(), breaker: CircuitBreaker::default() });
        self
    }

    /// Sets the failures after which the next model is asked. By default all: also a refused key or a prompt that is too long,
    /// because the next provider has another key and another limit. Failures of scripts and cassettes are never passed over. A
    /// request whose structured output a model refuses is first repeated with the output as a tool, as
    /// [`Chat::output`](super::Chat::output) does.
    #[must_use]
    pub fn when(mut self, is_next_asked: impl Fn(&ModelError) -> bool + Send + Sync + 'static) -> Self {
        self.is_next_asked = Arc::new(move |error| is_of_real_model(error) && is_next_asked(error));
        self
    }

    /// Sets what happens to a reply that breaks off after content was sent; [`BrokenReply::Fail`] by default.
    #[must_use]
    pub fn broken_reply(mut self, policy: BrokenReply) -> Self {
        self.broken_reply = policy;
        self
    }

    /// Sets the number of failures in a row, at least 1, after which a model is skipped, and the pause until one request tries
    /// that model again; 3 and 30 s by default. Failures that the prompt causes, such as [`ModelError::TooLong`], do not count.
    /// If all other models fail, a request asks the skipped ones too.
    #[must_use]
    pub fn breaker(mut self, failures: u32, pause: Duration) -> Self {
        (self.failures, self.pause) = (failures.max(1), pause);
        self
    }

    /// True if the model's breaker admits a request now.
    fn admits(&self, next: &FallbackModel) -> bool {
        next.breaker.admits(Instant::now(), self.pause)
    }

    /// Remembers how a request ended.
    fn record(&self, asked: &FallbackModel, error: Option<&ModelError>) {
        match error {
            None => asked.breaker.succeed(),
            Some(error) if is_of_provider(error) => {
                if asked.breaker.fail(Instant::now(), self.failures, self.pause) {
                    let (provider, model) = (asked.model.provider(), asked.model.name());
                    tracing::warn!(provider, model, pause = ?self.pause, "the model failed too often: requests skip it");
                }
            }
            Some(_) => {}
        }
    }
}

/// True for each failure of a real model: a test whose script is over must fail.
fn is_of_real_model(error: &ModelError) -> bool {
    !matches!(
        error,
        ModelError::OutOfScript { .. } | ModelError::OtherPrompt { .. } | ModelError::Cassette(_)
    )
}

/// True if other prompts would fail as well.
fn is_of_provider(error: &ModelError) -> bool {
    match error {
        ModelError::TooLong(_) | ModelError::Unsupported(_) | ModelError::Schema(_) => false,
        ModelError::Refused { status, .. } => *status >= 500 || *status == 404,
        error => is_of_real_model(error),
    }
}

impl ChatModel for ModelFallback {
    /// Returns the first model's provider. A reply from another model names that model.
    fn provider(&self) -> &str {
        self.models.first().map_or("", |first| first.model.provider())
    }

    fn name(&self) -> &str {
        self.models.first().map_or("", |first| first.model.name())
    }

    /// Returns the first model's dialect.
    fn dialect(&self) -> SchemaDialect {
        self.models.first().map_or(SchemaDialect::JsonSchema, |first| first.model.dialect())
    }

    /// Checks that all models accept the tool.
    fn check_tool(&self, tool: &ToolSpec) -> Result<(), UnsupportedSchema> {
        self.models.iter().try_for_each(|next| next.model.check_tool(tool))
    }

    /// Returns true if all models take the output in a form of their providers.
    fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        self.models.iter().all(|next| next.model.takes_output(output, tools))
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        let reply = FallbackReply::new(self, prompt);
        stream::unfold(reply, |mut reply| async move { Some((reply.next().await?, reply)) }).boxed()
    }
}

impl fmt::Debug for ModelFallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let models: Vec<_> = self.models.iter().map(|next| &next.model).collect();
        f.debug_struct("ModelFallback")
            .field("models", &models)
            .field("broken_reply", &self.broken_reply)
            .field("failures", &self.failures)
            .field("pause", &self.pause)
            .finish_non_exhaustive()
    }
}
