//! What an input may hold that is not AG-UI 1.0, and yet is no reason to refuse it.
//!
//! Members of unions that this version does not know (a role, a kind of part or source) are left out with a warning, the
//! way the protocol wants it for lists (AG-UI 1.0, section "The rule"). Unknown keys need no care here: the protocol
//! types skip them.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::{place, retired};
use crate::protocol::{
    AudioPart, DataSource, DocumentPart, FileSource, ImagePart, Role, TextPart, UrlSource, VideoPart,
};

const MEDIA: [&str; 4] = [ImagePart::TYPE, AudioPart::TYPE, VideoPart::TYPE, DocumentPart::TYPE];
const SOURCES: [&str; 3] = [DataSource::TYPE, UrlSource::TYPE, FileSource::TYPE];

/// Brings retired shapes up to date and leaves out what is unknown; gives what is gone.
pub(super) fn admit(input: &mut Value) -> LeftOut {
    retired::drop_nulls(input);
    let mut left_out = LeftOut::default();
    let Some(Value::Array(messages)) = input.get_mut("messages") else { return left_out };
    left_out.messages = retain(messages, |index, message| {
        if !is_known(message, "role", |role| role.parse::<Role>().is_ok()) {
            tracing::warn!(path = format!("messages[{index}]"), "a message of unknown role is left out");
            return false;
        }
        if let Some(Value::Array(parts)) = message.get_mut("content") {
            left_out.parts.insert(index, admit_parts(index, parts));
        }
        true
    });
    left_out
}

fn admit_parts(message: usize, parts: &mut Vec<Value>) -> Vec<usize> {
    let current: Vec<Value> = if parts.iter().any(retired::is_binary) {
        parts.iter().filter(|part| !retired::is_binary(part)).cloned().collect()
    } else {
        Vec::new()
    };
    retain(parts, |index, part| {
        let path = || format!("messages[{message}].content[{index}]");
        if retired::is_binary(part) {
            match retired::upgrade(part) {
                Some(upgraded) => {
                    if retired::is_mirrored(&upgraded, &current) {
                        return false;
                    }
                    tracing::warn!(path = path(), "a `binary` part is read as `{}`", kind(&upgraded));
                    *part = upgraded;
                }
                None => {
                    tracing::warn!(path = path(), "a `binary` part without data or URL is left out");
                    return false;
                }
            }
        }
        let known = is_known(part, "type", |kind| kind == TextPart::TYPE || MEDIA.contains(&kind))
            && (!MEDIA.contains(&kind(part))
                || part
                    .get("source")
                    .is_none_or(|source| is_known(source, "type", |kind| SOURCES.contains(&kind))));
        if !known {
            tracing::warn!(path = path(), "a content part of unknown kind is left out");
        }
        known
    })
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// Whether an object names a known member of its union. What is no object is not unknown but malformed.
fn is_known(value: &Value, tag: &str, known: impl Fn(&str) -> bool) -> bool {
    !value.is_object() || value.get(tag).and_then(Value::as_str).is_some_and(known)
}

/// Like `Vec::retain`, with places; gives the places of what went.
fn retain(list: &mut Vec<Value>, mut keep: impl FnMut(usize, &mut Value) -> bool) -> Vec<usize> {
    let mut gone = Vec::new();
    let mut index = 0;
    list.retain_mut(|item| {
        let kept = keep(index, item);
        if !kept {
            gone.push(index);
        }
        index += 1;
        kept
    });
    gone
}

/// Where something was left out, so that the places in what remains can be told as the client counts them.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    messages: Vec<usize>,
    /// By message, in the client's count.
    parts: BTreeMap<usize, Vec<usize>>,
}

impl LeftOut {
    /// A place in the document as the client sent it.
    pub(super) fn original(&self, path: &Path) -> String {
        let mut text = String::new();
        let mut message = None;
        for (depth, segment) in path.iter().enumerate() {
            let index = match (depth, segment) {
                (1, Segment::Seq { index }) if text == "messages" => {
                    message = Some(counted(*index, &self.messages));
                    message
                }
                (3, Segment::Seq { index }) if text.ends_with(".content") => {
                    message.and_then(|message| self.parts.get(&message)).map(|gone| counted(*index, gone))
                }
                _ => None,
            };
            place::push(&mut text, segment, index);
        }
        place::or_root(text)
    }
}

/// The place something had before those at `gone` (ascending) went.
fn counted(index: usize, gone: &[usize]) -> usize {
    gone.iter().fold(index, |index, gone| if *gone <= index { index + 1 } else { index })
}
