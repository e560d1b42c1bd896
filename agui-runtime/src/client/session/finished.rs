//! What a turn comes to.

use serde::de::DeserializeOwned;

use crate::protocol::Message;
use crate::receive::reduce::Outcome;

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

    /// What the agent returned, as a type; `None` if it returned nothing, or did not succeed.
    ///
    /// # Errors
    /// When it is not of that type.
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
            Outcome::Success { result: Some(result), .. } => T::deserialize(&**result).map(Some),
            _ => Ok(None),
        }
    }
}
