//! The reducer: events become messages, state and open interrupts (AG-UI 1.0, section "Apply").
//!
//! | file | task |
//! |---|---|
//! | `apply` | dispatches events to their effects; the effects on the state |
//! | `message` | text and reasoning, metadata, encrypted values |
//! | `call` | calls and their results |
//! | `activity` | activities |
//! | `restate` | a restated conversation |
//! | `run` | a run's calls and outcome |
//! | `limits` | patch limits |
//! | `conversation` `order` | the messages and their positions |
//! | `change` `warning` | an event's effects, for the caller |
//!
//! An event's cost depends on the event only: messages and calls are found by id, text grows at the end, and the state is patched
//! in place. Exceptions are events that restate the conversation, and events that replace a message while a call id occurs twice:
//! they visit all messages. A late result's position is also found without a search, but the messages after that position move in
//! memory, because they are one list.

mod activity;
mod apply;
mod call;
mod change;
mod conversation;
mod limits;
mod message;
mod order;
mod restate;
mod run;
mod warning;

use serde_json::Value;

pub use apply::NotExpanded;
use apply::unreadable;
pub use change::{CompletedSpan, ReducerChange, ReducerUpdate};
use conversation::IndexedMessages;
use run::CallTally;
pub use run::{ReducedRun, RunOutcome};
pub use warning::ReduceWarning;

use crate::json::patch::{CopyLimit, StepLimit};
use crate::protocol::{Interrupt, Message, RunAgentInput, RunFinishedEvent, ToolCall};
#[cfg(feature = "client")]
use crate::protocol::{ToolCallId, ToolMessage};

/// A client's data: the messages, the shared state, and the interrupts that the last run left open.
///
/// The reducer takes events in order, as [`OrderVerifier`](crate::order::OrderVerifier) accepts them, and without chunks. Events are not
/// checked again: an event that is out of order has the same effect as in the official client, or none.
///
/// ```
/// use agui_runtime::protocol::{
///     Event, JsonPatch, JsonPointer, PatchOperation, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent,
///     TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent,
/// };
/// use agui_runtime::receive::reduce::Reducer;
/// use serde_json::json;
///
/// let price = JsonPatch::from([PatchOperation::add(JsonPointer::root().child("price"), 950)]);
/// let events: [Event; 6] = [
///     RunStartedEvent::new("t", "r").into(),
///     StateSnapshotEvent::new(json!({ "item": "saffron" })).into(),
///     TextMessageStartEvent::new("m").into(),
///     TextMessageContentEvent::new("m", "That is dear.").into(),
///     TextMessageEndEvent::new("m").into(),
///     StateDeltaEvent::new(price).into(),
/// ];
/// let mut reducer = Reducer::new();
/// for event in &events {
///     reducer.apply(event)?;
/// }
/// assert_eq!(reducer.state(), &json!({ "item": "saffron", "price": 950 }));
/// assert_eq!(
///     serde_json::to_value(reducer.messages())?,
///     json!([{ "id": "m", "role": "assistant", "content": "That is dear." }]),
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Reducer {
    conversation: IndexedMessages,
    state: Value,
    pending: Vec<Interrupt>,
    run: Option<ReducedRun>,
    tally: CallTally,
    /// The bytes that patches may still copy, in the state and the activities together.
    copies: CopyLimit,
    /// The steps that this run's patches may still take.
    steps: StepLimit,
}

impl Default for Reducer {
    fn default() -> Self {
        Self {
            conversation: IndexedMessages::default(),
            state: Value::Object(serde_json::Map::new()),
            pending: Vec::new(),
            run: None,
            tally: CallTally::default(),
            copies: CopyLimit::default(),
            steps: StepLimit::default(),
        }
    }
}

impl Reducer {
    /// Creates a [`Reducer`] without messages, whose state is an empty object.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a reducer from an input's messages and state.
    ///
    /// Activities stay with the client and are not part of an input; [`with_messages`](Self::with_messages) accepts them.
    #[must_use]
    pub fn from_input(input: &RunAgentInput) -> Self {
        let reducer = Self::new().with_messages(input.messages.clone());
        match &input.state {
            Some(state) => reducer.with_state(Value::clone(state)),
            None => reducer,
        }
    }

    /// Sets the messages, to continue a conversation.
    #[must_use]
    pub fn with_messages(mut self, messages: Vec<Message>) -> Self {
        self.set_messages(messages);
        self
    }

    /// Sets the state.
    #[must_use]
    pub fn with_state(mut self, state: Value) -> Self {
        self.set_state(state);
        self
    }

    /// Replaces the messages, for a client that edits a conversation.
    pub fn set_messages(&mut self, messages: Vec<Message>) {
        self.conversation = messages.into();
    }

    /// Replaces the state.
    pub fn set_state(&mut self, state: Value) {
        self.state = state;
    }

    /// Returns the messages, in order.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.conversation.messages()
    }

    /// Returns the state.
    #[must_use]
    pub fn state(&self) -> &Value {
        &self.state
    }

    /// Returns the last interrupted run's interrupts, until a run finishes in another way. The next input resumes all of them. A
    /// failed run leaves them open, unless the RUN_ERROR names the interrupts that are open, as a server with stored threads does.
    ///
    /// ```
    /// use agui_runtime::protocol::{Interrupt, RunFinishedEvent, RunFinishedInterruptOutcome};
    /// use agui_runtime::receive::reduce::Reducer;
    ///
    /// let asked = RunFinishedInterruptOutcome::new(Interrupt::new("int-1", "confirmation"));
    /// let mut reducer = Reducer::new();
    /// reducer.apply(&RunFinishedEvent::new("t", "r").with_outcome(asked).into())?;
    /// assert_eq!(reducer.pending_interrupts()[0].id, "int-1");
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn pending_interrupts(&self) -> &[Interrupt] {
        &self.pending
    }

    /// Returns the last run, which may still be going on.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, ToolCallEndEvent, ToolCallStartEvent};
    /// use agui_runtime::receive::reduce::{RunOutcome, Reducer};
    ///
    /// let events: [Event; 4] = [
    ///     RunStartedEvent::new("t", "r").into(),
    ///     ToolCallStartEvent::new("c", "confirm").into(),
    ///     ToolCallEndEvent::new("c").into(),
    ///     RunFinishedEvent::new("t", "r").into(),
    /// ];
    /// let mut reducer = Reducer::new();
    /// for event in &events {
    ///     reducer.apply(event)?;
    /// }
    /// let run = reducer.run().unwrap();
    /// assert!(matches!(run.end(), Some(RunOutcome::Success { pending, .. }) if *pending == ["c"]));
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn run(&self) -> Option<&ReducedRun> {
        self.run.as_ref()
    }

    /// Returns the message with this id in constant time: the first, if there are several.
    #[must_use]
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.conversation.get(id)
    }

    /// Returns the call with this id in constant time.
    #[must_use]
    pub fn tool_call(&self, id: &str) -> Option<&ToolCall> {
        self.conversation.get_call(id)
    }

    /// Returns the outcome that `event` gives the current run, before it is applied.
    ///
    /// ```
    /// use agui_runtime::protocol::RunFinishedEvent;
    /// use agui_runtime::receive::reduce::{RunOutcome, Reducer};
    ///
    /// let end = Reducer::new().end_by(&RunFinishedEvent::new("t", "r"));
    /// assert_eq!(end, RunOutcome::Success { result: None, pending: vec![] });
    /// ```
    #[must_use]
    pub fn end_by(&self, event: &RunFinishedEvent) -> RunOutcome {
        self.tally.end(event)
    }

    /// Like [`end_by`](Self::end_by), for a caller that adds results for the pending calls: each call once, and no call whose
    /// result came in this run.
    #[cfg(feature = "client")]
    pub(crate) fn pending_after(&self, event: &RunFinishedEvent) -> RunOutcome {
        let mut end = self.tally.end(event);
        if let RunOutcome::Success { pending, .. } = &mut end {
            self.tally.keep_unsettled(pending);
        }
        end
    }

    /// Adds a message at the end, for example a user's; returns the index.
    pub fn add_message(&mut self, message: Message) -> usize {
        self.conversation.push(message)
    }

    /// Returns the messages and the state, owned.
    #[must_use]
    pub fn into_parts(self) -> (Vec<Message>, Value) {
        (self.conversation.into_messages(), self.state)
    }

    /// Forgets the interrupts that are not open any more.
    #[cfg(feature = "client")]
    pub(crate) fn keep_interrupts(&mut self, is_open: impl FnMut(&Interrupt) -> bool) {
        self.pending.retain(is_open);
    }

    /// Forgets the previous run's calls: pending calls belong to one run, even if a hook suppresses the next run's start.
    pub(crate) fn forget_calls(&mut self) {
        self.tally = CallTally::default();
    }

    /// Replaces all messages, and returns the old ones in a reducer without state and interrupts.
    #[cfg(feature = "client")]
    pub(crate) fn exchange_messages(&mut self, messages: Vec<Message>) -> Self {
        let before = std::mem::replace(&mut self.conversation, messages.into());
        let (copies, steps) = (self.copies.clone(), self.steps.clone());
        Self { conversation: before, copies, steps, ..Self::new() }
    }

    /// Returns a message's position, as a completed one.
    #[cfg(feature = "client")]
    pub(crate) fn place_of(&self, id: &str) -> Option<CompletedSpan> {
        self.conversation.place(id).map(|at| CompletedSpan::Message { at })
    }

    /// Returns a call's position, as a completed one.
    #[cfg(feature = "client")]
    pub(crate) fn place_of_call(&self, id: &str) -> Option<CompletedSpan> {
        self.conversation
            .place_of_call(id)
            .map(|place| CompletedSpan::Call { at: place.at, call: place.call })
    }

    /// Adds a call's result message at its position, and returns the index.
    #[cfg(feature = "client")]
    pub(crate) fn add_result_message(&mut self, answer: ToolMessage) -> usize {
        let call = answer.tool_call_id.clone();
        self.conversation.push_result(&call, answer.into())
    }

    /// Returns true if a call has a result.
    #[cfg(feature = "client")]
    pub(crate) fn has_result(&self, call: &ToolCallId) -> bool {
        self.conversation.has_result(call)
    }
}
