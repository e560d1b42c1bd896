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
///         TurnUpdate::Settled { tool_call_id } => format!("settled {tool_call_id}"),
///         _ => String::new(),
///     }
/// }
///
/// assert_eq!(shown(&TurnUpdate::Settled { tool_call_id: "c1".into() }), "settled c1");
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
    Settled {
        /// The call.
        tool_call_id: ToolCallId,
    },
}
