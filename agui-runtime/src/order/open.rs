//! Open spans.

use std::fmt;
use std::sync::Arc;

use super::Owner;
use crate::protocol::Scope;
#[cfg(feature = "server")]
use crate::protocol::{
    Event, ReasoningEndEvent, ReasoningMessageEndEvent, StepFinishedEvent, SubagentErrorEvent,
    TextMessageEndEvent, ToolCallEndEvent,
};

/// A span that must be closed before its run finishes.
///
/// ```
/// use agui_runtime::order::{Owner, Verifier};
/// use agui_runtime::protocol::{RunStartedEvent, Scope, StepStartedEvent};
///
/// let mut verifier = Verifier::new();
/// verifier.check(&RunStartedEvent::new("t", "r").into()).unwrap();
/// verifier.check(&StepStartedEvent::new("plan").with_subagent_run_id("a").into()).unwrap();
/// let [step] = &verifier.open()[..] else { panic!("one step is open") };
/// assert_eq!((step.scope, &*step.id), (Scope::Step, "plan"));
/// assert_eq!(step.owner, Owner::Subagent("a".into()));
/// assert_eq!(step.to_string(), "`plan` of subagent `a`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct OpenSpan {
    /// Span kind.
    pub scope: Scope,
    /// Span id; a step's name.
    pub id: Arc<str>,
    /// Span owner. A subagent's owner is the invocation that started the subagent.
    pub owner: Owner,
}

impl fmt::Display for OpenSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.id)?;
        match &self.owner {
            Owner::Parent => Ok(()),
            owner @ Owner::Subagent(_) => write!(f, " of {owner}"),
        }
    }
}

#[cfg(feature = "server")]
impl OpenSpan {
    /// Returns the event that closes the span; `None` for an activity, which stays open to changes.
    pub(crate) fn closing(self) -> Option<Event> {
        let Self { scope, id, owner } = self;
        let mut event: Event = match scope {
            Scope::Text => TextMessageEndEvent::new(&*id).into(),
            Scope::ToolCall => ToolCallEndEvent::new(&*id).into(),
            Scope::Step => StepFinishedEvent::new(&*id).into(),
            Scope::ReasoningSpan => ReasoningEndEvent::new(&*id).into(),
            Scope::ReasoningMessage => ReasoningMessageEndEvent::new(&*id).into(),
            Scope::Subagent => {
                let stopped =
                    SubagentErrorEvent::new(&*id, "the subagent was stopped").with_code("abandoned");
                return Some(stopped.into());
            }
            Scope::Activity => return None,
        };
        if let Some(tag) = event.subagent_run_id_mut() {
            *tag = owner.subagent_run_id().cloned();
        }
        Some(event)
    }
}
