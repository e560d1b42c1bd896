//! What happens in a turn.

use crate::protocol::{Event, ToolCallId};
use crate::receive::reduce::Applied;

/// Something that happened in a turn.
///
/// ```
/// use agui_runtime::client::Update;
///
/// fn shown(update: &Update) -> String {
///     match update {
///         Update::Event { event, .. } => event.event_type().to_string(),
///         Update::Answered { tool_call_id } => format!("answered {tool_call_id}"),
///         _ => String::new(),
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "nearly all are events, and an update is moved once")]
pub enum Update {
    /// An event was in order and has taken effect.
    Event {
        /// The event; chunks have become what they stand for.
        event: Event,
        /// What it changed, and where: nothing, if a subscriber stopped it.
        applied: Applied,
    },
    /// A call of a frontend tool was answered; the answer stands behind it.
    Answered {
        /// The call.
        tool_call_id: ToolCallId,
    },
}
