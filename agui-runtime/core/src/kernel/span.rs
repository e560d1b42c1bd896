//! A run's open spans, and the slots that identify them.

use std::borrow::Cow;

use crate::protocol::{MessageId, SubagentRunId, TextMessageRole, ToolCallId, ToolSide};

/// A span's number in its run, never reused: a handle that outlives its span must not write into another span.
pub(crate) type SpanSlot = u64;

/// The run's own agent: author of all events outside subagents.
pub(crate) const ROOT: SpanSlot = 0;

/// Slot without an author: its events are discarded.
pub(crate) const NOBODY: SpanSlot = SpanSlot::MAX;

/// A part of the run that is open on the wire, or still owed to the client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RunSpan {
    /// A text message after START.
    Text { id: MessageId, role: TextMessageRole },
    /// A step after START, under the name on the wire.
    Step { name: String },
    /// A tool call after START, while arguments stream.
    Arguments {
        id: ToolCallId,
        side: ToolSide,
        tool: Cow<'static, str>,
        /// The message that the call names as parent.
        carrier: Option<MessageId>,
    },
    /// A backend call after END, waiting for its result.
    Unsettled { id: ToolCallId },
    /// A reasoning span after START.
    Reasoning { id: MessageId },
    /// A reasoning message after START.
    ReasoningMessage { id: MessageId },
    /// An activity after its first snapshot: deltas may follow.
    Activity {
        id: MessageId,
        kind: Cow<'static, str>,
        /// True if the client may have dropped the activity, so that a snapshot must precede the next delta.
        is_lost: bool,
    },
    /// A subagent that was announced.
    Subagent { id: SubagentRunId },
    /// Nothing on the wire: all spans opened inside end together.
    Scope,
}

impl RunSpan {
    /// Returns the id of the message or call that the span builds: a restated conversation may contain this id too.
    pub(super) fn id(&self) -> Option<&str> {
        match self {
            Self::Text { id, .. }
            | Self::Reasoning { id }
            | Self::ReasoningMessage { id }
            | Self::Activity { id, .. } => Some(id.as_str()),
            Self::Arguments { id, .. } | Self::Unsettled { id } => Some(id.as_str()),
            Self::Step { .. } | Self::Subagent { .. } | Self::Scope => None,
        }
    }

    /// True if a restated conversation that lacks the span would lose the span's next event.
    pub(super) fn is_of_the_conversation(&self) -> bool {
        match self {
            Self::Text { .. }
            | Self::Arguments { .. }
            | Self::Reasoning { .. }
            | Self::ReasoningMessage { .. } => true,
            // A result builds a message of its own, and clients keep the activities that they know.
            Self::Unsettled { .. }
            | Self::Activity { .. }
            | Self::Step { .. }
            | Self::Subagent { .. }
            | Self::Scope => false,
        }
    }
}
