//! Removes members of later versions from events of an agent that cannot have sent them.

use serde_json::Value;

use super::report::WarningReporter;
use crate::json::RemoveMember as _;
use crate::protocol::ProtocolVersion;
use crate::protocol::forms::shape::JsonShape;
use crate::receive::WarningKind;

/// Removes the members that `version` does not have, with a warning for each, as the enforcement of that version would.
pub(super) fn remove(
    value: &mut Value,
    shape: &'static JsonShape,
    version: ProtocolVersion,
    report: &mut WarningReporter<'_>,
) {
    match (shape, value) {
        (JsonShape::Object(object), Value::Object(members)) => {
            for member in object.members {
                let Some(value) = members.get_mut(member.key) else { continue };
                if member.since <= version {
                    report.at(member.key, |report| remove(value, member.shape, version, report));
                } else {
                    members.remove_member(member.key);
                    report.at(member.key, |report| report.warn(WarningKind::Unknown));
                }
            }
        }
        (JsonShape::Union(union), value) => {
            let tag = value.get(union.key).and_then(Value::as_str);
            if let Some(shape) = tag.and_then(|tag| union.variant(tag)) {
                remove(value, shape, version, report);
            }
        }
        (JsonShape::List { of, .. } | JsonShape::TextOrList { of }, Value::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                report.at(index, |report| remove(item, of, version, report));
            }
        }
        _ => {}
    }
}
