//! The guard of a message in a reasoning span.

use std::fmt;

use super::emitter::SpanGuard;
use super::{Emit, IntoText, RunWrite, WriteFuture};
use crate::kernel::{EventFields, Fields, Slot};
use crate::protocol::MessageId;

/// A reasoning message about to be opened; awaiting it sends REASONING_MESSAGE_START.
///
/// ```
/// use agui_runtime::Reasoning;
/// use agui_runtime::future::OpenReasoningMessage;
/// use agui_runtime::protocol::Metadata;
///
/// fn summary<'t>(think: &'t Reasoning<'_>) -> OpenReasoningMessage<'t> {
///     think.message().metadata(Metadata::from_iter([("acme/summary", true.into())]))
/// }
/// # async fn example(run: &agui_runtime::Emit) {
/// let think = run.reasoning().await;
/// let mut thought = summary(&think).await;
/// thought.push("Rice first.").await;
/// # }
/// ```
pub type OpenReasoningMessage<'w> = WriteFuture<'w, StartReasoningMessage>;

/// The write that opens a reasoning message.
///
/// ```
/// use agui_runtime::future::{StartReasoningMessage, WriteFuture};
/// use agui_runtime::protocol::Timestamp;
///
/// # async fn example(run: &agui_runtime::Emit, time: Timestamp) {
/// let think = run.reasoning().await;
/// let start: WriteFuture<'_, StartReasoningMessage> = think.message();
/// let mut thought = start.timestamp(time).await;
/// thought.push("Rice first.").await;
/// # }
/// ```
#[derive(Debug)]
pub struct StartReasoningMessage {
    pub(super) span: Slot,
}

impl<'w> RunWrite<'w> for StartReasoningMessage {
    type Output = ReasoningText<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> ReasoningText<'w> {
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
/// It borrows its [`Reasoning`](crate::Reasoning), and [`end`](Self::end) consumes it, so nothing can be pushed after that:
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
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// for word in ["Rice ", "first."] {
    ///     thought.push(word).await;
    /// }
    /// # }
    /// ```
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushReasoning> {
        WriteFuture::new(self.0.emit(), PushReasoning { slot: self.0.slot(), delta: delta.into_text() })
    }

    /// Returns the id of the message on the wire.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let thought = think.message().await;
    /// let id = thought.id();
    /// assert_eq!(thought.end().id(), &id);
    /// # }
    /// ```
    pub fn id(&self) -> MessageId {
        self.receipt().id
    }

    /// Closes the message: REASONING_MESSAGE_END, at once. The receipt names it afterwards.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit, signature: String) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// thought.push("Rice first.").await;
    /// let thought = thought.end();
    /// run.encrypted(&thought, signature).await;
    /// think.end();
    /// # }
    /// ```
    pub fn end(self) -> ReasoningRef {
        let receipt = self.receipt();
        drop(self);
        receipt
    }

    /// Closes the message with fields of its own on REASONING_MESSAGE_END: metadata that is known only now.
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::Metadata};
    ///
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// thought.push("Rice first.").await;
    /// let spent = Metadata::from_iter([("acme/thinking-tokens", 41.into())]);
    /// thought.end_with(EventFields::new().with_metadata(spent));
    /// # }
    /// ```
    pub fn end_with(self, fields: EventFields) -> ReasoningRef {
        let receipt = self.receipt();
        self.0.close_with(fields);
        receipt
    }

    pub(super) fn seen_id(&self) -> Option<MessageId> {
        self.0.emit().hub().act(|kernel| kernel.message_id_of(self.0.slot()).cloned())
    }

    /// After the end of the run no message is open, and the receipt names a message that was never sent.
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

/// The write that appends to a reasoning message.
///
/// ```
/// use agui_runtime::future::{PushReasoning, WriteFuture};
/// use agui_runtime::protocol::Timestamp;
///
/// # async fn example(run: &agui_runtime::Emit, time: Timestamp) {
/// let think = run.reasoning().await;
/// let mut thought = think.message().await;
/// let push: WriteFuture<'_, PushReasoning> = thought.push("Rice first.");
/// push.timestamp(time).await;
/// # }
/// ```
#[derive(Debug)]
pub struct PushReasoning {
    slot: Slot,
    delta: String,
}

impl RunWrite<'_> for PushReasoning {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
        if !self.delta.is_empty() || fields.is_some() {
            emit.hub().act(|kernel| kernel.push_reasoning(self.slot, self.delta, fields));
        }
    }
}

/// The receipt of a reasoning message that was sent: it names the message and borrows nothing.
///
/// [`Emit::encrypted`] takes it, for values that the model provider signed or encrypted.
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
    /// Returns the id of the message on the wire.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let thought = run.think("Rice first.").await;
    /// println!("the thought is the message {}", thought.id());
    /// # }
    /// ```
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
