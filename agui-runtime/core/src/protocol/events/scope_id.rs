//! Members that hold the id to which an event's effect applies.

use std::sync::Arc;

use crate::protocol::id::{MessageId, SubagentRunId, ToolCallId};

/// A member that holds the effect's id.
pub(super) trait ScopeId {
    fn scope_id(&self) -> Option<&str>;
    fn shared(&self) -> Option<Arc<str>>;
}

impl ScopeId for String {
    fn scope_id(&self) -> Option<&str> {
        Some(self)
    }

    fn shared(&self) -> Option<Arc<str>> {
        Some(Arc::from(self.as_str()))
    }
}

impl<I: ScopeId> ScopeId for Option<I> {
    fn scope_id(&self) -> Option<&str> {
        self.as_ref().and_then(I::scope_id)
    }

    fn shared(&self) -> Option<Arc<str>> {
        self.as_ref().and_then(I::shared)
    }
}

macro_rules! scope_ids {
    ($($Id:ident)*) => { $(
        impl ScopeId for $Id {
            fn scope_id(&self) -> Option<&str> {
                Some(self.as_str())
            }

            fn shared(&self) -> Option<Arc<str>> {
                Some(self.clone_shared())
            }
        }
    )* };
}

scope_ids! { MessageId ToolCallId SubagentRunId }
