//! A turn's result.

use serde::de::DeserializeOwned;

use crate::protocol::Message;
use crate::receive::reduce::RunOutcome;

/// A turn's result.
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
    /// The new messages in order: texts, calls, results and activities.
    pub new_messages: Vec<Message>,
    /// The number of runs: one, plus one after each round of frontend tool results.
    pub runs: usize,
}

impl FinishedTurn {
    /// Returns the assistant's text: the new messages, separated by empty lines.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.new_messages.iter().filter_map(|message| match message {
            Message::Assistant(message) => message.content.as_deref().filter(|text| !text.is_empty()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n\n")
    }

    /// Deserializes the agent's result; `None` without a result or success.
    ///
    /// # Errors
    /// The serde_json error if the result does not fit the type.
    pub fn result<T: DeserializeOwned>(&self) -> Result<Option<T>, serde_json::Error> {
        match &self.outcome {
            RunOutcome::Success { result: Some(result), .. } => T::deserialize(&**result).map(Some),
            _ => Ok(None),
        }
    }
}
