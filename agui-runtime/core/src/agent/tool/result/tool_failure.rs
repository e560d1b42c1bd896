//! The reason why a tool call has no value, as the model and the log see it.

use super::content::failure_content;
use crate::agent::MAX_LOGGED;
use crate::agent::tool::timeout::TimeoutError;
use crate::protocol::{InterruptList, RunAgentInput, ToolCallId};
use crate::quoted::{quoted, quoted_up_to};

/// Text for the model when a tool ended the run.
pub(super) const UNFINISHED: &str = "the tool did not finish: the run ends";

/// The reason why a tool call has no value.
#[doc(hidden)]
#[derive(Debug)]
pub enum ToolFailure {
    /// The tool's own error, with a text for the model, and its causes' texts for the log.
    Public { text: String, causes: Option<String> },
    /// The tool's own error, with a text for the log.
    Hidden(String),
    /// The tool took too long, or has no timer.
    Late(TimeoutError),
    /// The tool's value has no JSON form.
    Json(serde_json::Error),
    /// The call's agent interrupts. The call has no result in this run.
    Suspended(InterruptList),
    /// The result is larger than the tool's limit; both in bytes.
    TooLarge { size: usize, limit: usize },
}

impl ToolFailure {
    /// Creates a failure that the model sees entirely.
    pub(super) fn public(text: String) -> Self {
        Self::Public { text, causes: None }
    }

    /// Returns TOOL_CALL_RESULT's content. With `reveal`, the content includes the log text.
    pub(crate) fn content(&self, tool: &str, reveal: bool) -> String {
        match self {
            Self::Public { text, causes: Some(causes) } if reveal && !text.contains(causes.as_str()) => {
                failure_content(&format!("{text}: {causes}"))
            }
            Self::Public { text, .. } => failure_content(text),
            Self::Late(late) => failure_content(&late.to_string()),
            Self::Hidden(text) if reveal => failure_content(text),
            Self::Hidden(_) => failure_content(&format!("the tool `{tool}` failed")),
            Self::Suspended(_) => failure_content(UNFINISHED),
            Self::Json(error) if reveal => failure_content(&format!("the result has no JSON form: {error}")),
            Self::Json(_) => failure_content("the result has no JSON form"),
            Self::TooLarge { size, limit } => failure_content(&format!(
                "the result of the tool `{tool}` has {size} bytes, more than its limit of {limit}: ask for less"
            )),
        }
    }

    /// Returns the failure's class; `None` if the call did not fail.
    pub(crate) fn error_type(&self) -> Option<&'static str> {
        match self {
            Self::Public { .. } | Self::Hidden(_) => Some("tool_error"),
            Self::Late(TimeoutError::Elapsed { .. }) => Some("timeout"),
            Self::Late(TimeoutError::NoTimer { .. }) => Some("no_timer"),
            Self::Json(_) => Some("result_unwritable"),
            Self::TooLarge { .. } => Some("result_too_large"),
            Self::Suspended(_) => None,
        }
    }

    /// Logs all details. A public error's text is content: it was written for the model, and is in its messages.
    pub(crate) fn log(&self, tool: &str, call: &ToolCallId, input: &RunAgentInput, with_content: bool) {
        let (run_id, thread_id, call) = (quoted(&input.run_id), quoted(&input.thread_id), quoted(call));
        match self {
            Self::Public { text, causes } => {
                let error = with_content.then(|| tracing::field::display(quoted(text)));
                match causes {
                    Some(causes) => {
                        let cause = quoted_up_to(MAX_LOGGED, causes);
                        tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %call, error, %cause, "tool failed");
                    }
                    None => tracing::debug!(tool, tool_call_id = %call, error, "tool failed"),
                }
            }
            Self::Late(late) => {
                tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %call, error = %late, "tool failed");
            }
            Self::Hidden(text) => {
                let error = quoted_up_to(MAX_LOGGED, text);
                tracing::error!(%run_id, %thread_id, tool, tool_call_id = %call, %error, "tool failed");
            }
            Self::Suspended(questions) => {
                tracing::debug!(tool, tool_call_id = %call, questions = questions.len(), "tool asks");
            }
            Self::Json(error) => {
                let error = quoted(error);
                tracing::error!(%run_id, %thread_id, tool, tool_call_id = %call, %error, "result has no JSON form");
            }
            Self::TooLarge { size, limit } => {
                tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %call, size, limit, "result above `max_result`");
            }
        }
    }
}
