//! The members of a tool's arguments, split before their types are known. serde_json's reader of objects is compiled once for
//! each type that it reads; this one is compiled once.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Error;
use serde_json::de::StrRead;
use serde_json::value::RawValue;

use crate::protocol::members::found_or_none;

#[doc(hidden)]
pub type Reader<'t> = serde_json::Deserializer<StrRead<'t>>;

/// Reads the arguments of a tool from the reader of this text.
#[doc(hidden)]
pub type ReadFn<T> = for<'t> fn(&mut Reader<'t>, &'t str) -> Result<T, Error>;

/// Arguments that are read from their members.
#[doc(hidden)]
pub trait ReadArguments: Sized {
    /// # Errors
    /// As with serde: the same texts at the same places. If a text has several mistakes, the readers may name different ones.
    fn read_arguments<'t>(reader: &mut Reader<'t>, text: &'t str) -> Result<Self, Error>;
}

/// Reads arguments of any type.
pub(super) fn read_any<'t, T: DeserializeOwned>(reader: &mut Reader<'t>, _: &'t str) -> Result<T, Error> {
    T::deserialize(reader)
}

/// The values of an object, in the order of the names that are asked for.
#[doc(hidden)]
#[derive(Debug)]
pub struct RawMembers<'t> {
    text: &'t str,
    values: Vec<Option<&'t RawValue>>,
    /// The place behind the object.
    end: usize,
}

impl<'t> RawMembers<'t> {
    /// Reads an object; other members are left out.
    ///
    /// # Errors
    /// If the text is no JSON, or no object, or if one of the members is given twice.
    #[doc(hidden)]
    pub fn split(
        reader: &mut Reader<'t>,
        text: &'t str,
        expecting: &'static str,
        names: &'static [&'static str],
    ) -> Result<Self, Error> {
        let members = reader.deserialize_map(Members(expecting))?;
        let mut values = vec![None; names.len()];
        let mut behind = 0;
        for (name, value) in members {
            let start = offset(text, value.get());
            behind = start + value.get().len();
            let known = names.iter().zip(&mut values).find(|(known, _)| **known == name);
            if let Some((name, place)) = known
                && place.replace(value).is_some()
            {
                let colon = text.get(..start).and_then(|before| before.rfind(':')).unwrap_or(start);
                return Err(placed(&Error::duplicate_field(name), text, colon));
            }
        }
        let end = text.get(behind..).and_then(|rest| rest.find('}')).map_or(behind, |at| behind + at + 1);
        Ok(Self { text, values, end })
    }

    /// Reads a member. As with serde's derive, a missing option is `None`.
    ///
    /// # Errors
    /// If it is not of its type, or missing.
    #[doc(hidden)]
    pub fn read<T: Deserialize<'t>>(&self, place: usize, name: &'static str) -> Result<T, Error> {
        match self.values.get(place) {
            Some(Some(value)) => T::deserialize(&mut serde_json::Deserializer::from_str(value.get()))
                .map_err(|error| moved(&error, self.text, offset(self.text, value.get()))),
            _ => found_or_none(None, name).map_err(|error: Error| placed(&error, self.text, self.end)),
        }
    }
}

struct Members(&'static str);

impl<'t> Visitor<'t> for Members {
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

/// Returns where a part of a text begins.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Returns the error of a part of the text at its place in the whole text. serde_json reads the place of an error that is made
/// of a message from the end of the message.
fn moved(error: &Error, text: &str, offset: usize) -> Error {
    let (line, column) = (error.line(), error.column());
    let whole = error.to_string();
    let message = whole.strip_suffix(&at(line, column)).unwrap_or(&whole);
    let (lines, columns) = place(text, offset);
    let column = if line <= 1 { columns + column } else { column };
    Error::custom(format_args!("{message}{}", at(lines + line.max(1) - 1, column)))
}

/// Returns an error that has no place with this one.
fn placed(error: &Error, text: &str, offset: usize) -> Error {
    let (line, column) = place(text, offset);
    Error::custom(format_args!("{error}{}", at(line, column)))
}

/// Returns the line, from 1, and the number of its bytes before the offset.
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
        let mut reader = Reader::from_str(text);
        let read = (order::READ)(&mut reader, text);
        read.and_then(|read| reader.end().map(|()| read)).map_err(|error| error.to_string())
    }

    fn at_once(text: &str) -> Result<order, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    fn assert_same(text: &str) {
        let json = |read: Result<order, String>| read.map(|order| serde_json::to_value(order).unwrap());
        assert_eq!(json(by_member(text)), json(at_once(text)), "{text}");
    }

    #[test]
    fn one_mistake_is_the_same_error_for_both_readers() {
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

    /// The members of an order that can be read.
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

    proptest! {
        /// The readers may name different ones of several mistakes.
        #[test]
        fn a_member_that_is_wrong_or_missing_or_given_twice_is_the_same_error(
            members in members(),
            place in 0_usize..5,
            value in proptest::sample::select(&VALUES[..]),
            mistake in 0_u8..3,
            space in "[ \n\t]{0,3}",
        ) {
            let mut members = members;
            let (name, _) = members[place];
            match mistake {
                0 => members[place].1 = value,
                1 => drop(members.remove(place)),
                _ => members.push((name, value)),
            }
            let members: Vec<_> = members
                .iter()
                .map(|(name, value)| format!("{space}\"{name}\"{space}:{space}{value}{space}"))
                .collect();
            assert_same(&format!("{{{}}}", members.join(",")));
        }
    }
}
