//! JSON text to any serializer, without an intermediate value tree.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, Serializer};

/// Writes a JSON text's value.
pub(super) fn serialize<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serde_json::Deserializer::from_str(json)
        .deserialize_any(TranscodeVisitor(serializer))
        .map_err(S::Error::custom)
}

/// Writes a value while reading it.
struct TranscodeVisitor<S>(S);

macro_rules! scalars {
    ($($visit:ident($Type:ty) $serialize:ident)*) => {$(
        fn $visit<E: serde::de::Error>(self, value: $Type) -> Result<S::Ok, E> {
            self.0.$serialize(value).map_err(E::custom)
        }
    )*};
}

impl<'de, S: Serializer> Visitor<'de> for TranscodeVisitor<S> {
    type Value = S::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    scalars! {
        visit_bool(bool) serialize_bool
        visit_i64(i64) serialize_i64
        visit_u64(u64) serialize_u64
        visit_f64(f64) serialize_f64
        visit_str(&str) serialize_str
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<S::Ok, E> {
        self.0.serialize_unit().map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<S::Ok, A::Error> {
        let mut list = self.0.serialize_seq(elements.size_hint()).map_err(A::Error::custom)?;
        while elements.next_element_seed(Element(&mut list))?.is_some() {}
        list.end().map_err(A::Error::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<S::Ok, A::Error> {
        let mut object = self.0.serialize_map(members.size_hint()).map_err(A::Error::custom)?;
        while members.next_key_seed(Key(&mut object))?.is_some() {
            members.next_value_seed(Member(&mut object))?;
        }
        object.end().map_err(A::Error::custom)
    }
}

/// The next list or object part, written while read.
macro_rules! parts {
    ($($Part:ident($Compound:ident::$serialize:ident))*) => {$(
        struct $Part<'c, C>(&'c mut C);

        impl<'de, C: $Compound> DeserializeSeed<'de> for $Part<'_, C> {
            type Value = ();

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
                self.0.$serialize(&TranscodedValue(Cell::new(Some(deserializer)))).map_err(D::Error::custom)
            }
        }
    )*};
}

parts! {
    Element(SerializeSeq::serialize_element)
    Key(SerializeMap::serialize_key)
    Member(SerializeMap::serialize_value)
}

/// A value that is read when written, which can happen once.
struct TranscodedValue<D>(Cell<Option<D>>);

impl<'de, D: Deserializer<'de>> Serialize for TranscodedValue<D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unread =
            self.0.take().ok_or_else(|| S::Error::custom("a value of a JSON text is written twice"))?;
        unread.deserialize_any(TranscodeVisitor(serializer)).map_err(S::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn rewritten(json: &str) -> String {
        let mut written = Vec::new();
        serialize(json, &mut serde_json::Serializer::new(&mut written)).unwrap();
        String::from_utf8(written).unwrap()
    }

    #[test]
    fn the_text_is_written_as_its_tree_would_be() {
        for json in [
            "null",
            " [ ] ",
            "{ }",
            "[true, -1, 18446744073709551615, 0.5, \"\"]",
            r#"{"a": [1, {"b\n": "\u00e9\"\ud83e\udd80"}], "": -0.0, "c": 1.5e300, "d": 18446744073709551616}"#,
        ] {
            let tree: Value = serde_json::from_str(json).unwrap();
            assert_eq!(rewritten(json), tree.to_string(), "{json}");
            let value = serialize(json, serde_json::value::Serializer).unwrap();
            assert_eq!(value, tree);
        }
    }
}
