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
    Arguments {
        id: ToolCallId,
        side: ToolSide,
        tool: Cow<'static, str>,
        /// The message that was named as its parent.
        carrier: Option<MessageId>,
    },
    /// A backend call after its END, waiting for its result.
    Unanswered { id: ToolCallId },
    /// A reasoning span after its START.
    Reasoning { id: MessageId },
    /// A reasoning message after its START.
    ReasoningMessage { id: MessageId },
    /// An activity after its first snapshot: deltas may follow.
    Activity {
        id: MessageId,
        kind: Cow<'static, str>,
        /// Whether the client may have dropped it, so that no delta may follow before another snapshot.
        is_lost: bool,
    },
    /// A subagent that was announced.
    Subagent { id: SubagentRunId },
    /// Nothing on the wire: what is said inside ends with it.
    Scope,
}

impl Span {
    /// The id of the message or call it builds: what a restated conversation may tell of as well.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Text { id, .. }
            | Self::Reasoning { id }
            | Self::ReasoningMessage { id }
            | Self::Activity { id, .. } => Some(id.as_str()),
            Self::Arguments { id, .. } | Self::Unanswered { id } => Some(id.as_str()),
            Self::Step { .. } | Self::Subagent { .. } | Self::Scope => None,
        }
    }

    /// Whether its next event would be lost, had a restated conversation left it out.
    pub(super) fn is_of_the_conversation(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Arguments { .. }
            | Self::Reasoning { .. }
            | Self::ReasoningMessage { .. } => true,
            // A result builds a message of its own, and clients keep the activities they know.
            Self::Unanswered { .. }
            | Self::Activity { .. }
            | Self::Step { .. }
            | Self::Subagent { .. }
            | Self::Scope => false,
        }
    }
}
