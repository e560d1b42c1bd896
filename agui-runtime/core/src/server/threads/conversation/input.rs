//! A run's input on a stored thread: the server fills in what the client left out, and checks what the client sent.

use serde_json::Value;

use super::continuation::{ContinuedConversation, continued_conversation, is_activity};
use super::fold::FoldedThread;
use super::resumed::ResumedInterrupts;
use crate::emit::PlacedPrivateTurn;
use crate::protocol::forms::since::VersionedObject;
use crate::protocol::{
    Event, InterruptId, JsonObject, Message, MessageId, MessagesSnapshotEvent, NonNull, ProtocolVersion,
    ResumeStatus, RunAgentInput, RunStartedEvent, StateSnapshotEvent, ToolCallId,
};
use crate::telemetry::TraceContext;

/// An input that follows from the thread.
pub(crate) struct CompletedInput {
    /// The input with the whole conversation and the state.
    pub(crate) input: RunAgentInput,
    /// The run's first events: RUN_STARTED with the new messages, and the client's changes that other readers must see.
    pub(crate) opening: Vec<Event>,
    /// The interrupts that the run resumes.
    pub(crate) resumed_ids: Vec<InterruptId>,
    /// The interrupt part of the run's last event.
    pub(crate) resumed: ResumedInterrupts,
    /// The thread's turns that the model reads, and no client.
    pub(crate) private: Vec<PlacedPrivateTurn>,
}

/// An input that contradicts the thread.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum InputContradiction {
    #[error("the id `{id}` is that of a message with another role")]
    Role { index: usize, id: MessageId },
    #[error("the call `{id}` is not open: it has a result, or was never made")]
    Call { index: usize, id: ToolCallId },
    #[error("the question `{id}` is not open")]
    NotOpen { index: usize, id: InterruptId },
}

impl InputContradiction {
    /// Returns the path in the input.
    pub(crate) fn path(&self) -> String {
        match self {
            Self::Role { index, .. } | Self::Call { index, .. } => format!("messages[{index}]"),
            Self::NotOpen { index, .. } => format!("resume[{index}].interruptId"),
        }
    }

    /// Returns the stable error code, for programs.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Role { .. } => "history_conflict",
            Self::Call { .. } => "call_not_open",
            Self::NotOpen { .. } => "interrupt_not_open",
        }
    }
}

impl CompletedInput {
    /// Leaves the interrupts open: the run refuses the resume entries before the agent is called.
    pub(crate) fn leave_open(&mut self, thread: &FoldedThread) {
        self.resumed_ids.clear();
        self.resumed = ResumedInterrupts::from_thread(thread, &[], true);
    }

    /// Puts the run's trace into RUN_STARTED.
    pub(crate) fn trace(&mut self, trace: &TraceContext) {
        if let Some(Event::RunStarted(started)) = self.opening.first_mut() {
            started.metadata = Some(trace.to_metadata());
        }
    }
}

/// Completes an input with the conversation and the state at `point`: the thread's end, or the end of the run that the input
/// branches from. `open` has the interrupts that are open at the thread's end, and `version` is what the client reads.
pub(crate) fn complete_input(
    mut input: RunAgentInput,
    version: ProtocolVersion,
    point: &FoldedThread,
    open: &FoldedThread,
) -> Result<CompletedInput, InputContradiction> {
    let is_resuming = !input.resume().is_empty();
    let resumed_ids = resumed_ids(&input, open)?;
    let resume = input.resume.as_deref().unwrap_or_default();
    let mut sent = std::mem::take(&mut input.messages);
    // The start of the run echoes them, and has nothing later than the version that it declares.
    for message in &mut sent {
        message.restrict(version);
        message.remove_lone_types();
    }
    let has_others_waiting = with_waiting(&mut sent, open, |id| is_known(point, id));
    let ContinuedConversation { messages, new, is_restated } =
        continued_conversation(sent, point.messages(), resume, |id| point.is_from_client(id))?;
    let is_restated = is_restated || has_others_waiting;
    let resumed = ResumedInterrupts::from_thread(open, &resumed_ids, is_resuming);
    remove_ignored(&mut input, &resumed_ids);
    let is_branch = point.seq != open.seq;
    // Clients of earlier versions read such a run unchanged, and share its bytes.
    let mut started = RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone())
        .with_protocol_version(version.as_str());
    started.parent_run_id.clone_from(&input.parent_run_id);
    if !new.is_empty() {
        let echo = RunAgentInput::new(input.thread_id.clone(), input.run_id.clone(), new);
        started.input = Some(Box::new(echo));
    }
    let mut opening = vec![started.into()];
    if is_restated || is_branch {
        opening.push(MessagesSnapshotEvent::new(messages.clone()).into());
    }
    let sent = sent_state(&input);
    // A client that sent none does not hold that of the thread, to which the run's deltas apply.
    let is_unknown = sent.is_none() && point.state().is_some();
    let state = sent.or_else(|| point.state().cloned());
    if is_unknown || state.as_ref() != open.state() {
        let changed = state.clone().unwrap_or_else(|| Value::Object(JsonObject::new()));
        opening.push(StateSnapshotEvent::new(changed).into());
    }
    input.state = state.and_then(NonNull::new);
    // Activities stay with clients, and are not part of an input.
    input.messages = messages.into_iter().filter(|message| !is_activity(message)).collect();
    Ok(CompletedInput { input, opening, resumed_ids, resumed, private: point.private().to_vec() })
}

fn is_known(point: &FoldedThread, id: &MessageId) -> bool {
    point.messages().iter().any(|message| message.id() == id)
}

/// Adds the user messages that no run has taken: behind the results that the client sends, before its own new messages. Returns
/// true if the client does not have all of them there.
fn with_waiting(
    sent: &mut Vec<Message>,
    thread: &FoldedThread,
    is_known: impl Fn(&MessageId) -> bool,
) -> bool {
    if thread.waiting().is_empty() {
        return false;
    }
    let before: Vec<_> = sent.iter().map(|message| message.id().clone()).collect();
    sent.retain(|message| !thread.has_waiting(message.id()));
    let belongs_before = |message: &Message| is_known(message.id()) || matches!(message, Message::Tool(_));
    let place = sent.iter().rposition(belongs_before).map_or(0, |last| last + 1);
    sent.splice(place..place, thread.waiting().iter().cloned().map(Message::from));
    !sent.iter().map(Message::id).eq(&before)
}

/// Returns the state that the client sent. AG-UI clients send an empty object if they have no state.
fn sent_state(input: &RunAgentInput) -> Option<Value> {
    let sent = input.state.clone().map(NonNull::into_value);
    sent.filter(|state| state.as_object().is_none_or(|members| !members.is_empty()))
}

/// Returns the interrupts that an input resumes. Cancelling an interrupt that is not open is ignored: a cancellation allows
/// nothing, and the client still holds the interrupt if the run that resumed the interrupt failed.
fn resumed_ids(input: &RunAgentInput, thread: &FoldedThread) -> Result<Vec<InterruptId>, InputContradiction> {
    let is_open = |id: &InterruptId| thread.open_interrupts().any(|asked| asked.id == *id);
    let mut resumed = Vec::new();
    for (index, entry) in input.resume().iter().enumerate() {
        let id = &entry.interrupt_id;
        if is_open(id) {
            resumed.push(id.clone());
        } else if entry.status == ResumeStatus::Resolved {
            return Err(InputContradiction::NotOpen { index, id: id.clone() });
        }
    }
    Ok(resumed)
}

/// Removes ignored resume entries: the agent must not act on them.
fn remove_ignored(input: &mut RunAgentInput, resumed_ids: &[InterruptId]) {
    let kept: Vec<_> =
        input.resume().iter().filter(|entry| resumed_ids.contains(&entry.interrupt_id)).cloned().collect();
    if kept.len() < input.resume().len() {
        tracing::warn!("cancelled interrupts are ignored, because they are not open");
        input.resume = (!kept.is_empty()).then(|| kept.into());
    }
}
