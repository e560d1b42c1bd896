//! Splits a tool's arguments into members before their types are known. serde_json's object reader is compiled once for each type;
//! this reader is compiled once.

use std::fmt;
use std::vec;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor,
};
use serde_json::Error;
use serde_json::de::StrRead;
use serde_json::value::RawValue;

use crate::protocol::forms::members::ReadMembers;

pub(in crate::agent::tool) type ArgumentReader<'t> = serde_json::Deserializer<StrRead<'t>>;

/// A tool's arguments text during parsing.
#[doc(hidden)]
pub struct ArgumentText<'t> {
    pub(in crate::agent::tool) text: &'t str,
    pub(in crate::agent::tool) reader: ArgumentReader<'t>,
    /// Position for an error without a position; `None` unless the text is parsed by members.
    place: Option<usize>,
}

/// Parses a tool's arguments. An error may lack a position, which [`ArgumentText::placed`] adds.
#[doc(hidden)]
pub type ArgumentReadFn<T> = fn(&mut ArgumentText<'_>) -> Result<T, Error>;

/// Parses arguments with any type.
pub(in crate::agent::tool) fn read_any<T: DeserializeOwned>(text: &mut ArgumentText<'_>) -> Result<T, Error> {
    T::deserialize(&mut text.reader)
}

/// Parses arguments from their members. The errors match serde_json's, at the same positions, except for text that is not JSON,
/// which is found first. [`ArgumentText::placed`] adds missing positions.
///
/// # Errors
/// If a member is missing, given twice, or has another type, or if the text is no object.
#[doc(hidden)]
pub fn read_by_member<T: ReadMembers>(text: &mut ArgumentText<'_>) -> Result<T, Error> {
    match text.members(T::EXPECTING) {
        Ok(members) => T::read_members(members),
        // `?` would compile a conversion of the error for each tool.
        Err(error) => Err(error),
    }
}

impl<'t> ArgumentText<'t> {
    pub(in crate::agent::tool) fn new(text: &'t str) -> Self {
        Self { text, reader: ArgumentReader::from_str(text), place: None }
    }

    fn members(&mut self, expecting: &'static str) -> Result<RawMembers<'t, '_>, Error> {
        let text = self.text;
        let members = self.reader.deserialize_map(RawMembersVisitor(expecting))?;
        let behind = members.last().map_or(0, |(_, value)| offset(text, value.get()) + value.get().len());
        let end = text.get(behind..).and_then(|rest| rest.find('}')).map_or(behind, |at| behind + at + 1);
        let place = self.place.insert(0);
        Ok(RawMembers { text, members: members.into_iter(), value: "", place, end })
    }

    /// Returns the error with its position.
    pub(in crate::agent::tool) fn placed(&self, error: Error) -> Error {
        match self.place {
            Some(place) => placed(error, self.text, place),
            None => error,
        }
    }
}

struct RawMembers<'t, 'p> {
    text: &'t str,
    members: vec::IntoIter<(String, &'t RawValue)>,
    /// The last name's value.
    value: &'t str,
    /// Position for an error without a position: after the last name, or after the object.
    place: &'p mut usize,
    end: usize,
}

impl RawMembers<'_, '_> {
    fn next(&mut self) -> Option<String> {
        let Some((name, value)) = self.members.next() else {
            *self.place = self.end;
            return None;
        };
        self.value = value.get();
        let start = offset(self.text, self.value);
        *self.place = self.text.get(..start).and_then(|before| before.rfind(':')).unwrap_or(start);
        Some(name)
    }
}

impl RawMembers<'_, '_> {
    /// Returns the error for a value with unparsed text at its end: 128-bit integers are parsed up to the first character that is
    /// no digit.
    fn end_of(&self, mut value: ArgumentReader<'_>) -> Option<Error> {
        let error = value.end().err()?;
        let (line, column) = (error.line(), error.column());
        // As the reader of whole objects says it.
        let error = Error::custom(format_args!("expected `,` or `}}`{}", at(line, column)));
        Some(moved(&error, self.text, offset(self.text, self.value)))
    }
}

impl<'t> MapAccess<'t> for RawMembers<'t, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.next().map(|name| seed.deserialize(name.into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let mut value = serde_json::Deserializer::from_str(self.value);
        match seed.deserialize(&mut value) {
            Ok(read) => match self.end_of(value) {
                None => Ok(read),
                Some(error) => Err(error),
            },
            Err(error) => Err(moved(&error, self.text, offset(self.text, self.value))),
        }
    }
}

struct RawMembersVisitor(&'static str);

impl<'t> Visitor<'t> for RawMembersVisitor {
    type Value = Vec<(String, &'t RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

/// Returns the offset at which a part begins in a text.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Moves an error from a part to its position in the whole text. serde_json parses the position from the message end for an error
/// that is made from a message.
fn moved(error: &Error, text: &str, offset: usize) -> Error {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let message = whole.strip_suffix(&at(line, column)).unwrap_or(&whole);
    let (lines, columns) = place(text, offset);
    let column = if line <= 1 { columns + column } else { column };
    Error::custom(format_args!("{message}{}", at(lines + line.max(1) - 1, column)))
}

/// Returns the error with this position, unless it already has a position.
fn placed(error: Error, text: &str, offset: usize) -> Error {
    if error.line() > 0 {
        return error;
    }
    let (line, column) = place(text, offset);
    Error::custom(format_args!("{error}{}", at(line, column)))
}

/// Returns the line, from 1, and the byte count before the offset in that line.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    let lines = before.iter().filter(|byte| **byte == b'\n').count();
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    (lines + 1, column)
}

fn at(line: usize, column: usize) -> String {
    format!(" at line {line} column {column}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::agent::tool::Tool;
    use crate::prelude::*;

    /// Orders something.
    #[tool]
    async fn order(name: String, count: Option<u32>, lines: Vec<(String, f64)>, r#type: bool) {
        let _ = (name, count, lines, r#type);
    }

    fn by_member(text: &str) -> Result<order, String> {
        let mut text = ArgumentText::new(text);
        let read = (order::READ)(&mut text).map_err(|error| text.placed(error));
        read.and_then(|read| text.reader.end().map(|()| read)).map_err(|error| error.to_string())
    }

    fn at_once(text: &str) -> Result<order, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn assert_same(text: &str) {
        let json = |read: Result<order, String>| read.map(|order| serde_json::to_value(order).unwrap());
        assert_eq!(json(by_member(text)), json(at_once(text)), "{text}");
    }

    #[test]
    fn a_text_is_the_same_value_or_error_for_both_readers() {
        let head = "{ \"name\" : \"rice\",\n\t\"lines\": [[\"é\", 1.5],\n[\"b\",2]]";
        for text in [
            "",
            " ",
            "{}",
            "[1]",
            "7",
            "null",
            "{\"nam\\u0065\":1,\"lines\":[],\"type\":true}",
            "{\"name\":\"a\", \"name\" :\"b\"}",
            "{\"other\":1,\"other\":{\"name\":2},\"name\":\"a\",\"lines\":[],\"type\":true}",
            &format!("{head}}}"),
            &format!("{head},\"type\":true}}"),
            &format!("{head},\"type\":true,}}"),
            &format!("{head},\"type\":true}} x"),
            &format!("{head},\"type\":tru}}"),
            &format!("{head},\"type\":\n\"}}\"\n}}"),
            &format!("{head},\n\n \"type\" : true, \"count\": -1 }}"),
            &format!("{head},\"type\":true,\"count\":\n4294967296}}"),
            &format!("{head},\"type\":true,\"count\":null , \"x}}\" : [{{}}] \n }}  "),
            &format!("{head},\"lines\":[]}}"),
            "{\"name\":\"a\",\"lines\":[[\"a\",1],\n[\"b\",\n\"c\"]],\"type\":true}",
            "{\"name\":\"a\",\"lines\":[[\"a\"]],\"type\":true}",
            "{\"name\":\"\\ud800\",\"lines\":[],\"type\":true}",
            "{\"name\":\"a\",\"lines\":[],\"type\":true",
        ] {
            assert_same(text);
        }
    }

    /// An order's members that can be parsed.
    fn members() -> impl Strategy<Value = Vec<(&'static str, &'static str)>> {
        Just(vec![
            ("name", "\"ri\\nce\""),
            ("count", "7"),
            ("lines", "[[\"é\",\n 2]]"),
            ("type", "true"),
            ("other", "{\"name\":1}"),
        ])
        .prop_shuffle()
    }

    const VALUES: [&str; 9] =
        ["\"a\"", "1", "-1", "1.5", "[]", "null", "[[\"a\",\n 2]]", "{\"name\":\n1}", "4294967296"];

    /// Value texts, with more after a number than some readers read.
    const SCALARS: &[&str] = &[
        "0",
        "-0",
        "7",
        "-7",
        "255",
        "256",
        "-129",
        "65536",
        "4294967296",
        "18446744073709551616",
        "340282366920938463463374607431768211455",
        "340282366920938463463374607431768211456",
        "1e18",
        "1E2",
        "1e0",
        "2.9",
        "-2.5",
        "1.0",
        "1.5e300",
        "1e400",
        "-1e-400",
        "0.1",
        "true",
        "false",
        "null",
        "\"a\"",
        "\"ab\"",
        "\"\"",
        "\"1\"",
        "[]",
        "[1]",
        "{}",
        "[1e3]",
    ];

    fn assert_scalar<T: serde::de::DeserializeOwned + fmt::Debug>(number: &str) {
        #[derive(serde::Deserialize, Debug)]
        struct One<T> {
            value: T,
        }

        impl<T: serde::de::DeserializeOwned> ReadMembers for One<T> {
            const EXPECTING: &'static str = "struct One";

            fn read_members<'de, M: MapAccess<'de>>(mut members: M) -> Result<Self, M::Error> {
                let mut value = None;
                while let Some(name) = members.next_key::<String>()? {
                    assert_eq!(name, "value");
                    value = Some(members.next_value()?);
                }
                Ok(Self { value: value.ok_or_else(|| M::Error::missing_field("value"))? })
            }
        }

        for text in [format!("{{\"value\":{number}}}"), format!("{{\n \"value\" : {number} \n}}")] {
            let mut members = ArgumentText::new(&text);
            let ours = read_by_member::<One<T>>(&mut members).map_err(|error| members.placed(error));
            let ours = ours.map(|one| format!("{:?}", one.value)).map_err(|error| error.to_string());
            let whole = serde_json::from_str::<One<T>>(&text);
            let whole = whole.map(|one| format!("{:?}", one.value)).map_err(|error| error.to_string());
            assert_eq!(ours, whole, "{text} as {}", std::any::type_name::<T>());
        }
    }

    fn assert_scalars(number: &str) {
        macro_rules! each {
            ($($name:ty),*) => {
                $(assert_scalar::<$name>(number); assert_scalar::<Option<$name>>(number); assert_scalar::<Vec<$name>>(number);)*
            };
        }
        each!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, String);
        each!(
            std::num::NonZeroU8,
            std::num::NonZeroU128,
            std::num::NonZeroI128,
            std::num::Wrapping<u128>,
            (),
            [u128; 1]
        );
    }

    #[test]
    fn scalars_are_read_to_their_end() {
        SCALARS.iter().for_each(|number| assert_scalars(number));
    }

    proptest! {
        #[test]
        fn members_that_are_wrong_or_missing_or_given_twice_are_the_same_error(
            members in members(),
            mistakes in proptest::collection::vec((0_usize..5, proptest::sample::select(&VALUES[..]), 0_u8..3), 0..4),
            space in "[ \n\t]{0,3}",
        ) {
            let mut members = members;
            for (place, value, mistake) in mistakes {
                let Some((name, own)) = members.get_mut(place) else { continue };
                match mistake {
                    0 => *own = value,
                    1 => drop(members.remove(place)),
                    _ => {
                        let name = *name;
                        members.push((name, value));
                    }
                }
            }
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{space}\"{name}\"{space}:{space}{value}{space}"))
                .collect();
            assert_same(&format!("{{{}}}", members.join(",")));
        }

        #[test]
        fn numbers_are_read_to_their_end(number in "-?(0|[1-9][0-9]{0,39})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,3})?") {
            assert_scalars(&number);
        }
    }
}
