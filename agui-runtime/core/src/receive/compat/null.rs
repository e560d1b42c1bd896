//! `null`s that earlier versions wrote for "absent"; every other `null` stays and is checked like any value.

use serde_json::Value;

use super::report::WarningReporter;
use crate::json::RemoveMember as _;
use crate::protocol::{AudioPart, DocumentPart, EventType, ImagePart, VideoPart};

/// The part types that have a source.
pub(super) const MEDIA: [&str; 4] = [ImagePart::TYPE, AudioPart::TYPE, VideoPart::TYPE, DocumentPart::TYPE];

/// Removes such `null`s from an event.
pub(super) fn remove_from_event(
    event: &mut Value,
    event_type: Option<EventType>,
    report: &mut WarningReporter<'_>,
) {
    drop_null(event, "rawEvent", report);
    let keys: &[&str] = match event_type {
        Some(EventType::RunFinished) => &["result", "outcome"],
        Some(EventType::SubagentFinished) => &["result"],
        Some(EventType::ToolCallStart | EventType::ToolCallChunk) => &["parentMessageId"],
        _ => &[],
    };
    for key in keys {
        drop_null(event, key, report);
    }
}

/// Removes such `null`s from an input.
pub(super) fn remove_from_input(input: &mut Value, report: &mut WarningReporter<'_>) {
    drop_null(input, "forwardedProps", report);
    report.each(input, "tools", |tool, report| drop_null(tool, "parameters", report));
    report.each(input, "resume", |entry, report| drop_null(entry, "payload", report));
}

/// Removes such a `null` from a message part.
pub(super) fn remove_from_part(part: &mut Value, report: &mut WarningReporter<'_>) {
    if part.get("type").and_then(Value::as_str).is_some_and(|kind| MEDIA.contains(&kind)) {
        drop_null(part, "metadata", report);
    }
}

fn drop_null(value: &mut Value, key: &str, report: &mut WarningReporter<'_>) {
    if let Value::Object(members) = value
        && members.get(key).is_some_and(Value::is_null)
    {
        members.remove_member(key);
        report.at(key, |report| report.warn(crate::receive::WarningKind::NullIsAbsent));
    }
}
