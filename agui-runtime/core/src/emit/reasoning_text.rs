//! The guard for a message in a reasoning span.

use std::fmt;

use super::emitter::SpanGuard;
use super::{Emit, IntoText, RunWrite, WriteFuture};
use crate::kernel::{EventFields, SpanSlot, WriteFields};
use crate::protocol::MessageId;

/// A reasoning message about to be opened; awaiting it sends REASONING_MESSAGE_START. Returned by
/// [`Reasoning::message`](crate::Reasoning::message).
pub type OpenReasoningMessage<'w> = WriteFuture<'w, StartReasoningMessage>;

/// The write behind [`Reasoning::message`](crate::Reasoning::message).
#[derive(Debug)]
pub struct StartReasoningMessage {
    pub(super) span: SpanSlot,
}

impl<'w> RunWrite<'w> for StartReasoningMessage {
    type Output = ReasoningText<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> ReasoningText<'w> {
        let slot = emit.hub().act(|kernel| kernel.open_reasoning_message(self.span, None, fields));
        ReasoningText(SpanGuard::new(emit, slot))
    }
}

/// An open reasoning message: the only way to send REASONING_MESSAGE_CONTENT.
///
/// ```
/// # async fn example(run: &agui_runtime::Emit) {
/// let think = run.reasoning().await;
/// let mut thought = think.message().await;
/// thought.push("Rice needs ").await;
/// thought.push("eighteen minutes.").await;
/// thought.end();
/// # }
/// ```
///
/// The message borrows its [`Reasoning`](crate::Reasoning), and [`end`](Self::end) consumes the message, so nothing can be pushed
/// after the end:
///
/// ```compile_fail,E0382
/// # async fn example(run: &agui_runtime::Emit) {
/// let think = run.reasoning().await;
/// let mut thought = think.message().await;
/// thought.end();
/// thought.push("late").await;
/// # }
/// ```
///
/// Dropping it also sends REASONING_MESSAGE_END, as do an early `?` and a panic.
#[must_use = "a reasoning message that is dropped at once is an empty message"]
#[diagnostic::on_move(
    message = "REASONING_MESSAGE_END is the last event of its message",
    label = "this message was ended or given away",
    note = "push first, then `thought.end()` once"
)]
pub struct ReasoningText<'w>(SpanGuard<'w>);

impl ReasoningText<'_> {
    /// Appends to the message: REASONING_MESSAGE_CONTENT. An empty text sends nothing.
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushReasoning> {
        WriteFuture::new(self.0.emit(), PushReasoning { slot: self.0.slot(), delta: delta.into_text() })
    }

    /// Returns the message's id on the wire.
    pub fn id(&self) -> MessageId {
        self.receipt().id
    }

    /// Closes the message: REASONING_MESSAGE_END, at once. The receipt names the message afterwards.
    pub fn end(self) -> ReasoningRef {
        let receipt = self.receipt();
        drop(self);
        receipt
    }

    /// Closes the message with extra fields on REASONING_MESSAGE_END: metadata known only at the end.
    pub fn end_with(self, fields: EventFields) -> ReasoningRef {
        let receipt = self.receipt();
        self.0.close_with(fields);
        receipt
    }

    pub(super) fn seen_id(&self) -> Option<MessageId> {
        self.0.emit().hub().act(|kernel| kernel.message_id_of(self.0.slot()).cloned())
    }

    /// After the run's end no message is open, and the receipt names a message that was never sent.
    fn receipt(&self) -> ReasoningRef {
        let id = self.seen_id().unwrap_or_else(|| self.0.emit().act(|kernel, _| kernel.unseen_message()));
        ReasoningRef { id }
    }
}

impl fmt::Debug for ReasoningText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReasoningText").field(&self.0.slot()).finish()
    }
}

/// The write behind [`ReasoningText::push`].
#[derive(Debug)]
pub struct PushReasoning {
    slot: SpanSlot,
    delta: String,
}

impl RunWrite<'_> for PushReasoning {
    type Output = ();

    fn act(self, emit: &Emit, fields: WriteFields) {
        if !self.delta.is_empty() || fields.is_some() {
            emit.hub().act(|kernel| kernel.push_reasoning(self.slot, self.delta, fields));
        }
    }
}

/// A sent reasoning message's receipt: names the message and borrows nothing.
///
/// [`Emit::encrypted`] takes the receipt, for values that the model provider signed or encrypted.
///
/// ```
/// # async fn example(run: &agui_runtime::Emit, signature: String) {
/// let thought = run.think("Rice first.").await;
/// run.say("Rice.").await;
/// run.encrypted(&thought, signature).await;
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasoningRef {
    pub(super) id: MessageId,
}

impl ReasoningRef {
    /// Returns the message's id on the wire.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
