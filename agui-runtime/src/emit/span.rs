use std::borrow::Cow;

use crate::manifest::ToolSide;
use crate::protocol::{MessageId, SubagentRunId, TextMessageRole, ToolCallId};

/// The number of a span in its run. Never reused: a handle kept after its span ended must not write into another's.
pub(crate) type Slot = u64;

/// The agent of the run itself, as the author of what no subagent says.
pub(crate) const ROOT: Slot = 0;

/// An author that never was: what it says is not heard.
pub(crate) const NOBODY: Slot = Slot::MAX;

/// What is open on the wire, or still owed to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Span {
    /// A text message after its START.
    Text { id: MessageId, role: TextMessageRole },
    /// A step after its START, under the name the wire carries.
    Step { name: String },
    /// A tool call after its START, its arguments still streaming.
    Arguments { id: ToolCallId, side: ToolSide, tool: Cow<'static, str> },
    /// A backend call after its END, waiting for its result.
    Unanswered { id: ToolCallId },
    /// A reasoning span after its START.
    Reasoning { id: MessageId },
    /// A reasoning message after its START.
    ReasoningMessage { id: MessageId },
    /// An activity after its first snapshot: deltas may follow.
    Activity { id: MessageId, kind: Cow<'static, str> },
    /// A subagent that was announced.
    Subagent { id: SubagentRunId },
    /// Nothing on the wire: what is said inside ends with it.
    Scope,
}

impl Span {
    /// What names it on the wire.
    pub(super) fn id(&self) -> &str {
        match self {
            Self::Text { id, .. }
            | Self::Reasoning { id }
            | Self::ReasoningMessage { id }
            | Self::Activity { id, .. } => id.as_str(),
            Self::Arguments { id, .. } | Self::Unanswered { id } => id.as_str(),
            Self::Step { name } => name,
            Self::Subagent { id } => id.as_str(),
            Self::Scope => "",
        }
    }

    /// Whether a restated conversation could lose it.
    pub(super) fn is_of_the_conversation(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Arguments { .. }
            | Self::Unanswered { .. }
            | Self::Reasoning { .. }
            | Self::ReasoningMessage { .. }
            | Self::Activity { .. } => true,
            Self::Step { .. } | Self::Subagent { .. } | Self::Scope => false,
        }
    }
}
