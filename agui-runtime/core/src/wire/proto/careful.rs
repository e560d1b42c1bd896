//! The careful reader: from any bytes to the event's JSON.

use std::borrow::Cow;

use serde_json::Value;

use super::content::PARTS;
use super::error::{DecodeError, DecodeFault};
use super::fields::{Fields, Payload, known_integer};
use super::patch;
use super::schema::{Kind, MessageTable, Presence, Row};
use super::shape::Shape;
use super::value::{self, text_of};
use crate::protocol::JsonObject;
use crate::protocol::forms::shape::MAX_SAFE;

/// The JSON paths of parts that are left out because their kind is unknown.
pub(super) type Lost = Vec<String>;

/// Reads a message; `None` if the kind is unknown. `base` is the field that every event has.
///
/// A repeated message is merged: later fields are added (protobuf, "Last One Wins").
pub(super) fn read(
    table: &MessageTable,
    base: Option<&'static Row>,
    bytes: &[u8],
    at: usize,
    lost: &mut Lost,
) -> Result<Option<Value>, DecodeError> {
    let mut object = JsonObject::new();
    let mut inner: Vec<(&'static Row, Cow<'_, [u8]>, usize)> = Vec::new();
    let mut left_out = 0;
    let mut fields = Fields::new(bytes, at);
    while let Some(field) = fields.next()? {
        let row = base.filter(|row| row.number == field.number).or_else(|| table.row(field.number));
        let Some(row) = row else { continue };
        let is_list = matches!(row.presence, Presence::Repeated | Presence::List);
        let value = match (row.kind, field.payload) {
            (Kind::Text, Payload::Bytes(bytes)) => text_of(bytes).into(),
            (Kind::Bool, Payload::Varint(bytes)) => (known_integer(bytes, field.at)? != 0).into(),
            (Kind::Integer, Payload::Varint(bytes)) => integer(bytes, field.at)?.into(),
            // An int32 keeps the lower half.
            (Kind::EventType, Payload::Varint(bytes)) => (known_integer(bytes, field.at)? as i32).into(),
            (Kind::Operation, Payload::Varint(bytes)) => {
                operation(known_integer(bytes, field.at)? as i32).into()
            }
            (Kind::Value, Payload::Bytes(bytes)) => {
                let mut place = object.remove(row.key);
                value::read(&mut place, bytes, field.at, 0)?;
                let Some(value) = place else { continue };
                value
            }
            (Kind::Struct, Payload::Bytes(bytes)) => {
                let place = object.entry(row.key).or_insert_with(|| JsonObject::new().into());
                if let Value::Object(place) = place {
                    value::read_object(place, bytes, field.at, 0)?;
                }
                continue;
            }
            (Kind::Message(table), Payload::Bytes(bytes)) if is_list => {
                let place = format!("/{}/{}", key_in_json(row), count(&object, row) + left_out);
                match read_inner(table, &place, bytes, field.at, lost)? {
                    Some(value) => value,
                    None => {
                        lost.push(place);
                        left_out += 1;
                        object.entry(row.key).or_insert_with(|| Vec::<Value>::new().into());
                        continue;
                    }
                }
            }
            (Kind::Message(_), Payload::Bytes(bytes)) => {
                match inner.iter_mut().find(|(other, ..)| other.number == row.number) {
                    Some((_, before, _)) => before.to_mut().extend_from_slice(bytes),
                    None => inner.push((row, Cow::Borrowed(bytes), field.at)),
                }
                continue;
            }
            // A payload of another type than the field's is unknown, like a field that is not in the table.
            _ => continue,
        };
        match object.get_mut(row.key) {
            Some(Value::Array(items)) if is_list => items.push(value),
            _ => _ = object.insert(row.key.to_owned(), if is_list { vec![value].into() } else { value }),
        }
    }
    if table.shape == Shape::Tagged && inner.len() > 1 {
        return Err(DecodeError::new(at, DecodeFault::TwoMembers));
    }
    let mut is_known = true;
    for (row, bytes, at) in inner {
        let Kind::Message(table) = row.kind else { continue };
        match read_inner(table, &format!("/{}", row.key), &bytes, at, lost)? {
            Some(value) => _ = object.insert(row.key.to_owned(), value),
            None => is_known = false,
        }
    }
    if !is_known {
        return Ok(None);
    }
    complete(&mut object, table);
    table.shape.json(object).map_err(|fault| DecodeError::new(at, fault))
}

/// Reads a nested message; `place` is the path within the outer message's JSON.
fn read_inner(
    table: &MessageTable,
    place: &str,
    bytes: &[u8],
    at: usize,
    lost: &mut Lost,
) -> Result<Option<Value>, DecodeError> {
    let before = lost.len();
    let value = read(table, None, bytes, at, lost)?;
    lost.iter_mut().skip(before).for_each(|inside| inside.insert_str(0, place));
    Ok(value)
}

/// Adds the empty value for every absent required member.
fn complete(object: &mut JsonObject, table: &MessageTable) {
    for row in table.rows {
        let empty = match (row.presence, row.kind) {
            (Presence::Plain, Kind::Operation) => operation(0).into(),
            (Presence::Plain, Kind::EventType) => 0.into(),
            (Presence::Plain, _) => Value::String(String::new()),
            (Presence::List, _) => Vec::<Value>::new().into(),
            (Presence::Optional | Presence::Repeated, _) => continue,
        };
        object.entry(row.key).or_insert(empty);
    }
}

fn integer(bytes: &[u8], at: usize) -> Result<i64, DecodeError> {
    let value = known_integer(bytes, at)? as i64;
    if (-MAX_SAFE..=MAX_SAFE).contains(&value) {
        Ok(value)
    } else {
        Err(DecodeError::new(at, DecodeFault::Integer))
    }
}

/// Returns an operation's name. An unknown number becomes its own name, which no operation has.
fn operation(code: i32) -> String {
    let name = usize::try_from(code).ok().and_then(|code| patch::NAMES.get(code));
    name.map_or_else(|| code.to_string(), |name| (*name).to_owned())
}

fn count(object: &JsonObject, row: &Row) -> usize {
    object.get(row.key).and_then(Value::as_array).map_or(0, Vec::len)
}

fn key_in_json(row: &Row) -> &'static str {
    if row.key == PARTS { "content" } else { row.key }
}
