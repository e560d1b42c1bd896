//! Open spans of a run, and the slots that identify them.

use std::borrow::Cow;

use crate::protocol::{MessageId, SubagentRunId, TextMessageRole, ToolCallId, ToolSide};

/// The number of a span in its run. It is never reused: a handle kept after its span ended must not write into another
/// span.
pub(crate) type Slot = u64;

/// The agent of the run itself, the author of all that no subagent writes.
pub(crate) const ROOT: Slot = 0;

/// The slot of no author: its events are discarded.
pub(crate) const NOBODY: Slot = Slot::MAX;

/// A part of the run that is open on the wire, or still owed to the client.
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
        /// True if the client may have dropped it, so that a snapshot must come before the next delta.
        is_lost: bool,
    },
    /// A subagent that was announced.
    Subagent { id: SubagentRunId },
    /// Nothing on the wire: all that is opened inside ends with it.
    Scope,
}

impl Span {
    /// Returns the id of the message or call that the span builds: a restated conversation may contain it too.
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

    /// Returns true if its next event would be lost once a restated conversation left it out.
    pub(super) fn is_of_the_conversation(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Arguments { .. }
            | Self::Reasoning { .. }
            | Self::ReasoningMessage { .. } => true,
            // A result builds a message of its own, and clients keep the activities that they know.
            Self::Unanswered { .. }
            | Self::Activity { .. }
            | Self::Step { .. }
            | Self::Subagent { .. }
            | Self::Scope => false,
        }
    }
}
