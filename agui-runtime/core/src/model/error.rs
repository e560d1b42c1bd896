//! Model failures.

use std::borrow::Cow;
use std::time::Duration;

use super::private;
use super::prompt::Prompt;
use super::quotation::without_prompt;
use super::schema::UnsupportedSchema;
use crate::agent::Stop;
use crate::causes::Causes;

/// A failure in a model or its provider.
///
/// In an agent, `?` turns the error into a [`Stop`]: the client reads the code `model_failed` and the run id, and the log has the
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
    /// The provider is unreachable, or the connection broke.
    #[error("the model provider cannot be reached")]
    Unreachable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The provider refused the request.
    #[error("the model provider refused the request with status {status}: {message}")]
    Refused {
        /// The HTTP status.
        status: u16,
        /// The provider's text.
        message: String,
    },
    /// The provider rejects the key, or the key may not use the model.
    #[error("the model provider refuses the key: {0}")]
    Unauthorized(String),
    /// The account's rate limit is reached: the same request may succeed later.
    #[error("the limit of the account at the model provider is reached{}", colon(message))]
    RateLimited {
        /// The provider's text.
        message: String,
        /// The delay that the provider requests.
        retry_after: Option<Duration>,
    },
    /// The account's money or quota is used up: the same request fails until the account is paid.
    #[error("the account at the model provider is exhausted{}", colon(.0))]
    QuotaExhausted(String),
    /// The prompt exceeds the model's context.
    #[error("the prompt is too long for the model: {0}")]
    TooLong(String),
    /// The provider cannot take a part of the prompt.
    #[error("the model cannot read the conversation: {0}")]
    Unsupported(String),
    /// The provider reported an internal failure.
    #[error("the model provider failed: {0}")]
    Failed(String),
    /// The provider sent nothing for too long.
    #[error("the model provider was silent for {after:?}")]
    Silent {
        /// The allowed silence.
        after: Duration,
    },
    /// The provider is overloaded.
    #[error("the model provider is overloaded{}", colon(message))]
    Overloaded {
        /// The provider's text.
        message: String,
        /// The delay that the provider requests.
        retry_after: Option<Duration>,
    },
    /// The stream ended before the reply did.
    #[error("the model's answer was cut off")]
    Truncated,
    /// The reply ended normally, but without text or calls.
    #[error("the model's answer has nothing in it")]
    EmptyReply,
    /// The provider's response violates its protocol.
    #[error("the model provider's answer is malformed: {0}")]
    Malformed(String),
    /// The provider cannot express a tool's schema.
    #[error(transparent)]
    Schema(#[from] UnsupportedSchema),
    /// The scripted model has no reply for this request.
    #[error("the script has no answer number {number}")]
    OutOfScript {
        /// The request number, from 1.
        number: usize,
    },
    /// The cassette was recorded with another prompt.
    #[error("the prompt of request {number} is not the recorded one: {difference}")]
    OtherPrompt {
        /// The request number, from 1.
        number: usize,
        /// The first differing part, recorded and actual.
        difference: String,
    },
    /// The cassette cannot be written.
    #[error("the answer of the model cannot be recorded: {0}")]
    Cassette(String),
}

impl ModelError {
    /// Returns the failure class (OpenTelemetry, attribute `error.type`): an HTTP status, or a name.
    pub(crate) fn error_type(&self) -> Cow<'static, str> {
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
            Self::Truncated => "truncated_reply",
            Self::EmptyReply => "empty_reply",
            Self::Malformed(_) => "malformed_answer",
            Self::Schema(_) => "unsupported_schema",
            Self::OutOfScript { .. } | Self::OtherPrompt { .. } | Self::Cassette(_) => "cassette",
        })
    }

    /// True if the provider may refuse the form of the request, and take another. A model that does not exist (404), and a
    /// conversation that the provider cannot take, fail in each form.
    pub(in crate::model) fn refuses_request(&self) -> bool {
        match self {
            Self::Refused { status, .. } => matches!(status, 400 | 415 | 422 | 501),
            Self::Schema(_) => true,
            _ => false,
        }
    }

    /// Returns the run's [`Stop`]: RUN_ERROR with the code `model_failed`.
    pub(super) fn into_model_stop(self, prompt: &Prompt) -> Stop {
        if private::is_private_prompt(prompt) {
            // Also where errors are shown: a provider may quote the result of a private tool, in a form of its own.
            let class = self.error_type().into_owned();
            return Stop::error("the model failed").with_code("model_failed").with_source(class);
        }
        let logged = self.without_prompt(prompt);
        Stop::from(self).with_code("model_failed").logged_as(logged)
    }

    /// Returns the failure and its causes for the log, without text quoted from the prompt. For the prompts of an agent with
    /// [private tools](macro@crate::tool#private-tools) that is the failure's class alone.
    #[must_use]
    pub fn without_prompt(&self, prompt: &Prompt) -> String {
        if private::is_private_prompt(prompt) {
            return self.error_type().into_owned();
        }
        without_prompt(&Causes(self).to_string(), prompt)
    }
}

fn colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}
