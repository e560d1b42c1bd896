//! What a turn comes to.

use serde::de::DeserializeOwned;

use crate::protocol::{Interrupt, Message, NonNull, ToolCallId};
use crate::receive::reduce::RunEnd;

/// How a turn ended: as its last run did.
///
/// ```
/// use agui_runtime::client::{Finished, Outcome};
///
/// fn told(done: &Finished) -> String {
///     match &done.outcome {
///         Outcome::Success { pending, .. } if pending.is_empty() => "done".to_owned(),
///         Outcome::Success { pending, .. } => format!("waits for {} answers", pending.len()),
///         Outcome::Interrupted { interrupts } => format!("asks {} questions", interrupts.len()),
///         Outcome::Cancelled => "stopped".to_owned(),
///         Outcome::Failed { message, .. } => format!("failed: {message}"),
///         Outcome::Truncated => "cut off".to_owned(),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is done.
    Success {
        /// What the agent returned.
        result: Option<NonNull>,
        /// The calls that nobody has answered yet, in call order.
        pending: Vec<ToolCallId>,
    },
    /// It stopped to ask; see [`Session::resume`](super::Session::resume).
    Interrupted {
        /// What it asks, at least one thing.
        interrupts: Vec<Interrupt>,
    },
    /// It was stopped on purpose.
    Cancelled,
    /// The agent says that it failed.
    Failed {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs.
        code: Option<String>,
    },
    /// The stream stopped before the run ended: whatever it was to become, it is no success (AG-UI 1.0, section "HTTP exchange").
    Truncated,
}

impl From<RunEnd> for Outcome {
    fn from(end: RunEnd) -> Self {
        match end {
            RunEnd::Success { result, pending } => Self::Success { result, pending },
            RunEnd::Interrupted { interrupts } => Self::Interrupted { interrupts },
            RunEnd::Cancelled => Self::Cancelled,
            RunEnd::Failed { message, code } => Self::Failed { message, code },
        }
    }
}

/// What a turn comes to.
///
/// ```
/// use agui_runtime::client::{Replay, Session};
/// use futures::FutureExt;
///
/// let replay = Replay::from_lines(
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}
///        {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}
///        {"type":"RUN_FINISHED","threadId":"t","runId":"r","result":{"price":950}}"#,
/// );
/// let mut session: Session = Session::new(replay);
/// let done = session.run().now_or_never().unwrap()?;
/// assert_eq!((done.text(), done.new_messages.len()), ("Hi".to_owned(), 1));
///
/// #[derive(serde::Deserialize)]
/// struct Found {
///     price: u32,
/// }
/// assert_eq!(done.result::<Found>().unwrap().map(|found| found.price), Some(950));
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Finished {
    /// How its last run ended.
    pub outcome: Outcome,
    /// The messages that were not there before, in their order: what was said, called, answered and shown.
    pub new_messages: Vec<Message>,
    /// How many runs there were: one, and one for each time that calls of frontend tools were answered.
    pub runs: usize,
}

impl Finished {
    /// What the assistant said: its new messages, with an empty line between them.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.new_messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => message.content.as_deref().filter(|text| !text.is_empty()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// What the agent returned, as a type; `None` if it returned nothing, or did not succeed.
    ///
    /// # Errors
    /// When it is not of that type.
    pub fn result<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        match &self.outcome {
            Outcome::Success { result: Some(result), .. } => T::deserialize(&**result).map(Some),
            _ => Ok(None),
        }
    }
}
