//! Rules in the official client 1.0.0: open spans and their owners.

mod apply;
mod check;
mod recent;

use self::recent::RecentSpan;
use super::table::{ComparableMap, IdMap, OpeningTime};
use super::{OpenSpan, SpanOwner};
use crate::protocol::{Event, SpanKind};

/// The current run's state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct ClientRunState {
    messages: IdMap<OwnedSpan>,
    calls: IdMap<OwnedSpan>,
    reasoning: IdMap<OwnedSpan>,
    activities: IdMap<OwnedSpan>,
    steps: ComparableMap<SpanOwner, IdMap<OpeningTime>>,
    subagents: IdMap<SubagentInvocation>,
    recent: RecentSpan,
}

/// An id's owner, kept after the span closes. A reasoning span and a reasoning message under the same id share the owner but open
/// and close separately.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
struct OwnedSpan {
    owner: SpanOwner,
    open: Option<OpeningTime>,
    span: Option<OpeningTime>,
}

/// An announced subagent: active while open.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct SubagentInvocation {
    parent: SpanOwner,
    open: Option<OpeningTime>,
}

impl ClientRunState {
    /// Returns the open spans in `scope`, or in all scopes, in opening order.
    pub(super) fn open(&self, scope: Option<SpanKind>) -> Vec<OpenSpan> {
        let mut open = Vec::new();
        let wanted = |candidate| scope.is_none_or(|scope| scope == candidate);
        for scope in [SpanKind::Text, SpanKind::ToolCall, SpanKind::ReasoningSpan, SpanKind::ReasoningMessage]
        {
            let ledger = self.ledger(scope).filter(|_| wanted(scope));
            for (id, record) in ledger.into_iter().flat_map(|ledger| ledger.iter()) {
                if let Some(OpeningTime(at)) = record.opened(scope) {
                    open.push((at, OpenSpan { scope, id: id.clone(), owner: record.owner.clone() }));
                }
            }
        }
        if wanted(SpanKind::Step) {
            for (owner, names) in self.steps.iter() {
                for (name, OpeningTime(at)) in names.iter() {
                    let span = OpenSpan { scope: SpanKind::Step, id: name.clone(), owner: owner.clone() };
                    open.push((*at, span));
                }
            }
        }
        if wanted(SpanKind::Subagent) {
            for (id, invocation) in self.subagents.iter() {
                if let Some(OpeningTime(at)) = invocation.open {
                    let owner = invocation.parent.clone();
                    open.push((at, OpenSpan { scope: SpanKind::Subagent, id: id.clone(), owner }));
                }
            }
        }
        open.sort_by_key(|(at, _)| *at);
        open.into_iter().map(|(_, span)| span).collect()
    }

    /// Returns the owner of the message that carries the call which `event` opens, if the event names a known message.
    fn carrier(&self, event: &Event) -> Option<&SpanOwner> {
        event.operands().parent.and_then(|parent| self.messages.get(parent)).map(|record| &record.owner)
    }

    fn ledger(&self, scope: SpanKind) -> Option<&IdMap<OwnedSpan>> {
        match scope {
            SpanKind::Text => Some(&self.messages),
            SpanKind::ToolCall => Some(&self.calls),
            SpanKind::ReasoningSpan | SpanKind::ReasoningMessage => Some(&self.reasoning),
            SpanKind::Activity => Some(&self.activities),
            SpanKind::Step | SpanKind::Subagent => None,
        }
    }
}

impl OwnedSpan {
    fn opened(&self, scope: SpanKind) -> Option<OpeningTime> {
        if scope == SpanKind::ReasoningSpan { self.span } else { self.open }
    }

    fn is_open(&self, scope: SpanKind) -> bool {
        self.opened(scope).is_some()
    }

    fn opening(&mut self, scope: SpanKind) -> &mut Option<OpeningTime> {
        if scope == SpanKind::ReasoningSpan { &mut self.span } else { &mut self.open }
    }
}
