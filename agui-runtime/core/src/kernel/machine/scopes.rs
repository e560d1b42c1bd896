//! Authors: subagents with their own tag, and scopes that only end together.

use super::{RunKernel, RunSpan, SpanSlot, WriteFields};
use crate::protocol::{
    Event, InterruptId, NonNull, SubagentErrorEvent, SubagentFinishedEvent, SubagentFinishedOutcome,
    SubagentFinishedSuccessOutcome, SubagentFinishedSuspendedOutcome, SubagentRunId, SubagentStartedEvent,
};

/// How a subagent ends.
#[derive(Clone, Debug)]
pub(crate) enum SubagentEnd {
    Success { result: Option<NonNull> },
    Suspended { interrupts: Vec<InterruptId> },
    Failed { message: String, code: Option<String> },
}

impl RunKernel {
    /// Announces a subagent and returns its id: the wanted id if no other subagent in the run has the same. The parent is the one
    /// in `started`, else the subagent at `by`. A message or call is named only if the client knows it.
    pub(crate) fn open_subagent(
        &mut self,
        by: SpanSlot,
        mut started: SubagentStartedEvent,
        wanted: Option<SubagentRunId>,
        fields: WriteFields,
    ) -> (SpanSlot, SubagentRunId) {
        let id = match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_subagent(),
        };
        let slot = self.next_slot();
        if self.author(by).is_some() {
            started.subagent_run_id = id.clone();
            // A forwarded subagent stands beside its parent, because the parent may end first.
            started.parent_subagent_run_id =
                started.parent_subagent_run_id.or_else(|| self.announced_subagent(by));
            started.parent_message_id =
                started.parent_message_id.filter(|message| self.conversation.has_text(message));
            started.parent_tool_call_id =
                started.parent_tool_call_id.filter(|call| self.conversation.has_call(call));
            self.put(started.into(), None, fields);
            self.enclose(by, slot, RunSpan::Subagent { id: id.clone() }, Some(id.clone()));
        }
        (slot, id)
    }

    /// Returns the nearest enclosing subagent that was announced: no other can be named as a parent.
    fn announced_subagent(&self, by: SpanSlot) -> Option<SubagentRunId> {
        let mut open = self.spans.get(&by)?;
        loop {
            if let RunSpan::Subagent { id } = &open.span {
                return Some(id.clone());
            }
            open = self.spans.get(&open.parent)?;
        }
    }

    /// Ends a subagent after closing all spans inside. Does nothing for a subagent that has ended.
    pub(crate) fn end_subagent(&mut self, slot: SpanSlot, end: SubagentEnd, fields: WriteFields) {
        if !matches!(self.spans.get(&slot).map(|open| &open.span), Some(RunSpan::Subagent { .. })) {
            return;
        }
        let Some(RunSpan::Subagent { id }) = self.take(slot).map(|open| open.span) else { return };
        let event: Event = match end {
            SubagentEnd::Success { result } => {
                let mut finished = SubagentFinishedEvent::new(id)
                    .with_outcome(SubagentFinishedOutcome::Success(SubagentFinishedSuccessOutcome::new()));
                finished.result = result;
                finished.into()
            }
            SubagentEnd::Suspended { interrupts } => {
                let mut suspended = SubagentFinishedSuspendedOutcome::new();
                suspended.interrupt_ids = (!interrupts.is_empty()).then_some(interrupts);
                SubagentFinishedEvent::new(id)
                    .with_outcome(SubagentFinishedOutcome::Suspended(suspended))
                    .into()
            }
            SubagentEnd::Failed { message, code } => {
                let mut error = SubagentErrorEvent::new(id, message);
                error.code = code;
                error.into()
            }
        };
        self.put(event, None, fields);
    }

    /// Ends a cancelled or panicked subagent without an outcome.
    pub(super) fn lose_subagent(&mut self, id: SubagentRunId, fields: WriteFields) {
        let error = SubagentErrorEvent::new(id, "the subagent was stopped").with_code("abandoned");
        self.put(error.into(), None, fields);
    }

    /// Opens a run part that ends as one. A scope writes no event, but its open spans close together and later writes inside are
    /// discarded. Without an explicit tag, the opening author's tag applies.
    pub(crate) fn open_scope(&mut self, by: SpanSlot, tag: Option<SubagentRunId>) -> SpanSlot {
        let slot = self.next_slot();
        if let Some(own) = self.author(by) {
            self.enclose(by, slot, RunSpan::Scope, tag.or(own));
        }
        slot
    }

    fn new_subagent(&mut self) -> SubagentRunId {
        loop {
            let id = self.ids.subagent();
            if !self.taken.contains(id.as_str()) {
                return id;
            }
        }
    }

    /// Takes an id for an author that uses a tag without being announced.
    pub(crate) fn foreign_tag(&mut self, wanted: SubagentRunId) -> SubagentRunId {
        if self.claim(wanted.as_str()) { wanted } else { self.new_subagent() }
    }
}
