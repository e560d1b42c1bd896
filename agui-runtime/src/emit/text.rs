//! The guard of a text message, and the writes that open one and append to it.

use std::fmt;

use super::emitter::SpanGuard;
use super::{Emit, IntoText, MessageRef, RunWrite, TextRole, WriteFuture};
use crate::kernel::{EventFields, Fields, Slot, TextStart};
use crate::protocol::{MessageId, TextMessageRole};

/// A text message about to be opened; awaiting it sends TEXT_MESSAGE_START.
///
/// ```
/// use agui_runtime::{Emit, protocol::TextMessageRole};
///
/// # async fn example(run: &Emit) {
/// let mut note = run.message().role(TextMessageRole::System).name("Ada").await;
/// note.push("The kitchen closes at ten.").await;
/// # }
/// ```
pub type OpenMessage<'w> = WriteFuture<'w, StartText>;

/// The write that opens a message.
///
/// ```
/// use agui_runtime::Emit;
/// use agui_runtime::future::{StartText, WriteFuture};
///
/// /// A message in the name of the kitchen.
/// fn kitchen(run: &Emit) -> WriteFuture<'_, StartText> {
///     run.message().name("Kitchen")
/// }
/// ```
#[derive(Debug)]
pub struct StartText(TextStart);

impl StartText {
    pub(super) fn new() -> Self {
        Self(TextStart::default())
    }
}

impl WriteFuture<'_, StartText> {
    /// Sets the role of the author; the default is the assistant.
    ///
    /// ```
    /// use agui_runtime::{Emit, protocol::TextMessageRole};
    ///
    /// # async fn example(run: &Emit) {
    /// let mut rules = run.message().role(TextMessageRole::Developer).await;
    /// rules.push("Answer in one sentence.").await;
    /// # }
    /// ```
    pub fn role<R: TextRole>(self, role: R) -> Self {
        let role = role.role();
        self.with(|start| start.0.role = Some(role))
    }

    /// Sets the name that the user interface shows for the author.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let mut text = run.message().name("Ada").await;
    /// text.push("The kitchen closes at ten.").await;
    /// # }
    /// ```
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(|start| start.0.name = Some(name.into()))
    }
}

impl<'w> RunWrite<'w> for StartText {
    type Output = TextMessage<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> TextMessage<'w> {
        TextMessage(SpanGuard::new(emit, emit.act(|kernel, author| kernel.open_text(author, self.0, fields))))
    }
}

/// An open text message: the only way to send TEXT_MESSAGE_CONTENT.
///
/// ```
/// # async fn example(run: &agui_runtime::Emit) {
/// let mut text = run.message().await; // TEXT_MESSAGE_START
/// text.push("One rice, ").await; // TEXT_MESSAGE_CONTENT
/// text.push("coming up.").await;
/// text.end(); // TEXT_MESSAGE_END
/// # }
/// ```
///
/// It borrows the run, so the run cannot finish while it is open, and [`end`](Self::end) consumes it, so nothing can be
/// pushed after that:
///
/// ```compile_fail,E0382
/// # async fn example(run: &agui_runtime::Emit) {
/// let mut text = run.message().await;
/// text.end();
/// text.push("late").await;
/// # }
/// ```
///
/// Dropping it also sends TEXT_MESSAGE_END, as do an early `?` and a panic. Only [`break_off`](Self::break_off) leaves
/// it open, for RUN_ERROR to a client of 1.0.
#[must_use = "a message that is dropped at once is an empty message"]
#[diagnostic::on_move(
    message = "TEXT_MESSAGE_END is the last event of its message",
    label = "this message was ended or given away",
    note = "TEXT_MESSAGE_CONTENT and TEXT_MESSAGE_END come before: push first, then `text.end()` once"
)]
pub struct TextMessage<'w>(pub(super) SpanGuard<'w>);

impl TextMessage<'_> {
    /// Appends to the message: TEXT_MESSAGE_CONTENT. An empty text sends nothing.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let mut text = run.message().await;
    /// for word in ["One ", "rice."] {
    ///     text.push(word).await;
    /// }
    /// # }
    /// ```
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushText> {
        WriteFuture::new(self.0.emit(), PushText { slot: self.0.slot(), delta: delta.into_text() })
    }

    /// Returns the id of the message on the wire.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let mut text = run.message().await;
    /// let id = text.id();
    /// text.push("Rice.").await;
    /// assert_eq!(text.end().id(), &id);
    /// # }
    /// ```
    pub fn id(&self) -> MessageId {
        self.receipt().id().clone()
    }

    /// Closes the message: TEXT_MESSAGE_END, at once. The receipt names it afterwards.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let mut text = run.message().await;
    /// text.push("Done.").await;
    /// let message = text.end();
    /// assert!(!message.id().as_str().is_empty());
    /// # }
    /// ```
    pub fn end(
        self, // nothing follows TEXT_MESSAGE_END: open the next message, `run.message().await`
    ) -> MessageRef {
        let receipt = self.receipt();
        self.0.close();
        receipt
    }

    /// Closes the message with fields of its own on TEXT_MESSAGE_END: metadata that is known only now, such as why the
    /// model stopped.
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::Metadata};
    ///
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let mut text = run.message().await;
    /// text.push("Rice, and then").await;
    /// let why = Metadata::from_iter([("acme/finish-reason".to_owned(), "length".into())]);
    /// text.end_with(EventFields::new().with_metadata(why));
    /// # }
    /// ```
    pub fn end_with(self, fields: EventFields) -> MessageRef {
        let receipt = self.receipt();
        self.0.close_with(fields);
        receipt
    }

    /// Leaves the message without an end, because its text breaks off: the model's own stream failed in the middle.
    /// Return the error next. RUN_ERROR then follows while the message is open, which tells the client that it is not
    /// whole (AG-UI 1.0 lets RUN_ERROR come with anything open).
    ///
    /// TEXT_MESSAGE_END is sent all the same in three cases: the run does not fail, only the subagent of the message
    /// ends, or the client is a legacy client ([`Peer::Legacy`](crate::Peer::Legacy)). Version 0.0.36 refuses a
    /// RUN_ERROR inside a message, and CopilotKit's client refuses a thread that has one.
    ///
    /// Without this call, an error that is passed on with `?` ends the message, and a reader takes its text as
    /// complete.
    ///
    /// ```
    /// use agui_runtime::Stop;
    ///
    /// # async fn example(run: &agui_runtime::Emit, pieces: Vec<std::io::Result<String>>) -> Result<(), Stop> {
    /// let mut text = run.message().await;
    /// for piece in pieces {
    ///     match piece {
    ///         Ok(piece) => text.push(piece).await,
    ///         Err(error) => {
    ///             text.break_off();
    ///             return Err(error.into());
    ///         }
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn break_off(self) -> MessageRef {
        let receipt = self.receipt();
        self.0.emit().hub().act(|kernel| kernel.break_off(self.0.slot()));
        self.0.leave();
        receipt
    }

    pub(super) fn seen_id(&self) -> Option<MessageId> {
        self.0.emit().hub().act(|kernel| kernel.message_id_of(self.0.slot()).cloned())
    }

    /// After the end of the run no message is open, and the receipt names a message that was never sent.
    fn receipt(&self) -> MessageRef {
        self.0.emit().hub().act(|kernel| match kernel.text_of(self.0.slot()) {
            Some((id, role, tag)) => MessageRef::new(id, role, tag),
            None => MessageRef::new(kernel.unseen_message(), TextMessageRole::Assistant, None).unsent(),
        })
    }
}

impl fmt::Debug for TextMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextMessage").field(&self.0.slot()).finish()
    }
}

/// The write that appends to a message.
///
/// ```
/// use agui_runtime::future::{PushText, WriteFuture};
/// use agui_runtime::protocol::Timestamp;
///
/// # async fn example(run: &agui_runtime::Emit, time: Timestamp) {
/// let mut text = run.message().await;
/// let push: WriteFuture<'_, PushText> = text.push("One rice.");
/// push.timestamp(time).await;
/// # }
/// ```
#[derive(Debug)]
pub struct PushText {
    slot: Slot,
    delta: String,
}

impl RunWrite<'_> for PushText {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
        if !self.delta.is_empty() || fields.is_some() {
            emit.hub().act(|kernel| kernel.push_text(self.slot, self.delta, fields));
        }
    }
}
