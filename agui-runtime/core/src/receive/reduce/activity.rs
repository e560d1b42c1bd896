//! Activities: created, replaced, patched.

use serde_json::Value;

use super::limits::is_too_much;
use super::message::merge;
use super::{CompletedSpan, ReduceWarning, Reducer, ReducerChange, ReducerUpdate, unreadable};
use crate::json::patch::{PatchError, patch_within};
use crate::protocol::{ActivityDeltaEvent, ActivityMessage, ActivitySnapshotEvent, EventType, Message};

impl Reducer {
    pub(super) fn snapshot_activity(&mut self, event: &ActivitySnapshotEvent) -> ReducerUpdate {
        let replace = event.replace.unwrap_or(true);
        match self.conversation.find(event.message_id.as_str()) {
            None => {
                let at = self.conversation.push(activity(event).into());
                ReducerUpdate::from(ReducerChange::Added { at }).completing(CompletedSpan::Message { at })
            }
            Some((at, Message::Activity(known))) => {
                if replace {
                    // The metadata stays; the new owner is the owner of the event.
                    known.activity_type.clone_from(&event.activity_type);
                    known.content = event.content.as_ref().clone().into();
                    known.subagent_run_id.clone_from(&event.subagent_run_id);
                }
                let merged = merge(&mut known.metadata, event.metadata.as_ref());
                ReducerUpdate::when(merged || replace, ReducerChange::Message { at })
            }
            Some((at, _)) if replace => {
                self.conversation.replace(at, activity(event).into());
                ReducerUpdate::from(ReducerChange::Message { at }).completing(CompletedSpan::Message { at })
            }
            Some((_, message)) => {
                let (id, role) = (event.message_id.clone(), message.role());
                ReduceWarning::OtherRole { event_type: EventType::ActivitySnapshot, id, role }.into()
            }
        }
    }

    pub(super) fn patch_activity(&mut self, event: &ActivityDeltaEvent) -> ReducerUpdate {
        let applied = self.try_patch_activity(event);
        match &applied.warning {
            Some(ReduceWarning::ActivityPatch { error, .. }) if is_too_much(error) && self.make_room() => {
                self.try_patch_activity(event)
            }
            _ => applied,
        }
    }

    fn try_patch_activity(&mut self, event: &ActivityDeltaEvent) -> ReducerUpdate {
        let (event_type, id) = (EventType::ActivityDelta, &event.message_id);
        let (at, known) = match self.conversation.find(id.as_str()) {
            None => return ReduceWarning::NoMessage { event_type, id: id.clone() }.into(),
            Some((at, Message::Activity(known))) => (at, known),
            Some((_, message)) => {
                return ReduceWarning::OtherRole { event_type, id: id.clone(), role: message.role() }.into();
            }
        };
        // The metadata of the event counts even if the patch does not apply.
        let merged = merge(&mut known.metadata, event.metadata.as_ref());
        let operations = match event.patch.operations() {
            Ok(operations) => operations,
            Err(cause) => return unreadable(event_type, &cause),
        };
        let unchanged = |warning: ReduceWarning| {
            ReducerUpdate::when(merged, ReducerChange::Message { at }).warning(warning)
        };
        let mut content = Value::Object(std::mem::take(&mut *known.content));
        // Only a patch of the whole content can change its type, so only such a patch needs a copy for
        // rollback.
        let whole = operations.iter().any(|operation| operation.path().as_str().is_empty());
        self.steps.begin_patch();
        let kept = if whole { self.steps.take_for(&content) } else { Ok(()) };
        let before = (whole && kept.is_ok()).then(|| content.clone());
        let patched = match kept {
            Ok(()) => patch_within(&mut content, &operations, &mut self.copies, &mut self.steps),
            Err(fault) => Err(PatchError { op: 0, path: String::new(), fault }),
        };
        match (content, patched) {
            (Value::Object(content), Ok(())) => {
                known.content = content.into();
                known.activity_type.clone_from(&event.activity_type);
                ReducerChange::Message { at }.into()
            }
            (content, patched) => {
                if let Value::Object(content) = before.unwrap_or(content) {
                    known.content = content.into();
                }
                unchanged(match patched {
                    Err(error) => ReduceWarning::ActivityPatch { id: id.clone(), error },
                    Ok(()) => ReduceWarning::ActivityNotAnObject { id: id.clone() },
                })
            }
        }
    }
}

fn activity(event: &ActivitySnapshotEvent) -> ActivityMessage {
    let content = event.content.as_ref().clone();
    let mut message = ActivityMessage::new(&event.message_id, event.activity_type.as_str(), content);
    message.subagent_run_id.clone_from(&event.subagent_run_id);
    message.metadata.clone_from(&event.metadata);
    message
}
