//! The end of a model conversation.

use super::limits::ChatLimit;
use crate::agent::Stop;
use crate::protocol::{InterruptList, ToolCallId};

/// The end of a [`Chat`](super::Chat).
///
/// Awaiting a chat turns its end into the run's end: [`Done`](Self::Done) and [`HandedOver`](Self::HandedOver) become `Ok(())`,
/// all others a [`Stop`]. [`Chat::outcome`](super::Chat::outcome) returns the `ChatEnd` itself.
///
/// ```
/// use agui_runtime::model::{ChatEnd, Model};
/// use agui_runtime::prelude::*;
///
/// /// Talks with you.
/// #[agent]
/// async fn chatty(run: &mut Run<Chatty>, input: Input<Chatty>, model: &Model) -> Result<(), Stop> {
///     match run.chat(model).max_turns(2).outcome().await? {
///         ChatEnd::Limit(limit) => {
///             run.say(format!("I give up: {limit}.")).await;
///             Ok(())
///         }
///         end => end.into_result(),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "the end of the run depends on it: `end.into_result()`"]
pub enum ChatEnd {
    /// The model finished.
    Done {
        /// The last turn's text.
        text: String,
    },
    /// Pending frontend calls: the client sends their results in the next run.
    AwaitsFrontend(Vec<ToolCallId>),
    /// Interrupts for the user, to be resumed in the next run: approvals before calls, or interrupts that a tool raised.
    Interrupted(InterruptList),
    /// The model handed the conversation over to this agent, which has replied to the user.
    HandedOver(String),
    /// The chat reached a limit.
    Limit(ChatLimit),
    /// The model reached its output token limit: its last text or call is incomplete.
    OutputLimit,
    /// The provider's filter ended the reply. Anthropic reports a refusal of the model as this.
    ContentFilter,
    /// The model refused to give the [output](super::Chat::output). The client has the text.
    Refused {
        /// The model's text.
        text: String,
    },
    /// The model ended its reply for a provider-specific reason.
    Other(String),
}

impl ChatEnd {
    /// Returns the run's end: `Ok` if the model, or the agent that took over, is done; otherwise a [`Stop`].
    ///
    /// # Errors
    /// `Stop::await_frontend` with the calls; `Stop::interrupt` with the interrupts; for other ends RUN_ERROR with the code
    /// `max_turns`, `max_calls`, `max_bad_calls`, `max_repeats`, `max_tokens`, `max_time`, `max_depth`, `max_reply`,
    /// `output_limit`, `content_filter`, `model_refused` or `model_stopped`.
    pub fn into_result(self) -> Result<(), Stop> {
        let (message, code) = match self {
            Self::Done { .. } | Self::HandedOver(_) => return Ok(()),
            Self::AwaitsFrontend(calls) => return Err(Stop::await_calls(calls)),
            Self::Interrupted(questions) => return Err(Stop::interrupt(questions)),
            Self::Limit(limit) => (limit.to_string(), limit.code()),
            Self::OutputLimit => ("the answer of the model is too long".to_owned(), "output_limit"),
            Self::ContentFilter => ("the answer of the model was filtered".to_owned(), "content_filter"),
            // The client has read the text, and a log needs none of it.
            Self::Refused { .. } => ("the model refused to give the result".to_owned(), "model_refused"),
            Self::Other(reason) => {
                (format!("the model stopped: {}", crate::quoted::quoted(&reason)), "model_stopped")
            }
        };
        Err(Stop::error(message).with_code(code))
    }
}
