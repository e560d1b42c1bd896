//! A response frame, from which a reader takes the members that it knows.

use serde_json::Value;

/// A frame as JSON. A reader takes members out; the rest was not understood.
pub(super) struct ResponseFrame {
    value: Value,
}

impl ResponseFrame {
    pub(super) fn new(value: Value) -> Self {
        Self { value }
    }

    pub(super) fn value(&self) -> &Value {
        &self.value
    }

    /// Returns a member without taking it.
    pub(super) fn get(&self, pointer: &str) -> Option<&Value> {
        self.value.pointer(pointer).filter(|value| !value.is_null())
    }

    /// Takes a member unless it is null.
    pub(super) fn take(&mut self, pointer: &str) -> Option<Value> {
        self.value.pointer_mut(pointer).map(Value::take).filter(|value| !value.is_null())
    }

    /// Takes a string. Other types stay; an empty string is taken, but not returned.
    pub(super) fn text(&mut self, pointer: &str) -> Option<String> {
        let member = self.value.pointer_mut(pointer).filter(|member| member.is_string())?;
        match member.take() {
            Value::String(text) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    /// Takes a number that fits `u32`.
    pub(super) fn index(&mut self, pointer: &str) -> Option<u32> {
        let number = self.get(pointer)?.as_u64().and_then(|number| u32::try_from(number).ok())?;
        self.take(pointer)?;
        Some(number)
    }

    /// Returns an array's length, or 0 without an array.
    pub(super) fn length(&self, pointer: &str) -> usize {
        self.get(pointer).and_then(Value::as_array).map_or(0, Vec::len)
    }

    /// Drops a member that is known, or that a note names.
    pub(super) fn clear(&mut self, pointer: &str) {
        self.take(pointer);
    }

    /// Adds the frame type that the stream names beside the data.
    pub(super) fn name(&mut self, name: &str) {
        if let Value::Object(members) = &mut self.value
            && !members.contains_key("type")
        {
            members.insert("type".to_owned(), name.into());
        }
    }
}
