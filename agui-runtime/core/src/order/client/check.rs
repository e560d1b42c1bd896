//! Checks the next event inside a run.

use super::{ClientRunState, OwnedSpan, SubagentInvocation};
use crate::order::error::{OrderRefusal, OrderVerdict};
use crate::order::table::OpeningTime;
use crate::order::{OrderRule, SpanOwner};
use crate::protocol::{Event, EventEffect, ReasoningEncryptedValueSubtype, SpanKind, SubagentRunId};

impl ClientRunState {
    /// Checks that `event` may come next inside a run.
    pub(in crate::order) fn check(&self, event: &Event) -> OrderVerdict {
        let tag = event.subagent_run_id();
        let effect = event.event_type().effect();
        match (effect, event.scope_id()) {
            (EventEffect::Within(scope), Some(id)) if tag.is_none() && self.recent.is(scope, id) => Ok(()),
            (EventEffect::Open(SpanKind::Step), Some(name)) => match self.step(tag, name) {
                Some(_) => Err(OrderRefusal::new(OrderRule::StepDuplicateStart)),
                None => Ok(()),
            },
            (EventEffect::Close(SpanKind::Step), Some(name)) => match self.step(tag, name) {
                Some(_) => Ok(()),
                None => Err(self.step_of_another(name)),
            },
            (EventEffect::Open(SpanKind::Subagent), Some(id)) => self.announce(id, event.operands().parent),
            (EventEffect::Close(SpanKind::Subagent), Some(id)) => match self.subagents.get(id) {
                Some(SubagentInvocation { open: Some(_), .. }) => Ok(()),
                _ => Err(OrderRefusal::new(OrderRule::SubagentNotActive)),
            },
            (EventEffect::Open(scope), Some(id)) => {
                let record = self.ledger(scope).and_then(|ledger| ledger.get(id));
                if record.is_some_and(|record| record.is_open(scope)) {
                    return Err(OrderRefusal::new(opened_twice(scope)));
                }
                let carrier = self.carrier(event);
                if let (Some(tag), Some(carrier)) = (tag, carrier)
                    && carrier.subagent_run_id() != Some(tag)
                {
                    return Err(OrderRefusal::new(OrderRule::ToolParentOwner).expected_owner(carrier));
                }
                agree(tag, record)?;
                match (record, carrier) {
                    (Some(record), Some(carrier)) if record.owner != *carrier => {
                        Err(OrderRefusal::new(OrderRule::ToolReopenOwner).expected_owner(&record.owner))
                    }
                    _ => Ok(()),
                }
            }
            (EventEffect::Within(scope) | EventEffect::Close(scope), Some(id)) => {
                let record = self.ledger(scope).and_then(|ledger| ledger.get(id));
                match record {
                    Some(record) if record.is_open(scope) => agree(tag, Some(record)),
                    _ => Err(OrderRefusal::new(not_open(scope, matches!(effect, EventEffect::Close(_))))),
                }
            }
            (EventEffect::After(scope), Some(id)) => {
                agree(tag, self.ledger(scope).and_then(|ledger| ledger.get(id)))
            }
            (EventEffect::Attach, Some(id)) => agree(tag, self.attached(event.operands().attached_to, id)),
            (EventEffect::FinishRun, _) => self.finish(),
            _ => Ok(()),
        }
    }

    fn announce(&self, id: &str, parent: Option<&str>) -> OrderVerdict {
        let rule = match self.subagents.get(id) {
            Some(SubagentInvocation { open: Some(_), .. }) => OrderRule::SubagentActive,
            Some(_) => OrderRule::SubagentReused,
            None => match parent {
                Some(parent) if !self.subagents.contains_key(parent) => {
                    return Err(OrderRefusal::new(OrderRule::SubagentParentUnknown).about(parent));
                }
                _ => return Ok(()),
            },
        };
        Err(OrderRefusal::new(rule))
    }

    fn finish(&self) -> OrderVerdict {
        const REPORTED: [(SpanKind, OrderRule); 6] = [
            (SpanKind::Step, OrderRule::FinishWithOpenSteps),
            (SpanKind::Text, OrderRule::FinishWithOpenText),
            (SpanKind::ReasoningMessage, OrderRule::FinishWithOpenReasoningMessages),
            (SpanKind::ReasoningSpan, OrderRule::FinishWithOpenReasoningSpans),
            (SpanKind::ToolCall, OrderRule::FinishWithOpenTools),
            (SpanKind::Subagent, OrderRule::FinishWithOpenSubagents),
        ];
        for (scope, rule) in REPORTED {
            let open = self.open(Some(scope));
            if !open.is_empty() {
                return Err(OrderRefusal::new(rule).open(open));
            }
        }
        Ok(())
    }

    fn step(&self, tag: Option<&SubagentRunId>, name: &str) -> Option<&OpeningTime> {
        self.steps.get(&SpanOwner::from(tag)).and_then(|names| names.get(name))
    }

    /// Explains a finish for a step that is not open for its owner: another owner may have an open step under this name (the
    /// oldest is named), or none has.
    fn step_of_another(&self, name: &str) -> Box<OrderRefusal> {
        let open = self.open(Some(SpanKind::Step));
        match open.iter().find(|span| &*span.id == name) {
            Some(span) => OrderRefusal::new(OrderRule::StepOtherOwner).expected_owner(&span.owner),
            None => OrderRefusal::new(OrderRule::StepFinishNotOpen),
        }
    }

    fn attached(&self, to: Option<ReasoningEncryptedValueSubtype>, id: &str) -> Option<&OwnedSpan> {
        match to? {
            ReasoningEncryptedValueSubtype::ToolCall => self.calls.get(id),
            ReasoningEncryptedValueSubtype::Message => {
                self.messages.get(id).or_else(|| self.reasoning.get(id))
            }
        }
    }
}

/// An untagged event agrees with every owner, and every event agrees with a span that has no owner yet.
fn agree(tag: Option<&SubagentRunId>, record: Option<&OwnedSpan>) -> OrderVerdict {
    match (tag, record) {
        (Some(tag), Some(record)) if record.owner.subagent_run_id() != Some(tag) => {
            Err(OrderRefusal::new(OrderRule::OwnerMismatch).expected_owner(&record.owner))
        }
        _ => Ok(()),
    }
}

fn opened_twice(scope: SpanKind) -> OrderRule {
    match scope {
        SpanKind::Text | SpanKind::Activity => OrderRule::TextDuplicateStart,
        SpanKind::ToolCall => OrderRule::ToolDuplicateStart,
        SpanKind::ReasoningSpan => OrderRule::ReasoningSpanDuplicate,
        SpanKind::ReasoningMessage => OrderRule::ReasoningMessageDuplicate,
        SpanKind::Step => OrderRule::StepDuplicateStart,
        SpanKind::Subagent => OrderRule::SubagentActive,
    }
}

fn not_open(scope: SpanKind, closing: bool) -> OrderRule {
    match (scope, closing) {
        (SpanKind::Text | SpanKind::Activity, false) => OrderRule::TextContentNotOpen,
        (SpanKind::Text | SpanKind::Activity, true) => OrderRule::TextEndNotOpen,
        (SpanKind::ToolCall, false) => OrderRule::ToolArgsNotOpen,
        (SpanKind::ToolCall, true) => OrderRule::ToolEndNotOpen,
        (SpanKind::ReasoningSpan, _) => OrderRule::ReasoningSpanNotOpen,
        (SpanKind::ReasoningMessage, _) => OrderRule::ReasoningMessageNotOpen,
        (SpanKind::Step, _) => OrderRule::StepFinishNotOpen,
        (SpanKind::Subagent, _) => OrderRule::SubagentNotActive,
    }
}
