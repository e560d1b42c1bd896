//! Removes subagents from events by an agent older than subagents (AG-UI 1.0, section "Eras").

use serde_json::Value;

use super::report::WarningReporter;
use crate::json::RemoveMember as _;
use crate::protocol::{EventFamily, EventType};
use crate::receive::WarningKind;

const TAG: &str = "subagentRunId";

/// Removes subagents from an event; returns false if the event is to be dropped. Free-form application data is not searched.
pub(super) fn remove_from_event(
    event: &mut Value,
    event_type: Option<EventType>,
    report: &mut WarningReporter<'_>,
) -> bool {
    match event_type {
        Some(subagent) if subagent.family() == EventFamily::Subagent => {
            report.warn(WarningKind::BeforeSubagents);
            return false;
        }
        Some(EventType::MessagesSnapshot) => untag_each(event, "/messages"),
        Some(EventType::RunFinished) => untag_each(event, "/outcome/interrupts"),
        Some(EventType::RunStarted) => untag_each(event, "/input/messages"),
        _ => {}
    }
    untag(event);
    true
}

fn untag_each(event: &mut Value, list: &str) {
    if let Some(Value::Array(items)) = event.pointer_mut(list) {
        items.iter_mut().for_each(untag);
    }
}

fn untag(value: &mut Value) {
    if let Value::Object(members) = value {
        members.remove_member(TAG);
    }
}
