//! Reasoning guards: spans, and the messages in them.

use std::fmt;

use super::emitter::SpanGuard;
use super::reasoning_text::{OpenReasoningMessage, ReasoningRef, StartReasoningMessage};
use super::{Emit, RunWrite, WriteFuture};
use crate::kernel::{EventFields, WriteFields, following};

/// A reasoning span about to be opened; awaiting it sends REASONING_START. Returned by
/// [`Emit::reasoning`].
pub type OpenReasoning<'w> = WriteFuture<'w, StartReasoning>;

/// The write behind [`Emit::reasoning`].
#[derive(Debug)]
pub struct StartReasoning(());

impl StartReasoning {
    pub(super) fn new() -> Self {
        Self(())
    }
}

impl<'w> RunWrite<'w> for StartReasoning {
    type Output = Reasoning<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Reasoning<'w> {
        Reasoning(SpanGuard::new(
            emit,
            emit.act(|kernel, author| kernel.open_reasoning(author, None, fields)),
        ))
    }
}

/// An open reasoning span (AG-UI 1.0, section "Reasoning"): encloses the model's reasoning before its reply.
///
/// ```
/// # async fn example(run: &agui_runtime::Emit) {
/// let think = run.reasoning().await; // REASONING_START
/// let mut thought = think.message().await; // REASONING_MESSAGE_START
/// thought.push("Rice first.").await; // REASONING_MESSAGE_CONTENT
/// thought.end(); // REASONING_MESSAGE_END
/// think.end(); // REASONING_END
/// # }
/// ```
///
/// The reasoning is in separate messages, which borrow the span, so the span cannot end before them:
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
/// Dropping the span sends REASONING_END, as [`end`](Self::end) does. On the wire a span names no message, so it has no receipt:
/// [`Emit::encrypted`] takes the receipts of the messages inside.
#[must_use = "reasoning that is dropped at once contains nothing"]
#[diagnostic::on_move(
    message = "REASONING_END is the last event of its span",
    label = "this span was ended or given away",
    note = "its messages come before: `think.message().await`, then `think.end()` once"
)]
pub struct Reasoning<'w>(SpanGuard<'w>);

impl Reasoning<'_> {
    /// Opens a reasoning message in the span: REASONING_MESSAGE_START when awaited. Any number may be open at once.
    pub fn message(&self) -> OpenReasoningMessage<'_> {
        WriteFuture::new(self.0.emit(), StartReasoningMessage { span: self.0.slot() })
    }

    /// Closes the span: REASONING_END, at once.
    pub fn end(self) {
        drop(self);
    }

    /// Closes the span with extra fields on REASONING_END.
    pub fn end_with(self, fields: EventFields) {
        self.0.close_with(fields);
    }
}

impl fmt::Debug for Reasoning<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Reasoning").field(&self.0.slot()).finish()
    }
}

/// The write behind [`Emit::think`]: a reasoning span with one message.
#[derive(Debug)]
pub struct SendThought {
    text: String,
}

impl SendThought {
    pub(super) fn new(text: String) -> Self {
        Self { text }
    }
}

impl RunWrite<'_> for SendThought {
    type Output = ReasoningRef;

    fn act(self, emit: &Emit, fields: WriteFields) -> ReasoningRef {
        let later = following(&fields);
        emit.act(|kernel, author| {
            let span = kernel.open_reasoning(author, None, later.clone());
            // The span builds nothing, so the metadata belongs to the message.
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
