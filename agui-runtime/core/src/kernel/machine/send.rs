//! From an event to the queue: tag, fields, and the peer's form.

use super::super::fields::WriteFields;
use super::super::span::SpanSlot;
use super::RunKernel;
use crate::protocol::{Event, ReasoningEncryptedValueEvent, SubagentRunId};

impl RunKernel {
    /// Sends an event that belongs to no span.
    pub(crate) fn send(&mut self, by: SpanSlot, event: impl Into<Event>, fields: WriteFields) {
        if let Some(tag) = self.author(by) {
            self.put(untagged(event.into()), tag, fields);
        }
    }

    /// Sends an event without a tag: one that refers to something that another author may have sent.
    pub(crate) fn send_untagged(&mut self, by: SpanSlot, event: impl Into<Event>, fields: WriteFields) {
        if self.author(by).is_some() {
            self.put(untagged(event.into()), None, fields);
        }
    }

    /// Sends a value that only the model provider reads, unless the client does not know the value's entity. Untagged, because the
    /// entity may belong to another author.
    pub(crate) fn encrypt(&mut self, by: SpanSlot, value: ReasoningEncryptedValueEvent, fields: WriteFields) {
        if self.conversation.has_entity(&value) {
            self.send_untagged(by, value, fields);
        }
    }

    /// Sends an event that carries no tag yet. Most events are sent unchanged.
    #[inline]
    pub(super) fn put(&mut self, event: Event, tag: Option<SubagentRunId>, fields: WriteFields) {
        self.said += 1;
        self.queue.push_back(event);
        if !self.is_plain || tag.is_some() || fields.is_some() {
            self.complete_last(tag, fields);
        }
    }

    // The event is completed in place at the end of the queue, because moving an event is expensive.
    pub(super) fn complete_last(&mut self, tag: Option<SubagentRunId>, fields: WriteFields) {
        let Some(event) = self.queue.back_mut() else { return };
        if let Some(place) = event.subagent_run_id_mut() {
            *place = tag;
        }
        if let Some(now) = self.clock.tick() {
            *event.timestamp_mut() = Some(now);
        }
        if let Some(fields) = fields {
            fields.write(event);
        }
        if self.peer.admit(event, &mut self.lost) {
            self.state.note(event);
        } else {
            self.queue.pop_back();
        }
    }
}

/// Returns a foreign event without a tag, because the kernel decides the tag.
pub(super) fn untagged(mut event: Event) -> Event {
    if let Some(place) = event.subagent_run_id_mut() {
        *place = None;
    }
    event
}
