//! Checks the next event inside a run.

use super::{Invocation, Record, Run};
use crate::order::error::{Refusal, Verdict};
use crate::order::table::Opened;
use crate::order::{OrderRule, Owner};
use crate::protocol::{Effect, Event, ReasoningEncryptedValueSubtype, Scope, SubagentRunId};

impl Run {
    /// Checks that `event` may come next inside a run.
    pub(in crate::order) fn check(&self, event: &Event) -> Verdict {
        let tag = event.subagent_run_id();
        let effect = event.event_type().effect();
        match (effect, event.scope_id()) {
            (Effect::Within(scope), Some(id)) if tag.is_none() && self.recent.is(scope, id) => Ok(()),
            (Effect::Open(Scope::Step), Some(name)) => match self.step(tag, name) {
                Some(_) => Err(Refusal::new(OrderRule::StepDuplicateStart)),
                None => Ok(()),
            },
            (Effect::Close(Scope::Step), Some(name)) => match self.step(tag, name) {
                Some(_) => Ok(()),
                None => Err(self.step_of_another(name)),
            },
            (Effect::Open(Scope::Subagent), Some(id)) => self.announce(id, event.operands().parent),
            (Effect::Close(Scope::Subagent), Some(id)) => match self.subagents.get(id) {
                Some(Invocation { open: Some(_), .. }) => Ok(()),
                _ => Err(Refusal::new(OrderRule::SubagentNotActive)),
            },
            (Effect::Open(scope), Some(id)) => {
                let record = self.ledger(scope).and_then(|ledger| ledger.get(id));
                if record.is_some_and(|record| record.is_open(scope)) {
                    return Err(Refusal::new(opened_twice(scope)));
                }
                let carrier = self.carrier(event);
                if let (Some(tag), Some(carrier)) = (tag, carrier)
                    && carrier.subagent_run_id() != Some(tag)
                {
                    return Err(Refusal::new(OrderRule::ToolParentOwner).of(carrier));
                }
                agree(tag, record)?;
                match (record, carrier) {
                    (Some(record), Some(carrier)) if record.owner != *carrier => {
                        Err(Refusal::new(OrderRule::ToolReopenOwner).of(&record.owner))
                    }
                    _ => Ok(()),
                }
            }
            (Effect::Within(scope) | Effect::Close(scope), Some(id)) => {
                let record = self.ledger(scope).and_then(|ledger| ledger.get(id));
                match record {
                    Some(record) if record.is_open(scope) => agree(tag, Some(record)),
                    _ => Err(Refusal::new(not_open(scope, matches!(effect, Effect::Close(_))))),
                }
            }
            (Effect::After(scope), Some(id)) => {
                agree(tag, self.ledger(scope).and_then(|ledger| ledger.get(id)))
            }
            (Effect::Attach, Some(id)) => agree(tag, self.attached(event.operands().attached_to, id)),
            (Effect::FinishRun, _) => self.finish(),
            _ => Ok(()),
        }
    }

    fn announce(&self, id: &str, parent: Option<&str>) -> Verdict {
        let rule = match self.subagents.get(id) {
            Some(Invocation { open: Some(_), .. }) => OrderRule::SubagentActive,
            Some(_) => OrderRule::SubagentReused,
            None => match parent {
                Some(parent) if !self.subagents.contains_key(parent) => {
                    return Err(Refusal::new(OrderRule::SubagentParentUnknown).about(parent));
                }
                _ => return Ok(()),
            },
        };
        Err(Refusal::new(rule))
    }

    fn finish(&self) -> Verdict {
        const REPORTED: [(Scope, OrderRule); 6] = [
            (Scope::Step, OrderRule::FinishWithOpenSteps),
            (Scope::Text, OrderRule::FinishWithOpenText),
            (Scope::ReasoningMessage, OrderRule::FinishWithOpenReasoningMessages),
            (Scope::ReasoningSpan, OrderRule::FinishWithOpenReasoningSpans),
            (Scope::ToolCall, OrderRule::FinishWithOpenTools),
            (Scope::Subagent, OrderRule::FinishWithOpenSubagents),
        ];
        for (scope, rule) in REPORTED {
            let open = self.open(Some(scope));
            if !open.is_empty() {
                return Err(Refusal::new(rule).open(open));
            }
        }
        Ok(())
    }

    fn step(&self, tag: Option<&SubagentRunId>, name: &str) -> Option<&Opened> {
        self.steps.get(&Owner::from(tag)).and_then(|names| names.get(name))
    }

    /// Explains a finish for a step that is not open for its owner: another owner may have an open step under this name (the
    /// oldest is named), or none has.
    fn step_of_another(&self, name: &str) -> Box<Refusal> {
        let open = self.open(Some(Scope::Step));
        match open.iter().find(|span| &*span.id == name) {
            Some(span) => Refusal::new(OrderRule::StepOtherOwner).of(&span.owner),
            None => Refusal::new(OrderRule::StepFinishNotOpen),
        }
    }

    fn attached(&self, to: Option<ReasoningEncryptedValueSubtype>, id: &str) -> Option<&Record> {
        match to? {
            ReasoningEncryptedValueSubtype::ToolCall => self.calls.get(id),
            ReasoningEncryptedValueSubtype::Message => {
                self.messages.get(id).or_else(|| self.reasoning.get(id))
            }
        }
    }
}

/// An untagged event agrees with every owner, and every event agrees with a span that has no owner yet.
fn agree(tag: Option<&SubagentRunId>, record: Option<&Record>) -> Verdict {
    match (tag, record) {
        (Some(tag), Some(record)) if record.owner.subagent_run_id() != Some(tag) => {
            Err(Refusal::new(OrderRule::OwnerMismatch).of(&record.owner))
        }
        _ => Ok(()),
    }
}

fn opened_twice(scope: Scope) -> OrderRule {
    match scope {
        Scope::Text | Scope::Activity => OrderRule::TextDuplicateStart,
        Scope::ToolCall => OrderRule::ToolDuplicateStart,
        Scope::ReasoningSpan => OrderRule::ReasoningSpanDuplicate,
        Scope::ReasoningMessage => OrderRule::ReasoningMessageDuplicate,
        Scope::Step => OrderRule::StepDuplicateStart,
        Scope::Subagent => OrderRule::SubagentActive,
    }
}

fn not_open(scope: Scope, closing: bool) -> OrderRule {
    match (scope, closing) {
        (Scope::Text | Scope::Activity, false) => OrderRule::TextContentNotOpen,
        (Scope::Text | Scope::Activity, true) => OrderRule::TextEndNotOpen,
        (Scope::ToolCall, false) => OrderRule::ToolArgsNotOpen,
        (Scope::ToolCall, true) => OrderRule::ToolEndNotOpen,
        (Scope::ReasoningSpan, _) => OrderRule::ReasoningSpanNotOpen,
        (Scope::ReasoningMessage, _) => OrderRule::ReasoningMessageNotOpen,
        (Scope::Step, _) => OrderRule::StepFinishNotOpen,
        (Scope::Subagent, _) => OrderRule::SubagentNotActive,
    }
}
