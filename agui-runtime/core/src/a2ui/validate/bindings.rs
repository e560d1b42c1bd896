//! Data paths in component properties.

use serde_json::Value;

use crate::protocol::JsonObject;

/// Returns the absolute paths in a component's properties. Relative paths are skipped: they belong to the element for which a
/// template is repeated.
pub(super) fn absolute(properties: &JsonObject) -> impl Iterator<Item = &str> {
    let mut found = Vec::new();
    collect_object(properties, &mut found);
    found.into_iter()
}

fn collect_object<'c>(members: &'c JsonObject, found: &mut Vec<&'c str>) {
    found.extend(members.get("path").and_then(Value::as_str).filter(|path| path.starts_with('/')));
    for (_, value) in members.iter().filter(|(name, _)| *name != "path") {
        collect_value(value, found);
    }
}

fn collect_value<'c>(value: &'c Value, found: &mut Vec<&'c str>) {
    match value {
        Value::Array(elements) => elements.iter().for_each(|element| collect_value(element, found)),
        Value::Object(members) => collect_object(members, found),
        _ => {}
    }
}

/// True if the data has the path, as the official toolkit reads paths: names stand as in the data, and empty names are skipped. A name
/// may also be escaped (RFC 6901), as renderers read paths.
pub(super) fn resolves(path: &str, data: &JsonObject) -> bool {
    let mut names = path.split('/').filter(|name| !name.is_empty());
    let Some(first) = names.next() else { return true };
    let start = member(data, first);
    let end = names.try_fold(start, |at, name| match at? {
        Value::Object(members) => Some(member(members, name)),
        Value::Array(elements) => Some(elements.get(name.parse::<usize>().ok()?)),
        _ => None,
    });
    end.flatten().is_some()
}

fn member<'d>(members: &'d JsonObject, name: &str) -> Option<&'d Value> {
    members.get(name).or_else(|| members.get(&name.replace("~1", "/").replace("~0", "~")))
}
