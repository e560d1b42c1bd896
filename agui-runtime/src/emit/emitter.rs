use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::activity::{Activity, OpenActivity, StartActivity};
use super::encrypted::{EncryptedEntity, SendEncrypted};
use super::kernel::Kernel;
use super::raw::SendRaw;
use super::reasoning::{OpenReasoning, StartReasoning, Think};
use super::span::{ROOT, Slot};
use super::step::StartStep;
use super::text::{OpenMessage, Say, StartText};
use super::{Do, EventFields, Fields, Hub, IntoText, OpenStep, Shared};
use crate::protocol::{Event, RunAgentInput, TokenUsage};

/// What any code of a run may say, whatever the agent: text, reasoning, steps, activities, other systems' events.
///
/// [`Run`](super::Run) derefs to it; helper functions that only talk take `&Emit` and work for every agent. Tools get
/// it injected by naming a parameter `&Emit`.
///
/// ```
/// use agui_runtime::Emit;
///
/// async fn greet(emit: &Emit, name: &str) {
///     let mut text = emit.message().await;
///     text.push("Hello, ").await;
///     text.push(name).await;
/// }   // dropping the message ends it
/// ```
pub struct Emit {
    shared: Arc<Shared>,
    /// Who speaks: the run's own agent, a subagent, or a part of either that ends before it.
    author: Slot,
}

impl Emit {
    pub(crate) fn new(shared: Arc<Shared>) -> Self {
        Self { shared, author: ROOT }
    }

    pub(crate) fn hub(&self) -> &Hub {
        &self.shared
    }

    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    pub(crate) fn input(&self) -> &RunAgentInput {
        self.shared.input()
    }

    pub(crate) fn author(&self) -> Slot {
        self.author
    }

    /// Another handle on the same run, for the parts of it that live as long as the run itself.
    pub(crate) fn share(&self) -> Self {
        self.for_author(self.author)
    }

    /// A handle for somebody else who speaks in the run.
    pub(crate) fn for_author(&self, author: Slot) -> Self {
        Self { shared: Arc::clone(&self.shared), author }
    }

    pub(crate) fn act<R>(&self, act: impl FnOnce(&mut Kernel, Slot) -> R) -> R {
        self.shared.act(|kernel| act(kernel, self.author))
    }

    pub(crate) fn say_event(&self, event: impl Into<Event>, fields: Fields) {
        let event = event.into();
        self.act(|kernel, author| kernel.send(author, event, fields));
    }

    /// Whether the client still holds the state it sent; from then on it is the typed state's.
    pub(crate) fn adopt_state(&self) -> bool {
        self.act(Kernel::adopt_state)
    }

    /// Whether the client must be told the whole state before the next change of it.
    pub(crate) fn owes_state(&self) -> bool {
        self.act(|kernel, _| kernel.owes_state())
    }

    /// Adds tokens spent on a model to what the run's last event reports, RUN_FINISHED and RUN_ERROR alike (AG-UI 1.0,
    /// table "`TokenUsage`"). At once; the counts of one provider and model are summed.
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
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit) {
    /// let mut text = run.message().await;
    /// text.push("Let me see… ").await;
    /// text.end();
    /// # }
    /// ```
    pub fn message(&self) -> OpenMessage<'_> {
        Do::new(self, StartText::new())
    }

    /// Sends a whole text message: START, one CONTENT unless the text is empty, END.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit) {
    /// let message = run.say("Hello world!").await;
    /// # }
    /// ```
    pub fn say(&self, text: impl IntoText) -> Do<'_, Say> {
        Do::new(self, Say::new(text.into_text()))
    }

    /// Opens a step: STEP_STARTED when awaited (AG-UI 1.0, section "Runs and steps").
    ///
    /// Steps are known by name on the wire; while a step of the same name is open, a number is put behind it
    /// (`search`, `search#2`), so two parallel tasks may both say `step("search")`.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit) {
    /// let step = run.step("search").await;
    /// run.say("Found it.").await;
    /// step.finish();
    /// # }
    /// ```
    pub fn step(&self, name: impl Into<String>) -> OpenStep<'_> {
        Do::new(self, StartStep::new(name.into()))
    }

    /// Opens a reasoning span: REASONING_START when awaited (AG-UI 1.0, section "Reasoning"). What the model thinks goes
    /// into messages of the span.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit) {
    /// let think = run.reasoning().await;
    /// let mut thought = think.message().await;
    /// thought.push("The person is hungry. ").await;
    /// thought.end();
    /// think.end();
    /// run.say("Rice is ready in twenty minutes.").await;
    /// # }
    /// ```
    pub fn reasoning(&self) -> OpenReasoning<'_> {
        Do::new(self, StartReasoning::new())
    }

    /// Sends a whole thought: a reasoning span with one message, START to END of both. The receipt is the message's, and
    /// so is metadata; the provider's event stands on REASONING_MESSAGE_START.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit, signature: String) {
    /// let thought = run.think("The person is hungry.").await;
    /// run.encrypted(&thought, signature).await;
    /// # }
    /// ```
    pub fn think(&self, text: impl IntoText) -> Do<'_, Think> {
        Do::new(self, Think::new(text.into_text()))
    }

    /// Attaches what only the model provider can read to a message or a tool call: REASONING_ENCRYPTED_VALUE (AG-UI 1.0,
    /// section "Reasoning"). The client gives it back unchanged with the next input.
    ///
    /// Takes the receipt of a message, a reasoning message or a call, also one of another agent of the run, or any of
    /// them while it is open. So the event's `subtype` and `entityId` always fit each other. Nothing is sent about what
    /// the client was never told of: another run's message, or one of a task that had ended.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # async fn example(run: &Emit, signature: String) {
    /// let answer = run.say("Rice.").await;
    /// run.encrypted(&answer, signature).await;
    /// # }
    /// ```
    pub fn encrypted(
        &self,
        of: &(impl EncryptedEntity + ?Sized),
        value: impl Into<String>,
    ) -> Do<'_, SendEncrypted> {
        Do::new(self, SendEncrypted::new(of, value.into()))
    }

    /// Passes on an event of another system as it came: RAW (AG-UI 1.0, section "Passthrough"). Clients derive nothing
    /// from it.
    ///
    /// ```
    /// # use agui_runtime::Emit;
    /// # use serde_json::json;
    /// # async fn example(run: &Emit) {
    /// run.raw(json!({"type": "ping"})).source("model-provider").await;
    /// # }
    /// ```
    pub fn raw(&self, event: impl Into<Value>) -> Do<'_, SendRaw> {
        Do::new(self, SendRaw::new(event.into()))
    }

    /// Shows an activity: ACTIVITY_SNAPSHOT when awaited (AG-UI 1.0, section "Activity"). The handle changes it.
    ///
    /// # Errors
    /// [`ActivityError`](super::ActivityError) when the value has no JSON form or is not an object; nothing is sent then.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// What the agent is going to do.
    /// #[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
    /// #[activity(type = "PLAN")]
    /// struct Plan {
    ///     steps: Vec<String>,
    ///     at: usize,
    /// }
    ///
    /// # async fn example(run: &Emit) -> Result<(), agui_runtime::ActivityError> {
    /// let mut plan = run.activity(Plan { steps: vec!["wash".into(), "cook".into()], at: 0 }).await?;
    /// plan.update(|plan| plan.at = 1).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn activity<T: Activity>(&self, value: T) -> OpenActivity<'_, T> {
        Do::new(self, StartActivity::new(value))
    }
}

impl fmt::Debug for Emit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Emit").finish_non_exhaustive()
    }
}

/// An open span and the duty to end it.
pub(crate) struct SpanGuard<'w> {
    emit: &'w Emit,
    slot: Slot,
}

impl<'w> SpanGuard<'w> {
    pub(crate) fn new(emit: &'w Emit, slot: Slot) -> Self {
        Self { emit, slot }
    }

    pub(crate) fn emit(&self) -> &'w Emit {
        self.emit
    }

    pub(crate) fn slot(&self) -> Slot {
        self.slot
    }

    /// Ends the span, as is said of it.
    pub(crate) fn close(self) {
        self.end(None);
    }

    /// Ends the span, its last event with these fields.
    pub(crate) fn close_with(self, fields: EventFields) {
        self.end(Some(Box::new(fields)));
    }

    /// Leaves the span to whatever closes what is around it.
    pub(crate) fn leave(self) {
        std::mem::forget(self);
    }

    fn end(self, fields: Fields) {
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
        // What no type sees: a message or a call that was meant to go on.
        if let Some(what) = cut_short {
            tracing::debug!(what, "closed because its handle was dropped");
        }
    }
}
