//! How events change a run's state.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use super::{ClientRunState, OwnedSpan, SubagentInvocation};
use crate::order::SpanOwner;
use crate::order::table::{IdMap, OpeningTime};
use crate::protocol::{Event, EventEffect, Message, SpanKind, SubagentRunId};

impl ClientRunState {
    /// Applies a checked event.
    pub(in crate::order) fn apply(&mut self, event: &Event, now: OpeningTime) {
        let tag = event.subagent_run_id();
        let effect = event.event_type().effect();
        match effect {
            EventEffect::Within(scope) if tag.is_none() => return self.recent.remember(scope, event),
            EventEffect::Within(_) | EventEffect::Free => return,
            _ => self.recent.forget(),
        }
        match effect {
            EventEffect::Open(SpanKind::Step) => {
                if let Some(name) = event.shared_scope_id() {
                    self.steps.entry(tag.into()).or_default().insert(name, now);
                }
            }
            EventEffect::Close(SpanKind::Step) => {
                let owner = SpanOwner::from(tag);
                if let (Some(name), Some(names)) = (event.scope_id(), self.steps.get_mut(&owner)) {
                    names.remove(name);
                    if names.is_empty() {
                        self.steps.remove(&owner);
                    }
                }
            }
            EventEffect::Open(SpanKind::Subagent) => {
                let parent = event.operands().parent.map(SubagentRunId::from);
                let invocation = SubagentInvocation { parent: parent.as_ref().into(), open: Some(now) };
                if let Some(id) = event.shared_scope_id() {
                    self.subagents.insert(id, invocation);
                }
            }
            EventEffect::Close(SpanKind::Subagent) => {
                let invocation = event.scope_id().and_then(|id| self.subagents.get_mut(id));
                if let Some(invocation) = invocation {
                    *invocation = SubagentInvocation { parent: SpanOwner::Parent, open: None };
                }
            }
            EventEffect::Open(scope) => {
                let owner = match (tag, self.carrier(event)) {
                    (None, Some(carrier)) => carrier.clone(),
                    _ => tag.into(),
                };
                if let (Some(id), Some(ledger)) = (event.shared_scope_id(), self.ledger_mut(scope)) {
                    let record =
                        ledger.entry(id).or_insert_with(|| OwnedSpan { owner, ..OwnedSpan::default() });
                    *record.opening(scope) = Some(now);
                }
            }
            EventEffect::Close(scope) => {
                let record =
                    event.scope_id().zip(self.ledger_mut(scope)).and_then(|(id, ledger)| ledger.get_mut(id));
                if let Some(record) = record {
                    *record.opening(scope) = None;
                }
            }
            EventEffect::Create(scope) => {
                let replaces = event.operands().replace != Some(false);
                if let (Some(id), Some(ledger)) = (event.shared_scope_id(), self.ledger_mut(scope)) {
                    own(ledger, id, tag, replaces);
                }
            }
            EventEffect::Settle(_) => {
                if let Some(message) = event.operands().message {
                    own(&mut self.messages, message.clone_shared(), tag, true);
                }
            }
            EventEffect::Restate => self.restate(event.operands().conversation, true),
            EventEffect::StartRun => self.restate(event.operands().conversation, false),
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

    fn ledger_mut(&mut self, scope: SpanKind) -> Option<&mut IdMap<OwnedSpan>> {
        match scope {
            SpanKind::Text => Some(&mut self.messages),
            SpanKind::ToolCall => Some(&mut self.calls),
            SpanKind::ReasoningSpan | SpanKind::ReasoningMessage => Some(&mut self.reasoning),
            SpanKind::Activity => Some(&mut self.activities),
            SpanKind::Step | SpanKind::Subagent => None,
        }
    }
}

/// Records an owner. A known owner stays unless `overwrite` is set; an open span stays open.
fn own(ledger: &mut IdMap<OwnedSpan>, id: Arc<str>, tag: Option<&SubagentRunId>, overwrite: bool) {
    match ledger.entry(id) {
        Entry::Occupied(mut known) if overwrite => known.get_mut().owner = tag.into(),
        Entry::Occupied(_) => {}
        Entry::Vacant(new) => {
            new.insert(OwnedSpan { owner: tag.into(), ..OwnedSpan::default() });
        }
    }
}
