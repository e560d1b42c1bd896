//! The failures of a model.

use std::borrow::Cow;
use std::time::Duration;

use super::prompt::Prompt;
use super::quotation::without_prompt;
use super::schema::UnsupportedSchema;
use crate::agent::Stop;
use crate::causes::Causes;

/// The failure of a model or of its provider.
///
/// In an agent, `?` turns it into a [`Stop`]: the client reads the code `model_failed` and the id of the run, and the log has the
/// text.
///
/// ```
/// use agui_runtime::model::ModelError;
///
/// let error = ModelError::Truncated;
/// assert_eq!(error.to_string(), "the model's answer was cut off");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// The provider could not be reached, or the connection was lost.
    #[error("the model provider cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The provider refused the request.
    #[error("the model provider refused the request with status {status}: {message}")]
    Refused {
        /// The status of HTTP.
        status: u16,
        /// The text of the provider.
        message: String,
    },
    /// The provider does not accept the key, or the key may not use the model.
    #[error("the model provider refuses the key: {0}")]
    Unauthorized(String),
    /// The rate of the account is limited: the same request may succeed later.
    #[error("the limit of the account at the model provider is reached{}", colon(message))]
    RateLimited {
        /// The text of the provider.
        message: String,
        /// The time that the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// The account has no money or quota left: the same request fails until the account is paid.
    #[error("the account at the model provider is exhausted{}", colon(.0))]
    QuotaExhausted(String),
    /// The prompt is longer than the model can read.
    #[error("the prompt is too long for the model: {0}")]
    TooLong(String),
    /// The provider has no form for a part of the prompt.
    #[error("the model cannot read the conversation: {0}")]
    Unsupported(String),
    /// The provider reported a failure of its own.
    #[error("the model provider failed: {0}")]
    Failed(String),
    /// The provider sent nothing for too long.
    #[error("the model provider was silent for {after:?}")]
    Silent {
        /// The time that it was waited for.
        after: Duration,
    },
    /// The provider has too much to do.
    #[error("the model provider is overloaded{}", colon(message))]
    Overloaded {
        /// The text of the provider.
        message: String,
        /// The time that the provider asks to wait.
        retry_after: Option<Duration>,
    },
    /// The stream ended before the model had ended its answer.
    #[error("the model's answer was cut off")]
    Truncated,
    /// The answer ended well, with neither a text nor a call in it.
    #[error("the model's answer has nothing in it")]
    EmptyAnswer,
    /// The provider's answer does not follow its protocol.
    #[error("the model provider's answer is malformed: {0}")]
    Malformed(String),
    /// The schema of a tool has no form for the provider.
    #[error(transparent)]
    Schema(#[from] UnsupportedSchema),
    /// A scripted model has no answer to this prompt.
    #[error("the script has no answer number {number}")]
    OutOfScript {
        /// The number of the request, from 1.
        number: usize,
    },
    /// A cassette was recorded with another prompt.
    #[error("the prompt of request {number} is not the recorded one: {difference}")]
    OtherPrompt {
        /// The number of the request, from 1.
        number: usize,
        /// The first part that differs, as it was and as it is.
        difference: String,
    },
    /// A cassette cannot be written.
    #[error("the answer of the model cannot be recorded: {0}")]
    Cassette(String),
}

impl ModelError {
    /// Returns the class of the failure (OpenTelemetry, attribute `error.type`): the status of a refusal, or a name.
    pub(super) fn error_type(&self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Self::Refused { status, .. } => return status.to_string().into(),
            Self::Unreachable(_) => "unreachable",
            Self::Unauthorized(_) => "unauthorized",
            Self::RateLimited { .. } => "rate_limited",
            Self::QuotaExhausted(_) => "quota_exhausted",
            Self::TooLong(_) => "prompt_too_long",
            Self::Unsupported(_) => "unsupported_prompt",
            Self::Failed(_) => "provider_failed",
            Self::Silent { .. } => "timeout",
            Self::Overloaded { .. } => "overloaded",
            Self::Truncated => "truncated_answer",
            Self::EmptyAnswer => "empty_answer",
            Self::Malformed(_) => "malformed_answer",
            Self::Schema(_) => "unsupported_schema",
            Self::OutOfScript { .. } | Self::OtherPrompt { .. } | Self::Cassette(_) => "cassette",
        })
    }

    /// Returns the [`Stop`] of a run whose model failed: RUN_ERROR with the code `model_failed`.
    pub(super) fn into_model_stop(self, prompt: &Prompt) -> Stop {
        let logged = self.without_prompt(prompt);
        Stop::from(self).with_code("model_failed").logged_as(logged)
    }

    /// Returns the failure with its causes for the log: what it quotes of the prompt is left out.
    pub(crate) fn without_prompt(&self, prompt: &Prompt) -> String {
        without_prompt(&Causes(self).to_string(), prompt)
    }
}

fn colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}
