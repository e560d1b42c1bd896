//! Rules in the official client 1.0.0: open spans and their owners.

mod apply;
mod check;
mod recent;

use self::recent::Recent;
use super::table::{ById, Opened, Table};
use super::{OpenSpan, Owner};
use crate::protocol::{Event, Scope};

/// The current run's state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Run {
    messages: ById<Record>,
    calls: ById<Record>,
    reasoning: ById<Record>,
    activities: ById<Record>,
    steps: Table<Owner, ById<Opened>>,
    subagents: ById<Invocation>,
    recent: Recent,
}

/// An id's owner, kept after the span closes. A reasoning span and a reasoning message under the same id share the owner but open
/// and close separately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct Record {
    owner: Owner,
    open: Option<Opened>,
    span: Option<Opened>,
}

/// An announced subagent: active while open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Invocation {
    parent: Owner,
    open: Option<Opened>,
}

impl Run {
    /// Returns the open spans in `scope`, or in all scopes, in opening order.
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

    /// Returns the owner of the message that carries the call which `event` opens, if the event names a known message.
    fn carrier(&self, event: &Event) -> Option<&Owner> {
        event.operands().parent.and_then(|parent| self.messages.get(parent)).map(|record| &record.owner)
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
