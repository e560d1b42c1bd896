//! The rules of the official client 1.0.0: what is open, and whose everything is.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::error::{Refusal, Verdict};
use super::table::{ById, Opened, Table};
use super::{OpenSpan, OrderRule, Owner};
use crate::protocol::{Effect, Event, Message, ReasoningEncryptedValueSubtype, Scope, SubagentRunId};

/// What has happened in the current run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Run {
    messages: ById<Record>,
    calls: ById<Record>,
    reasoning: ById<Record>,
    activities: ById<Record>,
    steps: Table<Owner, ById<Opened>>,
    subagents: ById<Invocation>,
}

/// Something with an owner, which it keeps when it is closed. Reasoning spans and reasoning messages share their ids'
/// owners, but are opened and closed apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Record {
    owner: Owner,
    open: Option<Opened>,
    span: Option<Opened>,
}

/// An announced subagent: active while it is open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Invocation {
    parent: Owner,
    open: Option<Opened>,
}

impl Run {
    /// Whether `event` may come next in a run that goes on.
    pub(super) fn check(&self, event: &Event) -> Verdict {
        let tag = event.subagent_run_id();
        let effect = event.event_type().effect();
        match (effect, event.scope_id()) {
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
                if let (Some(tag), Some(carrier)) = (tag, carrier) {
                    if carrier.subagent_run_id() != Some(tag) {
                        return Err(Refusal::new(OrderRule::ToolParentOwner).of(carrier));
                    }
                }
                agree(tag, record)?;
                match (record, carrier) {
                    (Some(record), Some(carrier)) if tag.is_none() && record.owner != *carrier => {
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

    /// Takes in an event that was checked.
    pub(super) fn apply(&mut self, event: &Event, now: Opened) {
        let tag = event.subagent_run_id();
        match event.event_type().effect() {
            Effect::Open(Scope::Step) => {
                if let Some(name) = event.shared_scope_id() {
                    self.steps.entry(tag.into()).or_default().insert(name, now);
                }
            }
            Effect::Close(Scope::Step) => {
                let owner = Owner::from(tag);
                if let (Some(name), Some(names)) = (event.scope_id(), self.steps.get_mut(&owner)) {
                    names.remove(name);
                    if names.is_empty() {
                        self.steps.remove(&owner);
                    }
                }
            }
            Effect::Open(Scope::Subagent) => {
                let parent = event.operands().parent.map(SubagentRunId::from);
                let invocation = Invocation { parent: parent.as_ref().into(), open: Some(now) };
                if let Some(id) = event.shared_scope_id() {
                    self.subagents.insert(id, invocation);
                }
            }
            Effect::Close(Scope::Subagent) => {
                let invocation = event.scope_id().and_then(|id| self.subagents.get_mut(id));
                if let Some(invocation) = invocation {
                    invocation.open = None;
                }
            }
            Effect::Open(scope) => {
                let owner = match (tag, self.carrier(event)) {
                    (None, Some(carrier)) => carrier.clone(),
                    _ => tag.into(),
                };
                if let (Some(id), Some(ledger)) = (event.shared_scope_id(), self.ledger_mut(scope)) {
                    let record = ledger.entry(id).or_insert_with(|| Record { owner, ..Record::default() });
                    *record.opening(scope) = Some(now);
                }
            }
            Effect::Close(scope) => {
                let record =
                    event.scope_id().zip(self.ledger_mut(scope)).and_then(|(id, ledger)| ledger.get_mut(id));
                if let Some(record) = record {
                    *record.opening(scope) = None;
                }
            }
            Effect::Create(scope) => {
                let replaces = event.operands().replace != Some(false);
                if let (Some(id), Some(ledger)) = (event.shared_scope_id(), self.ledger_mut(scope)) {
                    own(ledger, id, tag, replaces);
                }
            }
            Effect::Answer(_) => {
                if let Some(message) = event.operands().message {
                    own(&mut self.messages, message.clone_shared(), tag, true);
                }
            }
            Effect::Restate => self.restate(event.operands().conversation, true),
            Effect::StartRun => self.restate(event.operands().conversation, false),
            _ => {}
        }
    }

    /// What is open in `scope`, or everything, in the order it was opened.
    pub(super) fn open(&self, scope: Option<Scope>) -> Vec<OpenSpan> {
        let mut open = Vec::new();
        let wanted = |candidate| scope.is_none_or(|scope| scope == candidate);
        for scope in [Scope::Text, Scope::ToolCall, Scope::ReasoningSpan, Scope::ReasoningMessage] {
            let ledger = self.ledger(scope).filter(|_| wanted(scope));
            for (id, record) in ledger.into_iter().flat_map(|ledger| ledger.iter()) {
                if let Some(Opened(at)) = record.opened(scope) {
                    open.push((at, OpenSpan { scope, id: id.clone(), owner: record.owner.clone() }));
                }
            }
        }
        if wanted(Scope::Step) {
            for (owner, names) in self.steps.iter() {
                for (name, Opened(at)) in names.iter() {
                    let span = OpenSpan { scope: Scope::Step, id: name.clone(), owner: owner.clone() };
                    open.push((*at, span));
                }
            }
        }
        if wanted(Scope::Subagent) {
            for (id, invocation) in self.subagents.iter() {
                if let Some(Opened(at)) = invocation.open {
                    let owner = invocation.parent.clone();
                    open.push((at, OpenSpan { scope: Scope::Subagent, id: id.clone(), owner }));
                }
            }
        }
        open.sort_by_key(|(at, _)| *at);
        open.into_iter().map(|(_, span)| span).collect()
    }

    /// The owner of the message that carries what `event` opens, if it names one that is known.
    fn carrier(&self, event: &Event) -> Option<&Owner> {
        event.operands().parent.and_then(|parent| self.messages.get(parent)).map(|record| &record.owner)
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

    /// Nobody's, or that of whoever has had a step of this name open for longest.
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

    /// Learns whose the messages of a conversation are, and their calls. Opens nothing.
    fn restate(&mut self, conversation: &[Message], overwrite: bool) {
        for message in conversation {
            let owner = message.subagent_run_id();
            let (ledger, calls) = match message {
                Message::Reasoning(_) => (&mut self.reasoning, &[][..]),
                Message::Activity(_) => (&mut self.activities, &[][..]),
                Message::Assistant(message) => (&mut self.messages, message.tool_calls()),
                _ => (&mut self.messages, &[][..]),
            };
            own(ledger, message.id().clone_shared(), owner, overwrite);
            for call in calls {
                own(&mut self.calls, call.id.clone_shared(), owner, overwrite);
            }
        }
    }

    fn ledger(&self, scope: Scope) -> Option<&ById<Record>> {
        match scope {
            Scope::Text => Some(&self.messages),
            Scope::ToolCall => Some(&self.calls),
            Scope::ReasoningSpan | Scope::ReasoningMessage => Some(&self.reasoning),
            Scope::Activity => Some(&self.activities),
            Scope::Step | Scope::Subagent => None,
        }
    }

    fn ledger_mut(&mut self, scope: Scope) -> Option<&mut ById<Record>> {
        match scope {
            Scope::Text => Some(&mut self.messages),
            Scope::ToolCall => Some(&mut self.calls),
            Scope::ReasoningSpan | Scope::ReasoningMessage => Some(&mut self.reasoning),
            Scope::Activity => Some(&mut self.activities),
            Scope::Step | Scope::Subagent => None,
        }
    }
}

impl Record {
    fn opened(&self, scope: Scope) -> Option<Opened> {
        if scope == Scope::ReasoningSpan { self.span } else { self.open }
    }

    fn is_open(&self, scope: Scope) -> bool {
        self.opened(scope).is_some()
    }

    fn opening(&mut self, scope: Scope) -> &mut Option<Opened> {
        if scope == Scope::ReasoningSpan { &mut self.span } else { &mut self.open }
    }
}

/// An untagged event agrees with every owner, and every event with what nobody owns yet.
fn agree(tag: Option<&SubagentRunId>, record: Option<&Record>) -> Verdict {
    match (tag, record) {
        (Some(tag), Some(record)) if record.owner.subagent_run_id() != Some(tag) => {
            Err(Refusal::new(OrderRule::OwnerMismatch).of(&record.owner))
        }
        _ => Ok(()),
    }
}

/// Records an owner; one that is known stays, unless it is to be overwritten. What is open stays open.
fn own(ledger: &mut ById<Record>, id: Arc<str>, tag: Option<&SubagentRunId>, overwrite: bool) {
    match ledger.entry(id) {
        Entry::Occupied(mut known) if overwrite => known.get_mut().owner = tag.into(),
        Entry::Occupied(_) => {}
        Entry::Vacant(new) => {
            new.insert(Record { owner: tag.into(), ..Record::default() });
        }
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
