use std::fmt;

use super::emitter::SpanGuard;
use super::span::Slot;
use super::{Act, Do, Emit};
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
pub type OpenMessage<'w> = Do<'w, StartText>;

/// The act of opening a message.
#[derive(Debug)]
pub struct StartText {
    role: TextMessageRole,
    name: Option<String>,
}

impl StartText {
    pub(super) fn new() -> Self {
        Self { role: TextMessageRole::Assistant, name: None }
    }
}

impl Do<'_, StartText> {
    /// Who speaks; the assistant when not said.
    pub fn role(self, role: TextMessageRole) -> Self {
        self.with(|start| start.role = role)
    }

    /// The name the user interface shows for the speaker.
    pub fn name(self, name: impl Into<String>) -> Self {
        self.with(|start| start.name = Some(name.into()))
    }
}

impl<'w> Act<'w> for StartText {
    type Output = TextMessage<'w>;

    fn act(self, emit: &'w Emit) -> TextMessage<'w> {
        TextMessage(SpanGuard::new(emit, emit.hub().open_text(self.role, self.name)))
    }
}

/// An open text message: the only way to send TEXT_MESSAGE_CONTENT.
///
/// It borrows the run, so the run cannot finish while it is open, and it is consumed by [`end`](Self::end), so nothing
/// can be said after that:
///
/// ```compile_fail,E0382
/// # async fn example(run: &agui_runtime::Emit) {
/// let mut text = run.message().await;
/// text.end();
/// text.push("late").await;
/// # }
/// ```
///
/// Dropping it sends TEXT_MESSAGE_END as well; so do an early `?` and a panic.
#[must_use = "a message that is dropped at once is an empty message"]
pub struct TextMessage<'w>(SpanGuard<'w>);

impl TextMessage<'_> {
    /// Appends to the message: TEXT_MESSAGE_CONTENT. An empty text sends nothing.
    pub fn push(&mut self, delta: impl Into<String>) -> Do<'_, PushText> {
        Do::new(self.0.emit(), PushText { slot: self.0.slot(), delta: delta.into() })
    }

    /// The id the message has on the wire.
    pub fn id(&self) -> MessageId {
        self.0.emit().hub().receipt(self.0.slot()).id
    }

    /// Closes the message: TEXT_MESSAGE_END, at once. The receipt names it afterwards.
    pub fn end(self) -> MessageRef {
        let receipt = self.0.emit().hub().receipt(self.0.slot());
        drop(self);
        receipt
    }
}

impl fmt::Debug for TextMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TextMessage").field(&self.0.slot()).finish()
    }
}

/// The act of appending to a message.
#[derive(Debug)]
pub struct PushText {
    slot: Slot,
    delta: String,
}

impl Act<'_> for PushText {
    type Output = ();

    fn act(self, emit: &Emit) {
        if !self.delta.is_empty() {
            emit.hub().push_text(self.slot, self.delta);
        }
    }
}

/// The act of sending a whole message.
#[derive(Debug)]
pub struct Say {
    text: String,
}

impl Say {
    pub(super) fn new(text: String) -> Self {
        Self { text }
    }
}

impl Act<'_> for Say {
    type Output = MessageRef;

    fn act(self, emit: &Emit) -> MessageRef {
        let slot = emit.hub().open_text(TextMessageRole::Assistant, None);
        let message = TextMessage(SpanGuard::new(emit, slot));
        PushText { slot, delta: self.text }.act(emit);
        message.end()
    }
}

/// The receipt of a text message that was sent: names it, borrows nothing.
///
/// Tool calls use it to say which message carries them, see [`CallTool::parent`](super::CallTool::parent).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageRef {
    id: MessageId,
    role: TextMessageRole,
}

impl MessageRef {
    pub(super) fn new(id: MessageId, role: TextMessageRole) -> Self {
        Self { id, role }
    }

    /// The id, if the message can carry calls: a client warns about a parent that is not the assistant's.
    pub(super) fn carrier(&self) -> Option<&MessageId> {
        (self.role == TextMessageRole::Assistant).then_some(&self.id)
    }

    /// The id the message has on the wire.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
