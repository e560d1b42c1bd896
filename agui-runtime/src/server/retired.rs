//! Shapes of 0.x clients that are still read (AG-UI 1.0, section "Retired shapes").

use serde_json::{Map, Value, json};

use crate::protocol::{AudioPart, DocumentPart, ImagePart, VideoPart};

const MEDIA: [&str; 4] = [ImagePart::TYPE, AudioPart::TYPE, VideoPart::TYPE, DocumentPart::TYPE];

/// Drops the nulls that older clients write for absent members; every other `null` stays and is refused.
pub(super) fn drop_nulls(input: &mut Value) {
    drop_null(input, "forwardedProps");
    each(input, "tools", |tool| drop_null(tool, "parameters"));
    each(input, "resume", |entry| drop_null(entry, "payload"));
    each(input, "messages", |message| {
        each(message, "content", |part| {
            if part.get("type").and_then(Value::as_str).is_some_and(|kind| MEDIA.contains(&kind)) {
                drop_null(part, "metadata");
            }
        });
    });
}

fn each(value: &mut Value, key: &str, change: impl FnMut(&mut Value)) {
    if let Some(Value::Array(items)) = value.get_mut(key) {
        items.iter_mut().for_each(change);
    }
}

fn drop_null(value: &mut Value, key: &str) {
    if let Value::Object(members) = value
        && members.get(key).is_some_and(Value::is_null)
    {
        members.remove(key);
        tracing::warn!(key, "a `null` is read as an absent member");
    }
}

/// Whether a part has the one kind that 0.x had for all media.
pub(super) fn is_binary(part: &Value) -> bool {
    part.get("type").is_some_and(|kind| kind == "binary")
        && part.get("mimeType").is_some_and(Value::is_string)
}

/// The part as 1.0 writes it; `None` where there is only an id to go by.
pub(super) fn upgrade(part: &Value) -> Option<Value> {
    let text = |key| part.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let mime_type = text("mimeType").unwrap_or_default();
    let kind = match mime_type.split_once('/') {
        Some(("image", _)) => ImagePart::TYPE,
        Some(("audio", _)) => AudioPart::TYPE,
        Some(("video", _)) => VideoPart::TYPE,
        _ => DocumentPart::TYPE,
    };
    let (source, value) = match (text("data"), text("url")) {
        (Some(data), _) => ("data", data),
        (None, Some(url)) => ("url", url),
        (None, None) => return None,
    };
    let mut upgraded = json!({
        "type": kind,
        "source": { "type": source, "value": value, "mimeType": mime_type },
    });
    if let (Some(filename), Value::Object(members)) = (text("filename"), &mut upgraded) {
        members
            .insert("metadata".to_owned(), Map::from_iter([("filename".to_owned(), filename.into())]).into());
    }
    Some(upgraded)
}

/// Whether the message says the same in the modern way too: some clients send both.
pub(super) fn is_mirrored(upgraded: &Value, current: &[Value]) -> bool {
    let filename = upgraded.pointer("/metadata/filename");
    current.iter().any(|part| {
        part.get("type") == upgraded.get("type")
            && ["/source/type", "/source/value", "/source/mimeType"]
                .iter()
                .all(|place| part.pointer(place) == upgraded.pointer(place))
            && (filename.is_none() || part.pointer("/metadata/filename") == filename)
    })
}
