//! The open spans: opening, events within, and closing with everything that a span encloses.

use super::super::fields::WriteFields;
use super::super::span::{RunSpan, SpanSlot};
use super::{RunKernel, SpanEntry};
use crate::protocol::{Event, SubagentRunId};

impl RunKernel {
    pub(super) fn open(
        &mut self,
        by: SpanSlot,
        span: RunSpan,
        mut start: Event,
        fields: WriteFields,
    ) -> SpanSlot {
        let slot = self.next_slot();
        if let Some(tag) = self.author(by) {
            self.conversation.learn_span(&span, tag.as_ref());
            self.conversation.fit(&mut start);
            let tag = span.id().map_or_else(|| tag.clone(), |id| self.agreed_tag(id, tag.clone()));
            self.put(start, tag.clone(), fields);
            self.enclose(by, slot, span, tag);
        }
        slot
    }

    /// Returns the tag for a span that continues under an old id: none if the restated conversation attributes the id to another
    /// author, because the client keeps that author.
    #[inline]
    pub(super) fn agreed_tag(&self, id: &str, tag: Option<SubagentRunId>) -> Option<SubagentRunId> {
        if self.conversation.is_by(id, &tag) { tag } else { None }
    }

    pub(super) fn enclose(
        &mut self,
        by: SpanSlot,
        slot: SpanSlot,
        span: RunSpan,
        tag: Option<SubagentRunId>,
    ) {
        if let Some(parent) = self.spans.get_mut(&by) {
            parent.children += 1;
        }
        self.spans.insert(slot, Box::new(SpanEntry { span, parent: by, tag, children: 0 }));
    }

    /// Sends an event inside an open span, if the span kind has such events.
    #[inline]
    pub(super) fn send_within(
        &mut self,
        slot: SpanSlot,
        fields: WriteFields,
        event: impl FnOnce(&RunSpan) -> Option<Event>,
    ) {
        if let Some(open) = self.spans.get(&slot)
            && let Some(event) = event(&open.span)
        {
            let tag =
                open.span.id().map_or_else(|| open.tag.clone(), |id| self.agreed_tag(id, open.tag.clone()));
            self.put(event, tag, fields);
        }
    }

    /// Returns what a client would miss if this span closed too early, if anything.
    pub(crate) fn cut_short(&self, slot: SpanSlot) -> Option<&'static str> {
        match self.spans.get(&slot)?.span {
            RunSpan::Text { .. } => Some("text message"),
            RunSpan::Arguments { .. } | RunSpan::Unsettled { .. } => Some("tool call"),
            _ => None,
        }
    }

    /// Removes a span after closing all enclosed spans.
    pub(super) fn take(&mut self, slot: SpanSlot) -> Option<SpanEntry> {
        if self.spans.get(&slot)?.children > 0 {
            self.close_all_in(slot);
        }
        let open = *self.spans.remove(&slot)?;
        if matches!(open.span, RunSpan::Subagent { .. }) {
            self.agent_paths.remove(&slot);
        }
        self.closed = true;
        if let Some(parent) = self.spans.get_mut(&open.parent) {
            parent.children -= 1;
        }
        Some(open)
    }

    pub(super) fn close_all_in(&mut self, outer: SpanSlot) {
        let inner: Vec<SpanSlot> = self
            .spans
            .range(outer + 1..)
            .rev()
            .filter(|(_, open)| open.parent == outer)
            .map(|(&slot, _)| slot)
            .collect();
        for slot in inner {
            self.close(slot, None);
        }
    }

    /// Ends a span as its kind requires, like a guard's `Drop`. The fields go on the last event.
    pub(crate) fn close(&mut self, slot: SpanSlot, fields: WriteFields) {
        let Some(SpanEntry { span, tag, .. }) = self.take(slot) else { return };
        match span {
            RunSpan::Text { .. }
            | RunSpan::Reasoning { .. }
            | RunSpan::ReasoningMessage { .. }
            | RunSpan::Step { .. } => {
                self.close_plain(span, tag, fields);
            }
            RunSpan::Arguments { .. } | RunSpan::Unsettled { .. } => self.abandon(span, tag, fields),
            RunSpan::Subagent { id } => self.lose_subagent(id, fields),
            RunSpan::Activity { .. } | RunSpan::Scope => {}
        }
    }
}
