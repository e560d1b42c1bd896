//! Checks a value against its shape: finds every value that the shape does not allow (AG-UI 1.0, section "The rule").

use serde_json::{Number, Value};

use super::fault::{ExpectedShape, FoundKind, FrameFaults};
use crate::protocol::forms::shape::{JsonShape, MAX_SAFE, ObjectShape, UnionShape, is_pointer};
use crate::receive::place::FramePath;

/// One walk through a value from which unknown material was removed.
#[derive(Debug, Default)]
pub(super) struct CheckWalk {
    place: FramePath,
    faults: FrameFaults,
}

impl CheckWalk {
    pub(super) fn faults(value: &Value, shape: &JsonShape) -> FrameFaults {
        let mut check = Self::default();
        check.value(value, shape);
        check.faults
    }

    fn value(&mut self, value: &Value, shape: &JsonShape) {
        match (shape, value) {
            (JsonShape::Object(object), Value::Object(members)) => self.object(members, object),
            (JsonShape::Union(union), Value::Object(_)) => self.union(value, union),
            (JsonShape::List { of, at_least }, Value::Array(items)) if items.len() >= *at_least => {
                self.list(items, of);
            }
            (JsonShape::TextOrList { of }, Value::Array(items)) => self.list(items, of),
            (shape, value) if is_of(shape, value) => {}
            (shape, value) => self.fault(expected(shape, value), FoundKind::from(value)),
        }
    }

    fn object(&mut self, members: &serde_json::Map<String, Value>, object: &ObjectShape) {
        for member in object.members {
            let above = self.place.enter(member.key);
            match members.get(member.key) {
                Some(value) => self.value(value, member.shape),
                None if member.optional => {}
                None => self.fault(expected(member.shape, &Value::Null), FoundKind::Missing),
            }
            self.place.leave(&above);
        }
    }

    fn list(&mut self, items: &[Value], of: &JsonShape) {
        for (index, item) in items.iter().enumerate() {
            let above = self.place.enter(index);
            self.value(item, of);
            self.place.leave(&above);
        }
    }

    fn union(&mut self, value: &Value, union: &UnionShape) {
        match value.get(union.key).and_then(Value::as_str).and_then(|tag| union.variant(tag)) {
            Some(shape) => self.value(value, shape),
            None => self.fault(ExpectedShape::Known, FoundKind::from(value)),
        }
    }

    fn fault(&mut self, expected: ExpectedShape, found: FoundKind) {
        self.faults.push(self.place.as_str(), expected, found);
    }
}

/// Returns true if the shape allows a value without members.
fn is_of(shape: &JsonShape, value: &Value) -> bool {
    match (shape, value) {
        (JsonShape::Text | JsonShape::TextOrList { .. }, Value::String(_))
        | (JsonShape::Boolean, Value::Bool(_))
        | (JsonShape::Open, Value::Object(_))
        | (JsonShape::Any | JsonShape::NullIsAbsent, _) => true,
        (JsonShape::NonNull, value) => !value.is_null(),
        (JsonShape::Literal(literal), Value::String(text)) => text == literal,
        (JsonShape::OneOf(set), Value::String(text)) => set.contains(&text.as_str()),
        (JsonShape::Pointer, Value::String(text)) => is_pointer(text),
        (JsonShape::Integer { min }, Value::Number(number)) => is_integer(number, *min),
        _ => false,
    }
}

fn is_integer(number: &Number, min: i64) -> bool {
    if let Some(integer) = number.as_i64() {
        return (min..=MAX_SAFE).contains(&integer);
    }
    // Also accepts a whole number with a fraction or an exponent; one that does not fit an i64 is too large
    // anyway.
    number
        .as_f64()
        .is_some_and(|float| float.trunc() == float && float >= min as f64 && float <= MAX_SAFE as f64)
}

fn expected(shape: &JsonShape, value: &Value) -> ExpectedShape {
    match shape {
        JsonShape::Text => ExpectedShape::Text,
        JsonShape::Literal(text) => ExpectedShape::Literal(text),
        JsonShape::OneOf(set) => ExpectedShape::OneOf(set),
        JsonShape::Pointer => ExpectedShape::Pointer,
        JsonShape::Boolean => ExpectedShape::Boolean,
        JsonShape::Integer { min } => ExpectedShape::Integer { min: *min, max: MAX_SAFE },
        JsonShape::Any | JsonShape::NullIsAbsent => ExpectedShape::Value,
        JsonShape::NonNull => ExpectedShape::NonNull,
        JsonShape::Open | JsonShape::Object(_) | JsonShape::Union(_) => ExpectedShape::Object,
        JsonShape::List { at_least: 1.., .. } if value.is_array() => ExpectedShape::NonEmptyList,
        JsonShape::List { .. } => ExpectedShape::List,
        JsonShape::TextOrList { .. } => ExpectedShape::TextOrList,
    }
}
