//! The end of a conversation with a model.

use super::limits::ChatLimit;
use crate::agent::Stop;
use crate::protocol::{Interrupts, ToolCallId};

/// The end of a [`Chat`](super::Chat).
///
/// Awaiting a chat turns it into the end of the run: [`Done`](Self::Done) and [`HandedOver`](Self::HandedOver)
/// are `Ok(())`, and all others are a [`Stop`]. [`Chat::outcome`](super::Chat::outcome) returns it instead.
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
    /// The model has said everything.
    Done {
        /// The text of its last turn.
        text: String,
    },
    /// The user interface must answer these calls of frontend tools, in the next run.
    AwaitsFrontend(Vec<ToolCallId>),
    /// The user must answer these questions, in the next run: about calls of tools with approval, or those that a tool
    /// asked.
    AwaitsAnswers(Interrupts),
    /// The model handed the conversation over to this agent, which has answered the user.
    HandedOver(String),
    /// A limit of the chat is reached.
    Limit(ChatLimit),
    /// The model reached its limit of output tokens: its last text or call is incomplete.
    OutputLimit,
    /// The provider's filter ended the answer.
    ContentFilter,
    /// The model ended its answer for a reason of the provider's own.
    Other(String),
}

impl ChatEnd {
    /// Returns the end of the run: `Ok` if the model is done or the agent that took over is, and the [`Stop`] of the end otherwise.
    ///
    /// # Errors
    /// `Stop::await_frontend` with the calls; `Stop::interrupt` with the questions; for all other ends RUN_ERROR with the code `max_turns`, `max_calls`,
    /// `max_bad_calls`, `max_repeats`, `max_tokens`, `max_time`, `max_depth`, `max_answer`, `output_limit`, `content_filter` or `model_stopped`.
    ///
    /// ```
    /// use agui_runtime::model::ChatEnd;
    ///
    /// assert!(ChatEnd::Done { text: "180.".to_owned() }.into_result().is_ok());
    /// assert!(ChatEnd::OutputLimit.into_result().is_err());
    /// ```
    pub fn into_result(self) -> Result<(), Stop> {
        let (message, code) = match self {
            Self::Done { .. } | Self::HandedOver(_) => return Ok(()),
            Self::AwaitsFrontend(calls) => return Err(Stop::await_calls(calls)),
            Self::AwaitsAnswers(questions) => return Err(Stop::interrupt(questions)),
            Self::Limit(limit) => (limit.to_string(), limit.code()),
            Self::OutputLimit => ("the answer of the model is too long".to_owned(), "output_limit"),
            Self::ContentFilter => ("the answer of the model was filtered".to_owned(), "content_filter"),
            Self::Other(reason) => {
                (format!("the model stopped: {}", crate::quoted::quoted(&reason)), "model_stopped")
            }
        };
        Err(Stop::error(message).with_code(code))
    }
}
