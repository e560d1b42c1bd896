//! Activities: sent whole, then patched while the client still has the content.

use super::send::untagged;
use super::{RunKernel, RunSpan, SpanSlot, WriteFields};
use crate::protocol::{ActivityDeltaEvent, ActivitySnapshotEvent, Event, JsonObject, JsonPatch, MessageId};

impl RunKernel {
    pub(crate) fn open_activity(
        &mut self,
        by: SpanSlot,
        kind: std::borrow::Cow<'static, str>,
        content: JsonObject,
        id: Option<MessageId>,
        fields: WriteFields,
    ) -> SpanSlot {
        let id = self.message_id(id);
        let start =
            ActivitySnapshotEvent::new(id.clone(), kind.clone(), Box::new(content)).with_replace(true);
        self.open(by, RunSpan::Activity { id, kind, is_lost: false }, start.into(), fields)
    }

    /// Opens an activity from a foreign stream with that stream's content.
    pub(crate) fn open_foreign_activity(
        &mut self,
        by: SpanSlot,
        mut snapshot: ActivitySnapshotEvent,
        wanted: Option<MessageId>,
        fields: WriteFields,
    ) -> (SpanSlot, MessageId) {
        let id = self.message_id(wanted);
        snapshot.message_id = id.clone();
        let kind = snapshot.activity_type.clone().into();
        let span = RunSpan::Activity { id: id.clone(), kind, is_lost: false };
        (self.open(by, span, untagged(snapshot.into()), fields), id)
    }

    /// Forwards a foreign stream's activity event unchanged. Returns true if the client has the activity.
    pub(crate) fn forward_activity(&mut self, slot: SpanSlot, event: Event, fields: WriteFields) -> bool {
        match &event {
            Event::ActivityDelta(_) if self.is_lost(slot) => return false,
            Event::ActivityDelta(_) => {}
            _ => self.find_activity(slot),
        }
        self.send_within(slot, fields, |span| {
            matches!(span, RunSpan::Activity { .. }).then(|| untagged(event))
        });
        true
    }

    /// True if a restated conversation with activities followed, so that the client needs this activity whole again.
    fn is_lost(&self, slot: SpanSlot) -> bool {
        matches!(self.spans.get(&slot).map(|open| &open.span), Some(RunSpan::Activity { is_lost: true, .. }))
    }

    fn find_activity(&mut self, slot: SpanSlot) {
        if let Some(RunSpan::Activity { is_lost, .. }) = self.spans.get_mut(&slot).map(|open| &mut open.span)
        {
            *is_lost = false;
        }
    }

    pub(crate) fn restart_activity(&mut self, slot: SpanSlot, content: JsonObject, fields: WriteFields) {
        self.find_activity(slot);
        self.send_within(slot, fields, |span| match span {
            RunSpan::Activity { id, kind, .. } => Some(
                ActivitySnapshotEvent::new(id.clone(), kind.clone(), Box::new(content))
                    .with_replace(true)
                    .into(),
            ),
            _ => None,
        });
    }

    /// Sends a patch, or returns the fields if the client lacks the content to which the patch applies.
    pub(crate) fn change_activity(
        &mut self,
        slot: SpanSlot,
        patch: JsonPatch,
        fields: WriteFields,
    ) -> Result<(), WriteFields> {
        if self.is_lost(slot) {
            return Err(fields);
        }
        self.send_within(slot, fields, |span| match span {
            RunSpan::Activity { id, kind, .. } => {
                Some(ActivityDeltaEvent::new(id.clone(), kind.clone(), patch).into())
            }
            _ => None,
        });
        Ok(())
    }

    /// Marks all activities as lost: a client that gets a restated conversation may drop or replace activities.
    pub(super) fn lose_activities(&mut self) {
        for open in self.spans.values_mut() {
            if let RunSpan::Activity { is_lost, .. } = &mut open.span {
                *is_lost = true;
            }
        }
    }
}
