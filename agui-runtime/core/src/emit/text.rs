//! The text message guard, and the writes that open a message and append to it.

use std::fmt;

use super::emitter::SpanGuard;
use super::{Emit, IntoText, MessageRef, RunWrite, TextRole, WriteFuture};
use crate::kernel::{EventFields, SpanSlot, TextStart, WriteFields};
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

/// The write behind [`Emit::message`].
#[derive(Debug)]
pub struct StartText(TextStart);

impl StartText {
    pub(super) fn new() -> Self {
        Self(TextStart::default())
    }
}

impl WriteFuture<'_, StartText> {
    /// Sets the author's role; default: assistant.
    pub fn role<R: TextRole>(self, role: R) -> Self {
        let role = role.role();
        self.with(|start| start.0.role = Some(role))
    }

    /// Sets the author name that the user interface shows.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(|start| start.0.name = Some(name.into()))
    }
}

impl<'w> RunWrite<'w> for StartText {
    type Output = TextMessage<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> TextMessage<'w> {
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
/// The message borrows the run, so the run cannot finish before the message, and [`end`](Self::end) consumes the message, so
/// nothing can be pushed after the end:
///
/// ```compile_fail,E0382
/// # async fn example(run: &agui_runtime::Emit) {
/// let mut text = run.message().await;
/// text.end();
/// text.push("late").await;
/// # }
/// ```
///
/// Dropping it also sends TEXT_MESSAGE_END, as do an early `?` and a panic. Only [`break_off`](Self::break_off) leaves the message
/// open, for RUN_ERROR to a 1.0 client.
#[must_use = "a message that is dropped at once is an empty message"]
#[diagnostic::on_move(
    message = "TEXT_MESSAGE_END is the last event of its message",
    label = "this message was ended or given away",
    note = "TEXT_MESSAGE_CONTENT and TEXT_MESSAGE_END come before: push first, then `text.end()` once"
)]
pub struct TextMessage<'w>(pub(super) SpanGuard<'w>);

impl TextMessage<'_> {
    /// Appends to the message: TEXT_MESSAGE_CONTENT. An empty text sends nothing.
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushText> {
        WriteFuture::new(self.0.emit(), PushText { slot: self.0.slot(), delta: delta.into_text() })
    }

    /// Returns the message's id on the wire.
    pub fn id(&self) -> MessageId {
        self.receipt().id().clone()
    }

    /// Closes the message: TEXT_MESSAGE_END, at once. The receipt names the message afterwards.
    pub fn end(
        self, // nothing follows TEXT_MESSAGE_END: open the next message, `run.message().await`
    ) -> MessageRef {
        let receipt = self.receipt();
        self.0.close();
        receipt
    }

    /// Closes the message with extra fields on TEXT_MESSAGE_END: metadata known only at the end, such as the model's finish
    /// reason.
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

    /// Leaves the message without END, because its text breaks off: the model's own stream failed in the middle. Return the error
    /// next. RUN_ERROR then follows while the message is open, and the client knows that the message is incomplete (AG-UI 1.0
    /// allows RUN_ERROR inside any open span).
    ///
    /// TEXT_MESSAGE_END is sent anyway in three cases: the run does not fail, only the message's subagent ends, or the client is a
    /// legacy client ([`Peer::Legacy`](crate::Peer::Legacy)). Version 0.0.36 refuses a RUN_ERROR inside a message, and
    /// CopilotKit's client refuses a thread that has one.
    ///
    /// Without this call, an error passed on with `?` ends the message, and a reader takes the text as complete.
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

    /// After the run's end no message is open, and the receipt names a message that was never sent.
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

/// The write behind [`TextMessage::push`].
#[derive(Debug)]
pub struct PushText {
    slot: SpanSlot,
    delta: String,
}

impl RunWrite<'_> for PushText {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        if !self.delta.is_empty() || fields.is_some() {
            emit.hub().act(|kernel| kernel.push_text(self.slot, self.delta, fields));
        }
    }
}
