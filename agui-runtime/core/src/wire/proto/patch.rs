//! Patches: an operation's name is a number, and the members have another order than in JSON.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, Payload, integer};
use super::out::Out;
use super::schema::{Kind, MessageTable, Row};
use super::shape::Shape;
use super::take::text;
use super::value;
use crate::protocol::{
    AddOperation, CopyOperation, JsonObject, JsonPatch, JsonPointer, MoveOperation, PatchOperation,
    RemoveOperation, ReplaceOperation, TestOperation,
};

const OP: u32 = 1;
const PATH: u32 = 2;
const FROM: u32 = 3;
const VALUE: u32 = 4;

/// The operation names, indexed by number.
pub(super) const NAMES: [&str; 6] = [
    AddOperation::OP,
    RemoveOperation::OP,
    ReplaceOperation::OP,
    MoveOperation::OP,
    CopyOperation::OP,
    TestOperation::OP,
];

pub(super) const TABLE: MessageTable = MessageTable {
    rows: &[
        Row::plain(OP, "op", Kind::Operation),
        Row::plain(PATH, "path", Kind::Text),
        Row::optional(FROM, "from", Kind::Text),
        Row::optional(VALUE, "value", Kind::Value),
    ],
    shape: Shape::AsItIs,
};

/// Writes each operation as a field.
pub(super) fn write(patch: &JsonPatch, number: u32, out: &mut Out) {
    if let Some(text) = patch.as_text() {
        let mut json = serde_json::Deserializer::from_str(text);
        if let Err(error) = json.deserialize_seq(Operations { number, out }) {
            out.error.get_or_insert(error);
        }
        return;
    }
    match patch.operations() {
        Ok(operations) => operations.iter().for_each(|operation| write_operation(operation, number, out)),
        Err(error) => _ = out.error.get_or_insert(error),
    }
}

/// A visitor that writes a patch's operations while parsing the text.
struct Operations<'o> {
    number: u32,
    out: &'o mut Out,
}

impl<'de> Visitor<'de> for Operations<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of operations")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut operations: A) -> Result<(), A::Error> {
        while let Some(operation) = operations.next_element::<Written<'_>>()? {
            operation.write(self.number, self.out);
        }
        Ok(())
    }
}

/// An operation in a patch's text.
#[derive(Deserialize)]
struct Written<'t> {
    #[serde(borrow)]
    op: Cow<'t, str>,
    #[serde(borrow)]
    path: Cow<'t, str>,
    #[serde(borrow, default)]
    from: Option<Cow<'t, str>>,
    #[serde(borrow, default)]
    value: Text<'t>,
}

/// A present member's text, `null` included.
#[derive(Default)]
struct Text<'t>(Option<&'t RawValue>);

impl<'de: 't, 't> Deserialize<'de> for Text<'t> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|text| Self(Some(text)))
    }
}

impl Written<'_> {
    fn write(&self, number: u32, out: &mut Out) {
        out.message(number, |out| {
            head(&self.op, &self.path, self.from.as_deref(), out);
            if let Text(Some(text)) = self.value {
                out.value_text(VALUE, text.get());
            }
        });
    }
}

/// Writes an operation. An undefined member is written if the message has a field for that member.
fn write_operation(operation: &PatchOperation, number: u32, out: &mut Out) {
    let path = operation.path().as_str();
    let (op, from, value, undefined) = match operation {
        PatchOperation::Add(it) => (AddOperation::OP, None, Some(&it.value), &it.undefined),
        PatchOperation::Remove(it) => (RemoveOperation::OP, None, None, &it.undefined),
        PatchOperation::Replace(it) => (ReplaceOperation::OP, None, Some(&it.value), &it.undefined),
        PatchOperation::Move(it) => (MoveOperation::OP, Some(it.from.as_str()), None, &it.undefined),
        PatchOperation::Copy(it) => (CopyOperation::OP, Some(it.from.as_str()), None, &it.undefined),
        PatchOperation::Test(it) => (TestOperation::OP, None, Some(&it.value), &it.undefined),
    };
    let other = |key| undefined.as_deref().and_then(|undefined: &JsonObject| undefined.get(key));
    out.message(number, |out| {
        head(op, path, from.or_else(|| other("from").and_then(Value::as_str)), out);
        if let Some(value) = value.or_else(|| other("value")) {
            out.value(VALUE, value);
        }
    });
}

fn head(op: &str, path: &str, from: Option<&str>, out: &mut Out) {
    let code = NAMES.iter().position(|name| *name == op).unwrap_or_default();
    if code > 0 {
        out.integer(OP, code as u64);
    }
    out.plain_text(PATH, path);
    if let Some(from) = from {
        out.text(FROM, from);
    }
}

/// Reads an operation with the fast reader.
pub(super) fn taken(bytes: &[u8]) -> Option<PatchOperation> {
    let (mut code, mut path, mut from, mut value) = (0, "", None, None);
    let mut fields = Fields::new(bytes, 0);
    while let Some(field) = fields.next().ok()? {
        match (field.number, field.payload) {
            (OP, Payload::Varint(bytes)) if bytes.len() <= 10 => code = integer(bytes),
            (PATH, payload) => path = text(payload)?,
            (FROM, payload) => from = Some(text(payload)?),
            (VALUE, Payload::Bytes(bytes)) => value::read(&mut value, bytes, 0, 0).ok()?,
            _ => return None,
        }
    }
    let path: JsonPointer = path.parse().ok()?;
    let name = *NAMES.get(usize::try_from(code).ok()?)?;
    let pointer = |from: Option<&str>| from?.parse::<JsonPointer>().ok();
    // Every other combination is left to the careful reader.
    Some(match (name, from, value) {
        (AddOperation::OP, None, Some(value)) => PatchOperation::add(path, value),
        (RemoveOperation::OP, None, None) => PatchOperation::remove(path),
        (ReplaceOperation::OP, None, Some(value)) => PatchOperation::replace(path, value),
        (MoveOperation::OP, from, None) => PatchOperation::move_(pointer(from)?, path),
        (CopyOperation::OP, from, None) => PatchOperation::copy(pointer(from)?, path),
        (TestOperation::OP, None, Some(value)) => PatchOperation::test(path, value),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::protocol::{Event, JsonDocument, JsonPatch, StateDeltaEvent, StateSnapshotEvent};
    use crate::wire::proto::encode;

    fn frame(event: impl Into<Event>) -> Vec<u8> {
        let mut out = Vec::new();
        encode(&event.into(), &mut out).unwrap();
        out
    }

    #[test]
    fn text_and_its_value_are_written_alike() {
        let value = json!({ "k": [1, -2.5, 1e300, "\u{e9}\n", true, null, {}], "": "x".repeat(200) });
        let operations = json!([
            { "op": "replace", "path": "/a\"\\b", "value": value },
            { "op": "move", "from": "/a\t", "path": "" },
            { "op": "remove", "path": "/x" },
            { "op": "add", "path": "/-", "value": null },
        ]);
        let text = JsonPatch::from_text(operations.to_string()).unwrap();
        let parsed: JsonPatch = serde_json::from_value(operations).unwrap();
        assert_eq!(frame(StateDeltaEvent::new(text)), frame(StateDeltaEvent::new(parsed)));

        let text = JsonDocument::from_text(value.to_string()).unwrap();
        assert_eq!(frame(StateSnapshotEvent::new(text)), frame(StateSnapshotEvent::new(value)));
    }

    #[test]
    fn text_that_cannot_be_read_is_an_error() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let event = StateSnapshotEvent::new(JsonDocument::from_text(deep).unwrap()).into();
        let mut out = vec![7];
        assert!(encode(&event, &mut out).is_err());
        assert_eq!(out, [7]);
    }
}
