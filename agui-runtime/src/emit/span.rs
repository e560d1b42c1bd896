use crate::manifest::ToolSide;
use crate::protocol::{MessageId, TextMessageRole, ToolCallId};

/// The number of a span in its run. Never reused: a handle kept after its span ended must not write into another's.
pub(super) type Slot = u64;

/// What is open on the wire, or still owed to it.
#[derive(Debug)]
pub(super) enum Span {
    /// A text message after its START.
    Text { id: MessageId, role: TextMessageRole },
    /// A step after its START, under the name the wire carries.
    Step { name: String },
    /// A tool call after its START, its arguments still streaming.
    Arguments { id: ToolCallId, side: ToolSide, tool: &'static str },
    /// A backend call after its END, waiting for its result.
    Unanswered { id: ToolCallId },
}
