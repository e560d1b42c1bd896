//! `union!`: objects that the string under one key distinguishes, read without buffering if that key comes first.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::BorrowedStrDeserializer;
use serde::de::{
    self, Deserialize, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, Visitor,
};
use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::members::ReadMembers;

/// Declares an enum over `object!` types, each with a constant named after the key: `pub enum Message: "role" = ROLE, "a message"
/// { User(UserMessage), … }`.
macro_rules! union {
    (
        $(#[$meta:meta])*
        pub enum $Union:ident: $key:literal = $CONST:ident, $expecting:literal {
            $($(#[$doc:meta])* $Variant:ident($Object:ident),)*
        }
    ) => {
        $(#[$meta])*
        #[doc = concat!(
            "\n\nIn the schema of AG-UI 1.0: [`", stringify!($Union), "`]",
            "(https://ag-ui.com/spec/1.0/schema.json#", stringify!($Union), ").",
        )]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum $Union { $($(#[$doc])* $Variant($Object),)* }

        $(
            impl From<$Object> for $Union {
                fn from(object: $Object) -> Self {
                    Self::$Variant(object)
                }
            }
        )*

        impl ::serde::Serialize for $Union {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self { $(Self::$Variant(object) => object.serialize(serializer),)* }
            }
        }

        impl $crate::protocol::forms::print::JsonPrint for $Union {
            fn print(&self, out: &mut Vec<u8>) {
                match self { $(Self::$Variant(object) => object.print(out),)* }
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $Union {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::protocol::forms::members::read_object(deserializer)
            }
        }

        #[cfg(feature = "receive")]
        impl $crate::protocol::forms::scan::JsonScan for $Union {
            fn scan(scanner: &mut $crate::protocol::forms::scan::JsonScanner<'_>) -> Option<Self> {
                let (tag, tag_key) = scanner.tag($key, concat!(",\"", $key, "\":"))?;
                $(
                    if tag == $Object::$CONST {
                        return $crate::protocol::forms::scan::ScanMembers::scan_members(scanner, tag_key)
                            .map(Self::$Variant);
                    }
                )*
                None
            }
        }

        impl $crate::protocol::forms::shape::ShapedType for $Union {
            const SHAPE: $crate::protocol::forms::shape::JsonShape =
                $crate::protocol::forms::shape::JsonShape::Union(&$crate::protocol::forms::shape::UnionShape {
                    key: $key,
                    variants: &[
                        $(($Object::$CONST, &<$Object as $crate::protocol::forms::shape::ShapedType>::SHAPE),)*
                    ],
                });
        }

        impl $crate::protocol::forms::members::ReadMembers for $Union {
            const EXPECTING: &'static str = $expecting;

            fn read_members<'de, A: ::serde::de::MapAccess<'de>>(members: A) -> Result<Self, A::Error> {
                $crate::protocol::forms::union::read_tagged(members)
            }
        }

        impl $crate::protocol::forms::union::TaggedUnion for $Union {
            const KEY: &'static str = $key;

            fn read<'de, A: ::serde::de::MapAccess<'de>>(
                tag: &str,
                members: $crate::protocol::forms::union::UnionMembers<'de, A>,
            ) -> Result<Self, A::Error> {
                $(
                    if tag == $Object::$CONST {
                        return $crate::protocol::forms::members::ReadMembers::read_members(members).map(Self::$Variant);
                    }
                )*
                Err(::serde::de::Error::unknown_variant(tag, &[$($Object::$CONST,)*]))
            }
        }
    };
}

pub(in crate::protocol) use union;

/// A union whose objects differ by the string under `KEY`.
pub(in crate::protocol) trait TaggedUnion: ReadMembers {
    const KEY: &'static str;

    /// Reads the object that `tag` names from all members, the tag included.
    fn read<'de, A: MapAccess<'de>>(tag: &str, members: UnionMembers<'de, A>) -> Result<Self, A::Error>;
}

/// Reads the tag, and the object that the tag names.
pub(in crate::protocol) fn read_tagged<'de, U: TaggedUnion, A: MapAccess<'de>>(
    mut rest: A,
) -> Result<U, A::Error> {
    let mut before = Vec::new();
    while let Some(BorrowedText(key)) = rest.next_key()? {
        if key == U::KEY {
            let BorrowedText(tag) = rest.next_value()?;
            let members = UnionMembers {
                before: before.into_iter(),
                tag: Some((U::KEY, tag.clone())),
                value: UnionValueSource::Rest,
                rest,
            };
            return U::read(&tag, members);
        }
        before.push((key.into_owned(), rest.next_value()?));
    }
    Err(A::Error::custom(format_args!(
        "missing field `{}`, a string that identifies {}",
        U::KEY,
        U::EXPECTING
    )))
}

/// Members of an object whose tag was read: the members before the tag, the tag, and the unread ones.
pub(in crate::protocol) struct UnionMembers<'de, A> {
    before: std::vec::IntoIter<(String, Value)>,
    tag: Option<(&'static str, Cow<'de, str>)>,
    value: UnionValueSource<'de>,
    rest: A,
}

/// Where the value for the last returned key comes from.
enum UnionValueSource<'de> {
    Before(String, Value),
    Tag(Cow<'de, str>),
    Rest,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for UnionMembers<'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        if let Some((key, value)) = self.before.next() {
            let found = seed.deserialize(key.as_str().into_deserializer()).map(Some);
            self.value = UnionValueSource::Before(key, value);
            found
        } else if let Some((key, tag)) = self.tag.take() {
            self.value = UnionValueSource::Tag(tag);
            seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some)
        } else {
            self.value = UnionValueSource::Rest;
            self.rest.next_key_seed(seed)
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match std::mem::replace(&mut self.value, UnionValueSource::Rest) {
            UnionValueSource::Before(key, value) => read_ahead(&key, value, seed).map_err(A::Error::custom),
            UnionValueSource::Tag(tag) => seed.deserialize(tag.into_deserializer()),
            UnionValueSource::Rest => self.rest.next_value_seed(seed),
        }
    }
}

/// Reads a value that was buffered before its reader was known. A tracker for error paths does not see into the buffer, so the
/// path is put into the message.
///
/// One copy for each type, not for each type and each format: this is most code in the protocol's types.
fn read_ahead<'de, V: DeserializeSeed<'de>>(key: &str, value: Value, seed: V) -> Result<V::Value, String> {
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(value, &mut track);
    match seed.deserialize(tracked) {
        Ok(value) => Ok(value),
        Err(error) => Err(located(key, &track.path(), &error)),
    }
}

fn located(key: &str, path: &Path, error: &serde_json::Error) -> String {
    let dot = match path.iter().next() {
        Some(Segment::Map { .. } | Segment::Enum { .. }) => ".",
        Some(Segment::Seq { .. } | Segment::Unknown) | None => "",
    };
    let inside = if path.iter().len() == 0 { String::new() } else { path.to_string() };
    format!("{key}{dot}{inside}: {error}")
}

/// A string, borrowed if the input allows.
struct BorrowedText<'de>(Cow<'de, str>);

impl<'de> Deserialize<'de> for BorrowedText<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = BorrowedText<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string that identifies the type of an object")
    }

    fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<BorrowedText<'de>, E> {
        Ok(BorrowedText(Cow::Borrowed(text)))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<BorrowedText<'de>, E> {
        Ok(BorrowedText(Cow::Owned(text.to_owned())))
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<BorrowedText<'de>, E> {
        Ok(BorrowedText(Cow::Owned(text)))
    }
}
