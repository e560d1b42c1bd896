//! Open spans.

use std::fmt;
use std::sync::Arc;

use super::SpanOwner;
use crate::protocol::SpanKind;
#[cfg(feature = "server")]
use crate::protocol::{
    Event, ReasoningEndEvent, ReasoningMessageEndEvent, StepFinishedEvent, SubagentErrorEvent,
    TextMessageEndEvent, ToolCallEndEvent,
};

/// A span that must be closed before its run finishes.
///
/// ```
/// use agui_runtime::order::{SpanOwner, OrderVerifier};
/// use agui_runtime::protocol::{RunStartedEvent, SpanKind, StepStartedEvent};
///
/// let mut verifier = OrderVerifier::new();
/// verifier.check(&RunStartedEvent::new("t", "r").into()).unwrap();
/// verifier.check(&StepStartedEvent::new("plan").with_subagent_run_id("a").into()).unwrap();
/// let [step] = &verifier.open()[..] else { panic!("one step is open") };
/// assert_eq!((step.scope, &*step.id), (SpanKind::Step, "plan"));
/// assert_eq!(step.owner, SpanOwner::Subagent("a".into()));
/// assert_eq!(step.to_string(), "`plan` of subagent `a`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct OpenSpan {
    /// Span kind.
    pub scope: SpanKind,
    /// Span id; a step's name.
    pub id: Arc<str>,
    /// Span owner. A subagent's owner is the invocation that started the subagent.
    pub owner: SpanOwner,
}

impl fmt::Display for OpenSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.id)?;
        match &self.owner {
            SpanOwner::Parent => Ok(()),
            owner @ SpanOwner::Subagent(_) => write!(f, " of {owner}"),
        }
    }
}

#[cfg(feature = "server")]
impl OpenSpan {
    /// Returns the event that closes the span; `None` for an activity, which stays open to changes.
    pub(crate) fn closing(self) -> Option<Event> {
        let Self { scope, id, owner } = self;
        let mut event: Event = match scope {
            SpanKind::Text => TextMessageEndEvent::new(&*id).into(),
            SpanKind::ToolCall => ToolCallEndEvent::new(&*id).into(),
            SpanKind::Step => StepFinishedEvent::new(&*id).into(),
            SpanKind::ReasoningSpan => ReasoningEndEvent::new(&*id).into(),
            SpanKind::ReasoningMessage => ReasoningMessageEndEvent::new(&*id).into(),
            SpanKind::Subagent => {
                let stopped =
                    SubagentErrorEvent::new(&*id, "the subagent was stopped").with_code("abandoned");
                return Some(stopped.into());
            }
            SpanKind::Activity => return None,
        };
        if let Some(tag) = event.subagent_run_id_mut() {
            *tag = owner.subagent_run_id().cloned();
        }
        Some(event)
    }
}
