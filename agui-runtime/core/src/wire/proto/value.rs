//! Any JSON value ⇄ `google.protobuf.Value`.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

use super::error::{DecodeError, DecodeFault};
use super::fields::{Fields, Payload, known_integer};
use super::out::Out;
use crate::protocol::JsonObject;

const NULL: u32 = 1;
const NUMBER: u32 = 2;
const TEXT: u32 = 3;
const BOOL: u32 = 4;
pub(super) const STRUCT: u32 = 5;
const LIST: u32 = 6;

/// The only field in `Struct` and in `ListValue`.
const ENTRY: u32 = 1;
const KEY: u32 = 1;
const VALUE: u32 = 2;

/// Deeper than the deepest JSON text that serde_json reads, with the event around the text.
const DEEPEST: usize = 126;

/// Writes the fields for a value's message.
pub(super) fn put(value: &Value, out: &mut Out) {
    match value {
        Value::Null => out.integer(NULL, 0),
        Value::Bool(value) => out.integer(BOOL, u64::from(*value)),
        Value::Number(number) => match number.as_f64() {
            Some(number) => out.double(NUMBER, number),
            // A program may enable serde_json's numbers of arbitrary precision.
            None => {
                out.error.get_or_insert_with(|| Error::custom(format_args!("{number} is no double")));
            }
        },
        Value::String(text) => out.text(TEXT, text),
        Value::Array(items) => {
            out.message(LIST, |out| items.iter().for_each(|item| out.message(ENTRY, |out| put(item, out))));
        }
        Value::Object(object) => out.message(STRUCT, |out| put_object(object, out)),
    }
}

/// Writes the fields for a `Struct`.
pub(super) fn put_object(object: &JsonObject, out: &mut Out) {
    for (key, value) in object {
        out.message(ENTRY, |out| {
            out.plain_text(KEY, key);
            out.message(VALUE, |out| put(value, out));
        });
    }
}

/// Writes the fields for a value's message from the value's text.
pub(super) fn write<'de, D: Deserializer<'de>>(value: D, out: &mut Out) -> Result<(), D::Error> {
    Writer(out).deserialize(value)
}

fn write_entry<E>(key: &str, out: &mut Out, value: impl FnOnce(&mut Out) -> Result<(), E>) -> Result<(), E> {
    let mut written = Ok(());
    out.message(ENTRY, |out| {
        out.plain_text(KEY, key);
        out.message(VALUE, |out| written = value(out));
    });
    written
}

struct Writer<'o>(&'o mut Out);

impl<'de> DeserializeSeed<'de> for Writer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        value.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Writer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.0.integer(NULL, 0);
        Ok(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.integer(BOOL, value.into());
        Ok(())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.visit_f64(value as f64)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.double(NUMBER, value);
        Ok(())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.0.text(TEXT, text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut written = Ok(());
        self.0.message(LIST, |out| {
            written = (|| {
                while items.next_element_seed(Item(out))?.is_some() {}
                Ok(())
            })();
        });
        written
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut written = Ok(());
        self.0.message(STRUCT, |out| {
            written = (|| {
                while let Some(Key(key)) = members.next_key()? {
                    write_entry(&key, out, |out| members.next_value_seed(Writer(out)))?;
                }
                Ok(())
            })();
        });
        written
    }
}

/// A list element.
struct Item<'o>(&'o mut Out);

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, value: D) -> Result<(), D::Error> {
        let mut written = Ok(());
        self.0.message(ENTRY, |out| written = write(value, out));
        written
    }
}

/// A name, borrowed if the text allows.
#[derive(serde::Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

/// Reads a value's message into `place`. A value in `place` with the same kind is extended, as if both messages were one. `place`
/// stays unchanged if the message is empty.
pub(super) fn read(
    place: &mut Option<Value>,
    bytes: &[u8],
    at: usize,
    depth: usize,
) -> Result<(), DecodeError> {
    let mut fields = Fields::new(bytes, at);
    while let Some(field) = fields.next()? {
        match (field.number, field.payload) {
            (NULL, Payload::Varint(bytes)) => {
                known_integer(bytes, field.at)?;
                *place = Some(Value::Null);
            }
            (NUMBER, Payload::Fixed(bits)) => *place = Some(number(f64::from_bits(bits))),
            (TEXT, Payload::Bytes(text)) => *place = Some(Value::String(text_of(text))),
            (BOOL, Payload::Varint(bytes)) => *place = Some((known_integer(bytes, field.at)? != 0).into()),
            (STRUCT, Payload::Bytes(bytes)) => {
                if !matches!(place, Some(Value::Object(_))) {
                    *place = Some(Value::Object(JsonObject::new()));
                }
                if let Some(Value::Object(object)) = place {
                    read_object(object, bytes, field.at, deeper(depth, field.at)?)?;
                }
            }
            (LIST, Payload::Bytes(bytes)) => {
                if !matches!(place, Some(Value::Array(_))) {
                    *place = Some(Value::Array(Vec::new()));
                }
                if let Some(Value::Array(items)) = place {
                    read_list(items, bytes, field.at, deeper(depth, field.at)?)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn deeper(depth: usize, at: usize) -> Result<usize, DecodeError> {
    if depth < DEEPEST { Ok(depth + 1) } else { Err(DecodeError::new(at, DecodeFault::TooDeep)) }
}

/// Adds the entries in a `Struct`; a later duplicate key wins.
pub(super) fn read_object(
    object: &mut JsonObject,
    bytes: &[u8],
    at: usize,
    depth: usize,
) -> Result<(), DecodeError> {
    let mut entries = Fields::new(bytes, at);
    while let Some(entry) = entries.next()? {
        let (ENTRY, Payload::Bytes(bytes)) = (entry.number, entry.payload) else { continue };
        let (mut key, mut value) = (String::new(), None);
        let mut fields = Fields::new(bytes, entry.at);
        while let Some(field) = fields.next()? {
            match (field.number, field.payload) {
                (KEY, Payload::Bytes(text)) => key = text_of(text),
                (VALUE, Payload::Bytes(bytes)) => read(&mut value, bytes, field.at, depth)?,
                _ => {}
            }
        }
        if let Some(value) = value {
            object.insert(key, value);
        }
    }
    Ok(())
}

fn read_list(items: &mut Vec<Value>, bytes: &[u8], at: usize, depth: usize) -> Result<(), DecodeError> {
    let mut fields = Fields::new(bytes, at);
    while let Some(field) = fields.next()? {
        let (ENTRY, Payload::Bytes(bytes)) = (field.number, field.payload) else { continue };
        let mut item = None;
        read(&mut item, bytes, field.at, depth)?;
        // An element of a list cannot be absent.
        items.push(item.unwrap_or_default());
    }
    Ok(())
}

/// Converts a double to JSON, which has no number for infinity and NaN. A whole number gets no fraction, as in JavaScript.
fn number(value: f64) -> Value {
    const EXACT: f64 = (1_i64 << 53) as f64;
    if value.trunc() == value && value.abs() <= EXACT {
        return Value::from(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

/// Converts bytes to text; invalid UTF-8 becomes U+FFFD, as in JavaScript.
pub(super) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
