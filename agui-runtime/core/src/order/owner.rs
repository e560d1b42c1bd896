//! Span owners: agents.

use std::fmt;

use crate::protocol::SubagentRunId;

/// The agent that owns an event, or the span that the event opened: the parent agent or a subagent.
///
/// An event without `subagentRunId` belongs to the parent agent. The id `""` is a subagent.
///
/// ```
/// use agui_runtime::order::SpanOwner;
/// use agui_runtime::protocol::SubagentRunId;
///
/// assert_eq!(SpanOwner::from(None), SpanOwner::Parent);
/// assert_eq!(SpanOwner::from(Some(&SubagentRunId::from("a"))).to_string(), "subagent `a`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum SpanOwner {
    /// The agent that received the request.
    #[default]
    Parent,
    /// A subagent invocation.
    Subagent(SubagentRunId),
}

impl SpanOwner {
    /// Returns the invocation, if the owner is a subagent.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        match self {
            Self::Parent => None,
            Self::Subagent(id) => Some(id),
        }
    }
}

impl From<Option<&SubagentRunId>> for SpanOwner {
    fn from(tag: Option<&SubagentRunId>) -> Self {
        tag.map_or(Self::Parent, |id| Self::Subagent(id.clone()))
    }
}

impl fmt::Display for SpanOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parent => f.write_str("the parent agent"),
            Self::Subagent(id) => write!(f, "subagent `{id}`"),
        }
    }
}
