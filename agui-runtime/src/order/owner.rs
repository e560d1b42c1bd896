//! Whose something is.

use std::fmt;

use crate::protocol::SubagentRunId;

/// Whose an event, or what it opened, is: the parent agent's or a subagent's.
///
/// An event without `subagentRunId` is the parent agent's. The subagent whose id is `""` is a subagent.
///
/// ```
/// use agui_runtime::order::Owner;
/// use agui_runtime::protocol::SubagentRunId;
///
/// assert_eq!(Owner::from(None), Owner::Parent);
/// assert_eq!(Owner::from(Some(&SubagentRunId::from("a"))).to_string(), "subagent `a`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Owner {
    /// The agent the request was for.
    #[default]
    Parent,
    /// An invocation of a subagent.
    Subagent(SubagentRunId),
}

impl Owner {
    /// The invocation, if it is a subagent's.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        match self {
            Self::Parent => None,
            Self::Subagent(id) => Some(id),
        }
    }
}

impl From<Option<&SubagentRunId>> for Owner {
    fn from(tag: Option<&SubagentRunId>) -> Self {
        tag.map_or(Self::Parent, |id| Self::Subagent(id.clone()))
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parent => f.write_str("the parent agent"),
            Self::Subagent(id) => write!(f, "subagent `{id}`"),
        }
    }
}
