//! Removes material that the shapes do not describe; described values are not checked here (AG-UI 1.0, section "The rule").

use std::fmt::Display;

use serde_json::Value;

use crate::protocol::forms::shape::{JsonShape, ObjectShape, UnionShape};
use crate::receive::place::FramePath;

/// The decision about a value: keep or drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StripVerdict {
    Keep,
    /// The value is unknown as a whole; the value around it decides.
    Drop,
}

/// One walk through a value, and the paths of the removed material.
#[derive(Debug, Default)]
pub(super) struct StripWalk {
    /// True if an unknown member of a closed set of strings is unknown rather than malformed.
    sets: bool,
    place: FramePath,
    stripped: Vec<String>,
}

impl StripWalk {
    pub(super) fn new(sets: bool) -> Self {
        Self { sets, ..Self::default() }
    }

    /// Returns the paths of the removed material.
    pub(super) fn into_stripped(self) -> Vec<String> {
        self.stripped
    }

    /// Strips a value. A value of the wrong kind stays: it is malformed, not unknown.
    pub(super) fn value(&mut self, value: &mut Value, shape: &JsonShape) -> StripVerdict {
        match (shape, value) {
            (JsonShape::Object(object), Value::Object(members)) => self.object(members, object),
            (JsonShape::Union(union), value @ Value::Object(_)) => self.union(value, union),
            (JsonShape::List { of, .. } | JsonShape::TextOrList { of }, Value::Array(items)) => {
                self.list(items, of);
                StripVerdict::Keep
            }
            (JsonShape::OneOf(set), Value::String(text)) if self.sets && !set.contains(&text.as_str()) => {
                StripVerdict::Drop
            }
            _ => StripVerdict::Keep,
        }
    }

    fn object(&mut self, members: &mut serde_json::Map<String, Value>, object: &ObjectShape) -> StripVerdict {
        let mut verdict = StripVerdict::Keep;
        members.retain(|key, value| {
            let Some(member) = object.member(key) else {
                if !object.open {
                    self.leave_out(key);
                }
                return object.open;
            };
            let before = self.stripped.len();
            if self.inside(key, value, member.shape) == StripVerdict::Keep {
                return true;
            }
            // Losses inside of something that is itself removed are not reported.
            self.stripped.truncate(before);
            if member.optional {
                self.leave_out(key);
            } else {
                verdict = StripVerdict::Drop;
            }
            false
        });
        verdict
    }

    fn inside(&mut self, segment: impl Display, value: &mut Value, shape: &JsonShape) -> StripVerdict {
        let above = self.place.enter(segment);
        let verdict = self.value(value, shape);
        self.place.leave(&above);
        verdict
    }

    fn leave_out(&mut self, segment: impl Display) {
        self.stripped.push(format!("{}/{segment}", self.place.as_str()));
    }

    fn list(&mut self, items: &mut Vec<Value>, of: &JsonShape) {
        let mut index = 0;
        items.retain_mut(|item| {
            let here = index;
            index += 1;
            let before = self.stripped.len();
            let verdict = self.inside(here, item, of);
            if verdict == StripVerdict::Drop {
                self.stripped.truncate(before);
                self.leave_out(here);
            }
            verdict == StripVerdict::Keep
        });
    }

    fn union(&mut self, value: &mut Value, union: &UnionShape) -> StripVerdict {
        let tag = value.get(union.key).and_then(Value::as_str);
        match tag.and_then(|tag| union.variant(tag)) {
            Some(shape) => self.value(value, shape),
            None => StripVerdict::Drop,
        }
    }
}
