//! The part type `binary`, which 0.x used for all media.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::null::remove_from_part;
use super::report::WarningReporter;
use crate::protocol::{AudioPart, DocumentPart, ImagePart, VideoPart};
use crate::receive::WarningKind;

/// Translates a message's parts.
pub(super) fn translate_message(message: &mut Value, report: &mut WarningReporter<'_>) {
    report.each(message, "content", remove_from_part);
    let Some(Value::Array(parts)) = message.get_mut("content") else { return };
    if !parts.iter().any(is_binary) {
        return;
    }
    let before = parts.clone();
    let modern = ModernParts::from_parts(&before);
    let mut index = 0;
    report.at("content", |report| {
        parts.retain_mut(|part| {
            let here = index;
            index += 1;
            report.at(here, |report| translate_part(part, &modern, report))
        });
    });
}

fn is_binary(part: &Value) -> bool {
    part.get("type").is_some_and(|kind| kind == "binary")
}

/// Translates a part; returns false if the part is to be removed.
fn translate_part(part: &mut Value, modern: &ModernParts<'_>, report: &mut WarningReporter<'_>) -> bool {
    if !is_binary(part) {
        return true;
    }
    let Some(mime_type) = part.get("mimeType").and_then(Value::as_str) else { return true };
    let Some((kind, upgraded)) = upgrade(part, mime_type) else {
        report.warn(WarningKind::OnlyAnId);
        return true;
    };
    if modern.mirror(&upgraded) {
        report.warn(WarningKind::Repeated);
        return false;
    }
    report.warn(WarningKind::Retired { becomes: kind });
    *part = upgraded;
    true
}

/// Returns the 1.0 part type for a MIME type.
pub(crate) fn part_type_of(mime_type: &str) -> &'static str {
    match mime_type.split_once('/') {
        Some(("image", _)) => ImagePart::TYPE,
        Some(("audio", _)) => AudioPart::TYPE,
        Some(("video", _)) => VideoPart::TYPE,
        _ => DocumentPart::TYPE,
    }
}

/// Returns the part in 1.0 form; `None` if the part has only an id. Values are copied unchecked: enforcement checks them.
fn upgrade(part: &Value, mime_type: &str) -> Option<(&'static str, Value)> {
    let kind = part_type_of(mime_type);
    let said = |key| part.get(key).filter(|value| is_truthy(value));
    let (source, value) = match (said("data"), said("url")) {
        (Some(data), _) => ("data", data),
        (None, Some(url)) => ("url", url),
        (None, None) => return None,
    };
    let mut upgraded = json!({
        "type": kind,
        "source": { "type": source, "value": value, "mimeType": mime_type },
    });
    if let (Some(filename), Value::Object(members)) = (said("filename"), &mut upgraded) {
        let metadata = Map::from_iter([("filename".to_owned(), filename.clone())]);
        members.insert("metadata".to_owned(), metadata.into());
    }
    Some((kind, upgraded))
}

/// Returns true if JavaScript converts the value to `true`: 0.x treated every other value as absent.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(yes) => *yes,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

/// A message's parts that are in 1.0 form already: some clients send both forms. Sets, because a message may have as many parts as
/// fit into a request.
struct ModernParts<'p> {
    sources: HashSet<[Option<&'p Value>; 4]>,
    named: HashSet<([Option<&'p Value>; 4], &'p Value)>,
}

impl<'p> ModernParts<'p> {
    fn from_parts(parts: &'p [Value]) -> Self {
        let modern =
            || parts.iter().filter(|part| !is_binary(part)).map(|part| (source(part), file_name(part)));
        // In JavaScript two lists or objects are never equal.
        let is_plain = |value: &Value| !value.is_array() && !value.is_object();
        let are_plain = |source: &[Option<&Value>; 4]| source.iter().flatten().all(|value| is_plain(value));
        let sources = modern().map(|(source, _)| source).filter(are_plain);
        let named = modern().filter_map(|(source, name)| Some((source, name.filter(|name| is_plain(name))?)));
        Self { sources: sources.collect(), named: named.filter(|(source, _)| are_plain(source)).collect() }
    }

    /// Returns true if another part has the same content in 1.0 form.
    fn mirror(&self, upgraded: &Value) -> bool {
        match file_name(upgraded) {
            Some(name) => self.named.contains(&(source(upgraded), name)),
            None => self.sources.contains(&source(upgraded)),
        }
    }
}

fn source(part: &Value) -> [Option<&Value>; 4] {
    ["/type", "/source/type", "/source/value", "/source/mimeType"].map(|place| part.pointer(place))
}

fn file_name(part: &Value) -> Option<&Value> {
    part.pointer("/metadata/filename")
}
