//! The result of a turn.

use serde::de::DeserializeOwned;

use crate::protocol::Message;
use crate::receive::reduce::RunOutcome;

/// The result of a turn.
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
pub struct FinishedTurn {
    /// The outcome of its last run.
    pub outcome: RunOutcome,
    /// The messages that are new, in their order: texts, calls, results and activities.
    pub new_messages: Vec<Message>,
    /// The number of runs: one, and one more for each time that calls of frontend tools were answered.
    pub runs: usize,
}

impl FinishedTurn {
    /// Returns the text of the assistant: its new messages, with an empty line between them.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"a","delta":"One."}"#, "\n",
    /// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"b","delta":"Two."}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
    /// # let mut session: Session = Session::new(replay);
    /// let done = session.run().now_or_never().unwrap()?;
    /// assert_eq!(done.text(), "One.\n\nTwo.");
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.new_messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => message.content.as_deref().filter(|text| !text.is_empty()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// Returns the result of the agent, deserialized; `None` if it has none, or did not succeed.
    ///
    /// # Errors
    /// The error of serde_json if the result does not fit the type.
    ///
    /// ```
    /// # use agui_runtime::client::{Replay, Session};
    /// # use futures::FutureExt;
    /// # let replay = Replay::from_lines(concat!(
    /// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
    /// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":180}"#));
    /// # let mut session: Session = Session::new(replay);
    /// let done = session.run().now_or_never().unwrap()?;
    /// assert_eq!(done.result::<u32>().unwrap(), Some(180));
    /// assert!(done.result::<String>().is_err());
    /// # Ok::<(), agui_runtime::client::ClientError>(())
    /// ```
    pub fn result<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        match &self.outcome {
            RunOutcome::Success { result: Some(result), .. } => T::deserialize(&**result).map(Some),
            _ => Ok(None),
        }
    }
}
