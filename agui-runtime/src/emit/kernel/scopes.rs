//! Authors: subagents with their own tag, and scopes that only end together.

use super::{Fields, Kernel, Slot, Span};
use crate::protocol::{
    Event, InterruptId, NonNull, SubagentErrorEvent, SubagentFinishedEvent, SubagentFinishedOutcome,
    SubagentFinishedSuccessOutcome, SubagentFinishedSuspendedOutcome, SubagentRunId, SubagentStartedEvent,
};

/// How a subagent ended.
#[derive(Clone, Debug)]
pub(crate) enum SubagentEnd {
    Success { result: Option<NonNull> },
    Suspended { interrupts: Vec<InterruptId> },
    Failed { message: String, code: Option<String> },
}

impl Kernel {
    /// Announces a subagent. The id it asks for is its own if no other subagent of the run has it; the one it got comes
    /// back. The parent is the one it names, else the subagent it is started in. A message or a call is named only if the
    /// client was told of it.
    pub(crate) fn open_subagent(
        &mut self,
        by: Slot,
        mut started: SubagentStartedEvent,
        wanted: Option<SubagentRunId>,
        fields: Fields,
    ) -> (Slot, SubagentRunId) {
        let id = match wanted {
            Some(id) if self.claim(id.as_str()) => id,
            _ => self.new_subagent(),
        };
        let slot = self.next_slot();
        if self.author(by).is_some() {
            started.subagent_run_id = id.clone();
            // Whoever forwards has the parent beside it, for that may end first.
            started.parent_subagent_run_id = started.parent_subagent_run_id.or_else(|| self.announced(by));
            started.parent_message_id =
                started.parent_message_id.filter(|message| self.conversation.has_text(message));
            started.parent_tool_call_id =
                started.parent_tool_call_id.filter(|call| self.conversation.has_call(call));
            self.put(started.into(), None, fields);
            self.enclose(by, slot, Span::Subagent { id: id.clone() }, Some(id.clone()));
        }
        (slot, id)
    }

    /// The nearest subagent around it that was announced: others cannot be named as a parent.
    fn announced(&self, by: Slot) -> Option<SubagentRunId> {
        let mut open = self.spans.get(&by)?;
        loop {
            if let Span::Subagent { id } = &open.span {
                return Some(id.clone());
            }
            open = self.spans.get(&open.parent)?;
        }
    }

    /// Ends a subagent, and before it what is open in it. Once: a subagent that has ended is left alone.
    pub(crate) fn end_subagent(&mut self, slot: Slot, end: SubagentEnd, fields: Fields) {
        if !matches!(self.spans.get(&slot).map(|open| &open.span), Some(Span::Subagent { .. })) {
            return;
        }
        let Some(Span::Subagent { id }) = self.take(slot).map(|open| open.span) else { return };
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

    /// A subagent that ends without saying how: it was cancelled, or it panicked.
    pub(super) fn lose_subagent(&mut self, id: SubagentRunId, fields: Fields) {
        let error = SubagentErrorEvent::new(id, "the subagent was stopped").with_code("abandoned");
        self.put(error.into(), None, fields);
    }

    /// A part of the run that ends as one: nothing on the wire, but what is open in it closes with it and what is said
    /// in it later is not heard. The tag is that of who opens it, unless another is given.
    pub(crate) fn open_scope(&mut self, by: Slot, tag: Option<SubagentRunId>) -> Slot {
        let slot = self.next_slot();
        if let Some(own) = self.author(by) {
            self.enclose(by, slot, Span::Scope, tag.or(own));
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

    /// Takes an id for somebody who speaks under a tag without being announced.
    pub(crate) fn foreign_tag(&mut self, wanted: SubagentRunId) -> SubagentRunId {
        if self.claim(wanted.as_str()) { wanted } else { self.new_subagent() }
    }
}
