//! Response members that no reader understood: the log names each, so nothing is dropped silently.

use std::collections::BTreeSet;

use serde_json::Value;

/// The most members named for one response.
const MOST: usize = 256;

/// Unread parts in one response: member paths, and items and blocks by type.
#[derive(Debug, Default)]
pub(super) struct UnreadMembers {
    known: BTreeSet<String>,
    fresh: Vec<String>,
}

impl UnreadMembers {
    /// Notes a skipped part.
    pub(super) fn note(&mut self, what: impl Into<String>) {
        let what = what.into();
        if self.known.len() < MOST && self.known.insert(what.clone()) {
            self.fresh.push(what);
        }
    }

    /// Notes the members that a reader left in a frame. `ignored` lists members known to mean nothing: a path, or a prefix with a
    /// final `*`.
    pub(super) fn left(&mut self, frame: &Value, ignored: &[&str]) {
        let mut path = match frame.get("type").and_then(Value::as_str) {
            Some(name) => format!("{}: ", agui_runtime_core::__leaf::quoted(name)),
            None => String::new(),
        };
        let prefix = path.len();
        self.walk(frame, &mut path, prefix, ignored);
    }

    /// Returns the notes since the last call.
    pub(super) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.fresh)
    }

    fn walk(&mut self, value: &Value, path: &mut String, prefix: usize, ignored: &[&str]) {
        let own = path.get(prefix..).unwrap_or_default();
        let is_ignored = |pattern: &&str| match pattern.strip_suffix('*') {
            Some(begin) => {
                own.strip_prefix(begin).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            }
            None => own == *pattern,
        };
        if !own.is_empty() && ignored.iter().any(is_ignored) {
            return;
        }
        let length = path.len();
        match value {
            Value::Object(members) => {
                for (name, member) in members {
                    if length > prefix {
                        path.push('.');
                    }
                    path.push_str(name);
                    self.walk(member, path, prefix, ignored);
                    path.truncate(length);
                }
            }
            Value::Array(items) => {
                path.push_str("[]");
                for item in items {
                    self.walk(item, path, prefix, ignored);
                }
                path.truncate(length);
            }
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(_) | Value::Bool(_) | Value::Number(_) => self.note(path.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_that_say_something_are_named_once() {
        let mut unread = UnreadMembers::default();
        let frame = json!({ "id": "a", "choices": [{ "delta": { "audio": { "data": "x" } }, "index": 0 }, { "index": 1 }], "none": null, "empty": "" });
        unread.left(&frame, &["id", "choices[].index"]);
        unread.left(&frame, &["id", "choices[].index"]);
        assert_eq!(unread.take(), ["choices[].delta.audio.data"]);
        unread.left(&json!({ "type": "new", "text": "x" }), &["type"]);
        assert_eq!(unread.take(), ["new: text"]);
        unread.left(&json!({ "usage": { "a": 1 } }), &["usage*"]);
        assert!(unread.take().is_empty());
    }
}
