use std::fmt;

use super::emitter::SpanGuard;
use super::fields::following;
use super::span::Slot;
use super::{Act, Do, Emit, EventFields, Fields, IntoText};
use crate::protocol::MessageId;

/// A reasoning span about to be opened; awaiting it sends REASONING_START.
pub type OpenReasoning<'w> = Do<'w, StartReasoning>;

/// The act of opening a reasoning span.
#[derive(Debug)]
pub struct StartReasoning(());

impl StartReasoning {
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl<'w> Act<'w> for StartReasoning {
    type Output = Reasoning<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Reasoning<'w> {
        Reasoning(SpanGuard::new(
            emit,
            emit.act(|kernel, author| kernel.open_reasoning(author, None, fields)),
        ))
    }
}

/// An open reasoning span (AG-UI 1.0, section "Reasoning"): brackets what the model thought before it answered.
///
/// What it thought is in messages of their own, which borrow the span, so it cannot end before them:
///
/// ```compile_fail,E0505
/// # async fn example(run: &agui_runtime::Emit) {
/// let think = run.reasoning().await;
/// let mut thought = think.message().await;
/// think.end();
/// thought.push("too late").await;
/// # }
/// ```
///
/// Dropping it sends REASONING_END, so does [`end`](Self::end). On the wire a span names no message, so it has no
/// receipt: those of its messages are what [`Emit::encrypted`] takes.
#[must_use = "reasoning that is dropped at once contains nothing"]
#[diagnostic::on_move(
    message = "nothing is thought in a span after its REASONING_END",
    label = "this span was ended or given away",
    note = "its messages come before: `think.message().await`, then `think.end()` once"
)]
pub struct Reasoning<'w>(SpanGuard<'w>);

impl Reasoning<'_> {
    /// Opens a reasoning message in the span: REASONING_MESSAGE_START when awaited. Any number may be open at once.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// thought.push("Rice needs ").await;
    /// thought.push("eighteen minutes.").await;
    /// thought.end();
    /// think.end();
    /// # }
    /// ```
    pub fn message(&self) -> OpenReasoningMessage<'_> {
        Do::new(self.0.emit(), StartReasoningMessage { span: self.0.slot() })
    }

    /// Closes the span: REASONING_END, at once.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// thought.push("Rice first.").await;
    /// thought.end();
    /// think.end();
    /// run.say("Rice.").await;
    /// # }
    /// ```
    pub fn end(self) {
        drop(self);
    }

    /// Closes the span with fields of its own on REASONING_END.
    ///
    /// ```
    /// use agui_runtime::{EventFields, protocol::Metadata};
    ///
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let think = run.reasoning().await;
    /// let spent = Metadata::from_iter([("acme/thinking-tokens".to_owned(), 41.into())]);
    /// think.end_with(EventFields::new().with_metadata(spent));
    /// # }
    /// ```
    pub fn end_with(self, fields: EventFields) {
        self.0.close_with(fields);
    }
}

impl fmt::Debug for Reasoning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reasoning").field(&self.0.slot()).finish()
    }
}

/// A reasoning message about to be opened; awaiting it sends REASONING_MESSAGE_START.
pub type OpenReasoningMessage<'w> = Do<'w, StartReasoningMessage>;

/// The act of opening a reasoning message.
#[derive(Debug)]
pub struct StartReasoningMessage {
    span: Slot,
}

impl<'w> Act<'w> for StartReasoningMessage {
    type Output = ReasoningMessage<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> ReasoningMessage<'w> {
        let slot = emit.hub().act(|kernel| kernel.open_reasoning_message(self.span, None, fields));
        ReasoningMessage(SpanGuard::new(emit, slot))
    }
}

/// An open reasoning message: the only way to send REASONING_MESSAGE_CONTENT.
///
/// It borrows its [`Reasoning`], and [`end`](Self::end) consumes it, so nothing can be said after that:
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
/// Dropping it sends REASONING_MESSAGE_END as well; so do an early `?` and a panic.
#[must_use = "a reasoning message that is dropped at once is an empty message"]
#[diagnostic::on_move(
    message = "nothing is said of a reasoning message after its REASONING_MESSAGE_END",
    label = "this message was ended or given away",
    note = "push first, then `thought.end()` once"
)]
pub struct ReasoningMessage<'w>(SpanGuard<'w>);

impl ReasoningMessage<'_> {
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
    pub fn push(&mut self, delta: impl IntoText) -> Do<'_, PushReasoning> {
        Do::new(self.0.emit(), PushReasoning { slot: self.0.slot(), delta: delta.into_text() })
    }

    /// The id the message has on the wire.
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
    pub fn end_with(self, fields: EventFields) -> ReasoningRef {
        let receipt = self.receipt();
        self.0.close_with(fields);
        receipt
    }

    pub(super) fn seen_id(&self) -> Option<MessageId> {
        self.0.emit().hub().act(|kernel| kernel.message_id_of(self.0.slot()).cloned())
    }

    /// After the run has ended nothing is open; the receipt then names a message nobody has seen.
    fn receipt(&self) -> ReasoningRef {
        let id = self.seen_id().unwrap_or_else(|| self.0.emit().act(|kernel, _| kernel.unseen_message()));
        ReasoningRef { id }
    }
}

impl fmt::Debug for ReasoningMessage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReasoningMessage").field(&self.0.slot()).finish()
    }
}

/// The act of appending to a reasoning message.
#[derive(Debug)]
pub struct PushReasoning {
    slot: Slot,
    delta: String,
}

impl Act<'_> for PushReasoning {
    type Output = ();

    fn act(self, emit: &Emit, fields: Fields) {
        if !self.delta.is_empty() || fields.is_some() {
            emit.hub().act(|kernel| kernel.push_reasoning(self.slot, self.delta, fields));
        }
    }
}

/// The act of sending a whole thought: a reasoning span with one message.
#[derive(Debug)]
pub struct Think {
    text: String,
}

impl Think {
    pub(super) fn new(text: String) -> Self {
        Self { text }
    }
}

impl Act<'_> for Think {
    type Output = ReasoningRef;

    fn act(self, emit: &Emit, fields: Fields) -> ReasoningRef {
        let later = following(&fields);
        emit.act(|kernel, author| {
            let span = kernel.open_reasoning(author, None, later.clone());
            // The span builds nothing: the metadata is the message's.
            let message = kernel.open_reasoning_message(span, None, fields);
            let seen = kernel.message_id_of(message).cloned();
            if !self.text.is_empty() {
                kernel.push_reasoning(message, self.text, later.clone());
            }
            kernel.close(message, later.clone());
            kernel.close(span, later);
            ReasoningRef { id: seen.unwrap_or_else(|| kernel.unseen_message()) }
        })
    }
}

/// The receipt of a reasoning message that was sent: names it, borrows nothing.
///
/// [`Emit::encrypted`] takes it, for what the model provider signed or hid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReasoningRef {
    id: MessageId,
}

impl ReasoningRef {
    /// The id the message has on the wire.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
