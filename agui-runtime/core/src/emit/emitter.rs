//! `Emit`: the part of a run that does not depend on the agent.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::encrypted::{EncryptedEntity, SendEncrypted};
use super::raw::SendRaw;
use super::reasoning::{OpenReasoning, SendThought, StartReasoning};
use super::say::SendText;
use super::step::StartStep;
use super::text::{OpenMessage, StartText};
use super::{IntoText, OpenStep, RunShared, WriteFuture};
use crate::kernel::{EventFields, KernelHub, ROOT, RunKernel, SpanSlot, WriteFields};
#[cfg(feature = "model")]
use crate::protocol::ProtocolVersion;
use crate::protocol::{EncryptedValue, Event, RunAgentInput, TokenUsage};
use crate::telemetry::Counts;

/// The writes that any code in a run can make, for every agent: text, reasoning, steps, raw events. Custom events and activities
/// need an agent that lists them: a tool sends them by a [`TypedEmit`](crate::TypedEmit), and the agent by its
/// [`Run`](crate::Run).
///
/// [`Run`](crate::Run) derefs to `Emit`. Helper functions that only write take `&Emit` and work for every agent. A tool gets it by
/// a parameter `&Emit`.
///
/// ```
/// use agui_runtime::Emit;
/// use agui_runtime::prelude::*;
///
/// async fn greet(emit: &Emit, name: &str) {
///     let mut text = emit.message().await;
///     text.push("Hello, ").await;
///     text.push(name).await;
/// }   // dropping the message ends it
///
/// /// Cooks with you.
/// #[agent]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
///     greet(run, "you").await;
///     Ok(())
/// }
/// ```
pub struct Emit {
    shared: Arc<RunShared>,
    /// The author: the run's own agent, a subagent, or a scope in either that ends earlier.
    author: SpanSlot,
}

impl Emit {
    pub(crate) fn new(shared: Arc<RunShared>) -> Self {
        Self { shared, author: ROOT }
    }

    /// Returns another handle with the same author, for a value that lives as long as this borrow.
    pub(crate) fn same(&self) -> Self {
        Self { shared: Arc::clone(&self.shared), author: self.author }
    }

    /// Counts a request or call by the author's agent.
    pub(crate) fn count(&self, count: impl FnOnce(&mut Counts)) {
        self.shared.count(self.act(|kernel, author| kernel.agent_of(author)), count);
    }

    pub(crate) fn hub(&self) -> &KernelHub {
        &self.shared
    }

    pub(crate) fn shared(&self) -> &Arc<RunShared> {
        &self.shared
    }

    pub(crate) fn input(&self) -> &RunAgentInput {
        self.shared.input()
    }

    pub(crate) fn author(&self) -> SpanSlot {
        self.author
    }

    /// Returns another handle on the run, for parts that live as long as the run itself.
    pub(crate) fn share(&self) -> Self {
        self.for_author(self.author)
    }

    /// Returns a handle for another author in the run.
    pub(crate) fn for_author(&self, author: SpanSlot) -> Self {
        Self { shared: Arc::clone(&self.shared), author }
    }

    pub(crate) fn act<R>(&self, act: impl FnOnce(&mut RunKernel, SpanSlot) -> R) -> R {
        self.shared.act(|kernel| act(kernel, self.author))
    }

    pub(crate) fn say_event(&self, event: impl Into<Event>, fields: WriteFields) {
        let event = event.into();
        self.act(|kernel, author| kernel.send(author, event, fields));
    }

    /// True if the client still holds the state that it sent; the typed state owns the client's state from then on.
    pub(crate) fn adopt_state(&self) -> bool {
        self.act(RunKernel::adopt_state)
    }

    /// True if the client must get the whole state before the next change.
    pub(crate) fn owes_state(&self) -> bool {
        self.act(|kernel, _| kernel.owes_state())
    }

    /// Adds token usage for the run's last event, RUN_FINISHED or RUN_ERROR (AG-UI 1.0, table "`TokenUsage`"). Takes effect at
    /// once; counts for one provider and model are summed.
    ///
    /// ```
    /// use agui_runtime::protocol::TokenUsage;
    ///
    /// # fn example(run: &agui_runtime::Emit) {
    /// run.report_usage(TokenUsage::new().with_model("x-1").with_input_tokens(41_u32).with_output_tokens(9_u32));
    /// # }
    /// ```
    pub fn report_usage(&self, spent: TokenUsage) {
        self.act(|kernel, author| kernel.report_usage(author, spent));
    }

    /// Opens a text message: TEXT_MESSAGE_START when awaited (AG-UI 1.0, section "Text messages").
    ///
    /// Any number of messages may be open at once. See [`OpenMessage`] for a role and a name.
    pub fn message(&self) -> OpenMessage<'_> {
        WriteFuture::new(self, StartText::new())
    }

    /// Sends a whole text message: START, one CONTENT unless the text is empty, END.
    pub fn say(&self, text: impl IntoText) -> WriteFuture<'_, SendText> {
        WriteFuture::new(self, SendText::new(text.into_text()))
    }

    /// Opens a step: STEP_STARTED when awaited (AG-UI 1.0, section "Runs and steps").
    ///
    /// The wire identifies steps by name. While another step with the same name is open, a number is appended (`search`,
    /// `search#2`), so two parallel tasks may both write `step("search")`.
    pub fn step(&self, name: impl Into<String>) -> OpenStep<'_> {
        WriteFuture::new(self, StartStep::new(name.into()))
    }

    /// Opens a reasoning span: REASONING_START when awaited (AG-UI 1.0, section "Reasoning"). The model's reasoning goes into
    /// messages in the span.
    pub fn reasoning(&self) -> OpenReasoning<'_> {
        WriteFuture::new(self, StartReasoning::new())
    }

    /// Sends a whole thought: a reasoning span with one message, START to END. The receipt and metadata belong to the message; the
    /// provider's event goes on REASONING_MESSAGE_START.
    pub fn think(&self, text: impl IntoText) -> WriteFuture<'_, SendThought> {
        WriteFuture::new(self, SendThought::new(text.into_text()))
    }

    /// Attaches a value that only the model provider can read to a message or a tool call: REASONING_ENCRYPTED_VALUE (AG-UI 1.0,
    /// section "Reasoning"). The client returns the value unchanged with the next input. A text is a value without a type; an
    /// [`EncryptedValue`] may have one, which a client of AG-UI 1.0 is not sent.
    ///
    /// Takes the receipt of a message, a reasoning message or a call, or the open span itself, from any agent in the run. So the
    /// event's `subtype` and `entityId` always fit each other. Nothing is sent if the client does not know the entity: it belongs
    /// to another run, or was created by a task that had ended.
    pub fn encrypted(
        &self,
        of: &(impl EncryptedEntity + ?Sized),
        value: impl Into<EncryptedValue>,
    ) -> WriteFuture<'_, SendEncrypted> {
        WriteFuture::new(self, SendEncrypted::new(of, value.into()))
    }

    /// Returns the version whose members the run's client reads.
    #[cfg(feature = "model")]
    pub(crate) fn peer_version(&self) -> ProtocolVersion {
        self.act(|kernel, _| kernel.peer_version())
    }

    /// Forwards another system's event unchanged: RAW (AG-UI 1.0, section "Passthrough"). Clients derive nothing from a raw event.
    pub fn raw(&self, event: impl Into<Value>) -> WriteFuture<'_, SendRaw> {
        WriteFuture::new(self, SendRaw::new(event.into()))
    }
}

impl fmt::Debug for Emit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Emit").finish_non_exhaustive()
    }
}

/// An open span, which ends when the guard is dropped.
pub(crate) struct SpanGuard<'w> {
    emit: &'w Emit,
    slot: SpanSlot,
}

impl<'w> SpanGuard<'w> {
    pub(crate) fn new(emit: &'w Emit, slot: SpanSlot) -> Self {
        Self { emit, slot }
    }

    pub(crate) fn emit(&self) -> &'w Emit {
        self.emit
    }

    pub(crate) fn slot(&self) -> SpanSlot {
        self.slot
    }

    /// Ends the span.
    pub(crate) fn close(self) {
        self.end(None);
    }

    /// Ends the span, with extra fields on the END event.
    pub(crate) fn close_with(self, fields: EventFields) {
        self.end(Some(Box::new(fields)));
    }

    /// Leaves the span open until the enclosing span closes.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }

    fn end(self, fields: WriteFields) {
        self.emit.hub().act(|kernel| kernel.close(self.slot, fields));
        std::mem::forget(self);
    }
}

impl Drop for SpanGuard<'_> {
    fn drop(&mut self) {
        let cut_short = self.emit.hub().act(|kernel| {
            let cut_short = kernel.cut_short(self.slot);
            kernel.close(self.slot, None);
            cut_short
        });
        // Types cannot express this: a message or a call was meant to continue.
        if let Some(what) = cut_short {
            tracing::debug!(what, "closed because its handle was dropped");
        }
    }
}
