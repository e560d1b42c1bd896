//! Open spans.

use std::fmt;
use std::sync::Arc;

use super::Owner;
use crate::protocol::Scope;

/// A span that was opened and must be closed before its run finishes.
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
    /// The kind of span.
    pub scope: Scope,
    /// Its id; the name of a step.
    pub id: Arc<str>,
    /// The owner. That of a subagent is the invocation that started it.
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
