//! A turn's updates.

use crate::protocol::{Event, ToolCallId};
use crate::receive::reduce::ReducerUpdate;

/// One update from a turn.
///
/// ```
/// use agui_runtime::client::TurnUpdate;
///
/// fn shown(update: &TurnUpdate) -> String {
///     match update {
///         TurnUpdate::Event { event, .. } => event.event_type().to_string(),
///         TurnUpdate::Answered { tool_call_id } => format!("answered {tool_call_id}"),
///         _ => String::new(),
///     }
/// }
///
/// assert_eq!(shown(&TurnUpdate::Answered { tool_call_id: "c1".into() }), "answered c1");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "nearly all updates are events, and each is moved once")]
pub enum TurnUpdate {
    /// An event in order took effect.
    Event {
        /// The event, with chunks expanded.
        event: Event,
        /// Its changes: none, if a subscriber stopped it.
        applied: ReducerUpdate,
    },
    /// A frontend tool call got a result, which is placed after the call.
    Answered {
        /// The call.
        tool_call_id: ToolCallId,
    },
}
