//! How events change a run's state.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::{Invocation, Record, Run};
use crate::order::Owner;
use crate::order::table::{ById, Opened};
use crate::protocol::{Effect, Event, Message, Scope, SubagentRunId};

impl Run {
    /// Applies a checked event.
    pub(in crate::order) fn apply(&mut self, event: &Event, now: Opened) {
        let tag = event.subagent_run_id();
        let effect = event.event_type().effect();
        match effect {
            Effect::Within(scope) if tag.is_none() => return self.recent.remember(scope, event),
            Effect::Within(_) | Effect::Free => return,
            _ => self.recent.forget(),
        }
        match effect {
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
                    *invocation = Invocation { parent: Owner::Parent, open: None };
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

    /// Records the owners of a conversation's messages and calls. Opens nothing.
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

/// Records an owner. A known owner stays unless `overwrite` is set; an open span stays open.
fn own(ledger: &mut ById<Record>, id: Arc<str>, tag: Option<&SubagentRunId>, overwrite: bool) {
    match ledger.entry(id) {
        Entry::Occupied(mut known) if overwrite => known.get_mut().owner = tag.into(),
        Entry::Occupied(_) => {}
        Entry::Vacant(new) => {
            new.insert(Record { owner: tag.into(), ..Record::default() });
        }
    }
}
