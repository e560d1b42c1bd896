//! The reducer: events become messages, state and open questions (AG-UI 1.0, section "Apply").
//!
//! | file | what it does |
//! |---|---|
//! | `apply` | which effect an event has; that on the state |
//! | `message` | text and reasoning, metadata, encrypted values |
//! | `call` | calls and their results |
//! | `activity` | activities |
//! | `restate` | a restated conversation |
//! | `run` | what a run called, and how it ended |
//! | `room` | how much patches may make |
//! | `conversation` `order` | the messages and where they are |
//! | `change` `warning` | what it says of each event |
//!
//! What an event costs depends on the event: messages and calls are found by id, text grows at its end, and the state is patched in
//! place. Only what restates a conversation looks at all of it, and what replaces a message while some call stands in two. A result
//! that comes late is found its place in without looking, too; what was said since moves up in memory for it, for messages are one list.

mod activity;
mod apply;
mod call;
mod change;
mod conversation;
mod message;
mod order;
mod restate;
mod room;
mod run;
mod warning;

use serde_json::Value;

pub use apply::NotExpanded;
use apply::unreadable;
pub use change::{Applied, Change, Complete};
use conversation::Conversation;
use run::Tally;
pub use run::{Outcome, Run};
pub use warning::ReduceWarning;

use super::patch::{Copies, Steps};
use crate::protocol::{Interrupt, Message, RunAgentInput, RunFinishedEvent, ToolCall};
#[cfg(feature = "client")]
use crate::protocol::{ToolCallId, ToolMessage};

/// What a client makes of a stream: its messages, its state, the questions it left open.
///
/// It takes events in order, as [`Verifier`](crate::order::Verifier) leaves them, and without chunks. It does not check them again:
/// what is out of order has the effect it has with the official client, or none.
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
    conversation: Conversation,
    state: Value,
    pending: Vec<Interrupt>,
    run: Option<Run>,
    tally: Tally,
    /// What patches may still copy, in the state and the activities together.
    copies: Copies,
    /// The steps that patches of this run may still take.
    steps: Steps,
}

impl Default for Reducer {
    fn default() -> Self {
        Self {
            conversation: Conversation::default(),
            state: Value::Object(serde_json::Map::new()),
            pending: Vec::new(),
            run: None,
            tally: Tally::default(),
            copies: Copies::default(),
            steps: Steps::default(),
        }
    }
}

impl Reducer {
    /// With no messages, and an empty object as state.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the messages and the state that a client sends: what the agent changes is changed from there.
    ///
    /// Activities stay with the client and are not in an input; [`with_messages`](Self::with_messages) takes them.
    ///
    /// ```
    /// use agui_runtime::protocol::{NonNull, RunAgentInput, UserMessage};
    /// use agui_runtime::receive::reduce::Reducer;
    /// use serde_json::json;
    ///
    /// let mut input = RunAgentInput::new("t", "r", [UserMessage::new("u", "Hi").into()]);
    /// input.state = NonNull::new(json!({ "n": 1 }));
    /// let reducer = Reducer::answering(&input);
    /// assert_eq!((reducer.messages().len(), reducer.state()), (1, &json!({ "n": 1 })));
    /// ```
    #[must_use]
    pub fn answering(input: &RunAgentInput) -> Self {
        let reducer = Self::new().with_messages(input.messages.clone());
        match &input.state {
            Some(state) => reducer.with_state(Value::clone(state)),
            None => reducer,
        }
    }

    /// With these messages instead, for a conversation that goes on.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// use agui_runtime::receive::Reducer;
    ///
    /// let reducer = Reducer::new().with_messages(vec![UserMessage::new("u", "Hi").into()]);
    /// assert_eq!(reducer.messages().len(), 1);
    /// ```
    #[must_use]
    pub fn with_messages(mut self, messages: Vec<Message>) -> Self {
        self.set_messages(messages);
        self
    }

    /// With this state instead.
    ///
    /// ```
    /// use agui_runtime::receive::Reducer;
    /// use serde_json::json;
    ///
    /// assert_eq!(Reducer::new().with_state(json!([1])).state(), &json!([1]));
    /// ```
    #[must_use]
    pub fn with_state(mut self, state: Value) -> Self {
        self.set_state(state);
        self
    }

    /// Replaces the messages, as a client does that edits a conversation.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// use agui_runtime::receive::Reducer;
    ///
    /// let mut reducer = Reducer::new();
    /// reducer.set_messages(vec![UserMessage::new("u", "Hi").into()]);
    /// assert_eq!(reducer.messages().len(), 1);
    /// ```
    pub fn set_messages(&mut self, messages: Vec<Message>) {
        self.conversation = messages.into();
    }

    /// Replaces the state.
    ///
    /// ```
    /// let mut reducer = agui_runtime::receive::Reducer::new();
    /// reducer.set_state(serde_json::json!({ "n": 1 }));
    /// assert_eq!(reducer.state()["n"], 1);
    /// ```
    pub fn set_state(&mut self, state: Value) {
        self.state = state;
    }

    /// The messages, in their order.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        self.conversation.messages()
    }

    /// The state.
    #[must_use]
    pub fn state(&self) -> &Value {
        &self.state
    }

    /// The questions of the run that was interrupted last, until a run finishes otherwise. The next input answers all of them.
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

    /// The last run there has been, which may be going on.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, RunStartedEvent, ToolCallEndEvent, ToolCallStartEvent};
    /// use agui_runtime::receive::reduce::{Outcome, Reducer};
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
    /// assert!(matches!(run.end(), Some(Outcome::Success { pending, .. }) if *pending == ["c"]));
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.run.as_ref()
    }

    /// The message of this id, found without searching: the first, should there be several.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// use agui_runtime::receive::Reducer;
    ///
    /// let reducer = Reducer::new().with_messages(vec![UserMessage::new("u", "Hi").into()]);
    /// assert!(reducer.message("u").is_some() && reducer.message("v").is_none());
    /// ```
    #[must_use]
    pub fn message(&self, id: &str) -> Option<&Message> {
        self.conversation.get(id)
    }

    /// The call of this id, found without searching.
    ///
    /// ```
    /// use agui_runtime::protocol::ToolCallStartEvent;
    /// use agui_runtime::receive::Reducer;
    ///
    /// let mut reducer = Reducer::new();
    /// reducer.apply(&ToolCallStartEvent::new("c", "confirm").into())?;
    /// assert_eq!(reducer.tool_call("c").unwrap().function.name, "confirm");
    /// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
    /// ```
    #[must_use]
    pub fn tool_call(&self, id: &str) -> Option<&ToolCall> {
        self.conversation.get_call(id)
    }

    /// How this event ends the run that is going on, before it is applied.
    ///
    /// ```
    /// use agui_runtime::protocol::RunFinishedEvent;
    /// use agui_runtime::receive::reduce::{Outcome, Reducer};
    ///
    /// let end = Reducer::new().end_by(&RunFinishedEvent::new("t", "r"));
    /// assert_eq!(end, Outcome::Success { result: None, pending: vec![] });
    /// ```
    #[must_use]
    pub fn end_by(&self, event: &RunFinishedEvent) -> Outcome {
        self.tally.end(event)
    }

    /// The same for who answers what is left: each call once, and none that was answered in this run.
    #[cfg(feature = "client")]
    pub(crate) fn left_open_by(&self, event: &RunFinishedEvent) -> Outcome {
        let mut end = self.tally.end(event);
        if let Outcome::Success { pending, .. } = &mut end {
            self.tally.keep_open(pending);
        }
        end
    }

    /// Adds a message at the end, as a client does whose user says something.
    ///
    /// ```
    /// use agui_runtime::protocol::UserMessage;
    /// use agui_runtime::receive::Reducer;
    ///
    /// let mut reducer = Reducer::new();
    /// assert_eq!(reducer.add_message(UserMessage::new("u", "Hi").into()), 0);
    /// ```
    pub fn add_message(&mut self, message: Message) -> usize {
        self.conversation.push(message)
    }

    /// The messages and the state, to keep.
    ///
    /// ```
    /// use agui_runtime::receive::Reducer;
    ///
    /// let (messages, state) = Reducer::new().with_state(serde_json::json!([1])).into_parts();
    /// assert!(messages.is_empty() && state == serde_json::json!([1]));
    /// ```
    #[must_use]
    pub fn into_parts(self) -> (Vec<Message>, Value) {
        (self.conversation.into_messages(), self.state)
    }

    /// Lets go of the calls of the run before: pending calls are those of one run, also where nothing else of its start takes effect.
    pub(crate) fn forget_calls(&mut self) {
        self.tally = Tally::default();
    }

    /// Puts others in the place of all messages, and gives those there were, as a reducer of its own: without state, without questions.
    #[cfg(feature = "client")]
    pub(crate) fn exchange_messages(&mut self, messages: Vec<Message>) -> Self {
        let before = std::mem::replace(&mut self.conversation, messages.into());
        let (copies, steps) = (self.copies.clone(), self.steps.clone());
        Self { conversation: before, copies, steps, ..Self::new() }
    }

    /// Where a message is, as something that is complete.
    #[cfg(feature = "client")]
    pub(crate) fn place_of(&self, id: &str) -> Option<Complete> {
        self.conversation.place(id).map(|at| Complete::Message { at })
    }

    /// Where a call is, as something that is complete.
    #[cfg(feature = "client")]
    pub(crate) fn place_of_call(&self, id: &str) -> Option<Complete> {
        self.conversation.place_of_call(id).map(|place| Complete::Call { at: place.at, call: place.call })
    }

    /// Adds the answer to a call where a result of it stands, and says where.
    #[cfg(feature = "client")]
    pub(crate) fn add_answer(&mut self, answer: ToolMessage) -> usize {
        let call = answer.tool_call_id.clone();
        self.conversation.push_result(&call, answer.into())
    }

    /// Whether there is an answer to a call.
    #[cfg(feature = "client")]
    pub(crate) fn is_answered(&self, call: &ToolCallId) -> bool {
        self.conversation.is_answered(call)
    }
}
