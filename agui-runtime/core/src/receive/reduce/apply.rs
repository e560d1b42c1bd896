//! Dispatches an event to its effect, and applies effects on the state.

use super::limits::is_too_much;
use super::run::{ReducedRun, RunOutcome};
use super::{ReduceWarning, Reducer, ReducerChange, ReducerUpdate};
use crate::json::patch::{StepLimit, patch_within};
use crate::protocol::{Event, EventType, RunFinishedOutcome, StateDeltaEvent, StateSnapshotEvent};

/// The error for a chunk, which must be expanded before it is applied: see [`ChunkExpander`](crate::receive::chunks::ChunkExpander).
///
/// ```
/// use agui_runtime::protocol::TextMessageChunkEvent;
/// use agui_runtime::receive::reduce::Reducer;
///
/// let chunk = TextMessageChunkEvent::new().with_message_id("m").with_delta("Hi");
/// let error = Reducer::new().apply(&chunk.into()).unwrap_err();
/// assert_eq!(error.to_string(), "TEXT_MESSAGE_CHUNK must be expanded before it is applied");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{event_type} must be expanded before it is applied")]
pub struct NotExpanded {
    /// The kind of chunk.
    pub event_type: EventType,
}

impl Reducer {
    /// Applies the next event, and returns the changes.
    ///
    /// # Errors
    /// [`NotExpanded`] for a chunk, which changes nothing.
    pub fn apply(&mut self, event: &Event) -> Result<ReducerUpdate, NotExpanded> {
        let event_type = event.event_type();
        Ok(match event {
            Event::TextMessageStart(event) => self.start_text(event),
            Event::TextMessageContent(event) => {
                self.add_text(event_type, &event.message_id, &event.delta, event.metadata.as_ref())
            }
            Event::TextMessageEnd(event) => {
                self.end_text(event_type, &event.message_id, event.metadata.as_ref())
            }
            Event::ReasoningMessageStart(event) => self.start_reasoning(event),
            Event::ReasoningMessageContent(event) => {
                self.add_text(event_type, &event.message_id, &event.delta, event.metadata.as_ref())
            }
            Event::ReasoningMessageEnd(event) => {
                self.end_text(event_type, &event.message_id, event.metadata.as_ref())
            }
            Event::ReasoningEncryptedValue(event) => self.encrypt(event),
            Event::ToolCallStart(event) => self.start_call(event),
            Event::ToolCallArgs(event) => self.add_arguments(event),
            Event::ToolCallEnd(event) => self.end_call(event),
            Event::ToolCallResult(event) => self.add_call_result(event),
            Event::StateSnapshot(event) => self.snapshot_state(event),
            Event::StateDelta(event) => self.patch_state(event),
            Event::MessagesSnapshot(event) => self.restate(event),
            Event::ActivitySnapshot(event) => self.snapshot_activity(event),
            Event::ActivityDelta(event) => self.patch_activity(event),
            Event::RunStarted(event) => {
                self.forget_calls();
                self.steps = StepLimit::up_to(self.steps.limit());
                self.run = Some(ReducedRun::new(event));
                self.add_echoed(event)
            }
            Event::RunFinished(event) => {
                self.pending = match &event.outcome {
                    Some(RunFinishedOutcome::Interrupt(outcome)) => outcome.interrupts.to_vec(),
                    _ => Vec::new(),
                };
                let end = self.tally.end(event);
                self.run
                    .get_or_insert_with(|| ReducedRun::from_ids(&event.thread_id, &event.run_id))
                    .finish(end);
                ReducerUpdate::nothing()
            }
            Event::RunError(event) => {
                if let Some(open) = event.restated_interrupts() {
                    self.pending = open;
                }
                if let Some(run) = &mut self.run {
                    run.finish(RunOutcome::Failed {
                        message: event.message.clone(),
                        code: event.code.clone(),
                    });
                }
                ReducerUpdate::nothing()
            }
            Event::StepStarted(_)
            | Event::StepFinished(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningEnd(_)
            | Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::SubagentError(_)
            | Event::Raw(_)
            | Event::Custom(_) => ReducerUpdate::nothing(),
            Event::TextMessageChunk(_) | Event::ToolCallChunk(_) | Event::ReasoningMessageChunk(_) => {
                return Err(NotExpanded { event_type });
            }
        })
    }

    fn snapshot_state(&mut self, event: &StateSnapshotEvent) -> ReducerUpdate {
        match event.snapshot.value() {
            Ok(snapshot) => {
                self.state = snapshot.into_owned();
                ReducerChange::State.into()
            }
            Err(cause) => unreadable(EventType::StateSnapshot, &cause),
        }
    }

    fn patch_state(&mut self, event: &StateDeltaEvent) -> ReducerUpdate {
        let operations = match event.delta.operations() {
            Ok(operations) => operations,
            Err(cause) => return unreadable(EventType::StateDelta, &cause),
        };
        let mut patched = patch_within(&mut self.state, &operations, &mut self.copies, &mut self.steps);
        if patched.as_ref().is_err_and(is_too_much) && self.make_room() {
            patched = patch_within(&mut self.state, &operations, &mut self.copies, &mut self.steps);
        }
        match patched {
            Ok(()) => ReducerChange::StatePatched.into(),
            Err(error) => ReduceWarning::StatePatch(error).into(),
        }
    }
}

pub(super) fn unreadable(event_type: EventType, cause: &serde_json::Error) -> ReducerUpdate {
    ReduceWarning::Unreadable { event_type, reason: cause.to_string() }.into()
}
