//! `object!`: declares a closed protocol object once, with reader, writer and constructors.
//!
//! serde's derive reads arrays as structs, reads `null` as an absent `Option`, and cannot place a constant member (`type`, `role`)
//! or check it.
//!
//! The macro names each member by literals and calls functions that are compiled once: half this crate's functions come from here,
//! and each one costs every user's build.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

#[cfg(feature = "receive")]
use super::scan::{JsonScan, JsonScanner};
use super::shape::{JsonShape, ShapedType};

/// Declares a wire object. Members come in wire order; each is one of
///
/// - `const TYPE: "type" = "text";` a member with one legal value: always written, checked when read, no
///   field;
/// - `text: String,` a required member, an argument of `new`;
/// - `id: Option<String> => with_id,` an optional member and its builder: absent is not written, `null` is
///   refused;
/// - `state: Option<NonNull> => with_state [null is absent],` the same, but `null` is read as absent;
/// - `kind: Option<String> => with_kind [since V1_1],` an optional member that earlier versions of the protocol do not have: see
///   [`restrict`](super::since::restrict).
///
/// `message_id as "messageId": …` is a field whose member has another name.
macro_rules! object {
    ($(#[$meta:meta])* pub struct $Name:ident { $($members:tt)* }) => {
        $crate::protocol::forms::object::object! { @member [$(#[$meta])* $Name] [] [] [] [] [] $($members)* }
    };

    (@member $head:tt $fields:tt [$($wire:tt)*] [$($consts:tt)*] $required:tt $optional:tt
        $(#[$doc:meta])* const $CONST:ident: $key:literal = $value:expr; $($rest:tt)*
    ) => {
        $crate::protocol::forms::object::object! { @member $head
            $fields
            [$($wire)* { constant $CONST ($crate::protocol::forms::object::FixedMember<$CONST>) ($key)
                ($crate::protocol::forms::object::FixedMember<$CONST>) }]
            [$($consts)* { $CONST $key $value }]
            $required $optional $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt $required:tt [$($optional:tt)*]
        $(#[$doc:meta])* $field:ident $(as $key:literal)?: Option<$Type:ty> => $with:ident [null is absent], $($rest:tt)*
    ) => {
        $crate::protocol::forms::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field (Option<$Type>) }]
            [$($wire)* { null_is_absent $field (Option<$Type>)
                ($crate::protocol::forms::object::member_name!($field $($key)?)) ($crate::protocol::forms::shape::NullIsAbsent) }]
            $consts $required
            [$($optional)* { $field ($Type) $with [] }]
            $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt $required:tt [$($optional:tt)*]
        $(#[$doc:meta])* $field:ident $(as $key:literal)?: Option<$Type:ty> => $with:ident [since $Since:ident], $($rest:tt)*
    ) => {
        $crate::protocol::forms::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field (Option<$Type>) }]
            [$($wire)* { optional $field (Option<$Type>)
                ($crate::protocol::forms::object::member_name!($field $($key)?))
                ($crate::protocol::forms::shape::Since<Option<$Type>, { $crate::protocol::ProtocolVersion::$Since as usize }>) }]
            $consts $required
            [$($optional)* { $field ($Type) $with [$Since] }]
            $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt $required:tt [$($optional:tt)*]
        $(#[$doc:meta])* $field:ident $(as $key:literal)?: Option<$Type:ty> => $with:ident, $($rest:tt)*
    ) => {
        $crate::protocol::forms::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field (Option<$Type>) }]
            [$($wire)* { optional $field (Option<$Type>)
                ($crate::protocol::forms::object::member_name!($field $($key)?)) (Option<$Type>) }]
            $consts $required
            [$($optional)* { $field ($Type) $with [] }]
            $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt [$($required:tt)*] $optional:tt
        $(#[$doc:meta])* $field:ident $(as $key:literal)?: $Type:ty, $($rest:tt)*
    ) => {
        $crate::protocol::forms::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field ($Type) }]
            [$($wire)* { required $field ($Type) ($crate::protocol::forms::object::member_name!($field $($key)?)) ($Type) }]
            $consts
            [$($required)* { $field ($Type) }]
            $optional $($rest)*
        }
    };

    (@member
        [$(#[$meta:meta])* $Name:ident]
        [$({ [$($doc:tt)*] $field:ident ($Field:ty) })*]
        [$({ $presence:ident $member:ident ($Member:ty) ($name:expr) ($Shape:ty) })*]
        [$({ $CONST:ident $key:literal $value:expr })*]
        $required:tt
        [$({ $opt:ident ($Opt:ty) $with:ident [$($Since:ident)?] })*]
    ) => {
        $(#[$meta])*
        #[doc = concat!(
            "\n\nIn the schema of AG-UI 1.0: [`", stringify!($Name), "`]",
            "(https://ag-ui.com/spec/1.0/schema.json#", stringify!($Name), ").",
        )]
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $Name { $($($doc)* pub $field: $Field,)* }

        $crate::protocol::forms::object::object! { @new $Name $required [$($opt)*] }

        $crate::protocol::forms::object::object! { @since $Name $($($Since $opt)?)* }

        impl $Name {
            $(
                #[doc = concat!("The only value of `", $key, "`.")]
                pub const $CONST: &'static str = $value;
            )*
            $(
                #[doc = concat!("Sets `", stringify!($opt), "`.")]
                #[must_use]
                pub fn $with(mut self, $opt: impl Into<$Opt>) -> Self {
                    self.$opt = Some($opt.into());
                    self
                }
            )*
        }

        #[allow(non_camel_case_types, non_snake_case, clippy::upper_case_acronyms)]
        const _: () = {
            $(
                enum $CONST {}

                impl $crate::protocol::forms::object::LiteralMember for $CONST {
                    const TEXT: &'static str = $Name::$CONST;
                }
            )*

            impl $crate::protocol::forms::shape::ShapedType for $Name {
                const SHAPE: $crate::protocol::forms::shape::JsonShape =
                    $crate::protocol::forms::shape::JsonShape::Object(&$crate::protocol::forms::shape::ObjectShape {
                        open: false,
                        members: &[$($crate::protocol::forms::shape::MemberShape::new::<$Shape>($name),)*],
                    });
            }

            #[cfg(feature = "receive")]
            impl $crate::protocol::forms::scan::ScanMembers for $Name {
                fn scan_members(
                    scanner: &mut $crate::protocol::forms::scan::JsonScanner<'_>,
                    tag: Option<&'static str>,
                ) -> Option<Self> {
                    use $crate::protocol::forms::scan::JsonScan;

                    $(let mut $member = <$Member as JsonScan>::from_tag($name, tag);)*
                    let mut first = tag.is_none();
                    // Most writers keep to the order of the schema, so each member is guessed once in that
                    // order.
                    'plain: {
                        $(
                            if $member.is_none() && scanner.is_key(&mut first, concat!(",\"", $name, "\":")) {
                                $member = Some(<$Member as JsonScan>::scan(scanner)?);
                                if scanner.is_at_brace() {
                                    break 'plain;
                                }
                            }
                        )*
                    }
                    while let Some(key) = scanner.key(&mut first)? {
                        $(
                            if key == $name {
                                // A duplicate member is left to the careful reader, which decides.
                                if $member.is_some() {
                                    return None;
                                }
                                $member = Some(<$Member as JsonScan>::scan(scanner)?);
                                continue;
                            }
                        )*
                        return None;
                    }
                    $(let $member = $crate::protocol::forms::members::$presence::complete($member)?;)*
                    $(let $crate::protocol::forms::object::FixedMember { .. } = $CONST;)*
                    Some(Self { $($field,)* })
                }
            }

            #[cfg(feature = "receive")]
            impl $crate::protocol::forms::scan::JsonScan for $Name {
                fn scan(scanner: &mut $crate::protocol::forms::scan::JsonScanner<'_>) -> Option<Self> {
                    scanner.open(b'{')?;
                    $crate::protocol::forms::scan::ScanMembers::scan_members(scanner, None)
                }
            }

            impl $crate::protocol::forms::print::JsonPrint for $Name {
                #[inline]
                fn print(&self, out: &mut Vec<u8>) {
                    let Self { $($field,)* } = self;
                    let start = out.len();
                    $($crate::protocol::forms::object::object! { @print out $Name $presence $member $name })*
                    $crate::protocol::forms::print::close(start, out);
                }
            }

            impl ::serde::Serialize for $Name {
                fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let Self { $($field,)* } = self;
                    $(let $CONST = &$crate::protocol::forms::object::FixedMember::<$CONST>::VALUE;)*
                    let len = 0 $(+ $crate::protocol::forms::members::$presence::len($member))*;
                    let mut members = serializer.serialize_struct(stringify!($Name), len)?;
                    $($crate::protocol::forms::members::$presence::write(&mut members, $name, $member)?;)*
                    ::serde::ser::SerializeStruct::end(members)
                }
            }

            impl $crate::protocol::forms::members::ReadMembers for $Name {
                const EXPECTING: &'static str = concat!("an object (", stringify!($Name), ")");

                fn read_members<'de, A: ::serde::de::MapAccess<'de>>(mut members: A) -> Result<Self, A::Error> {
                    use $crate::protocol::forms::members;

                    $(let mut $member = None::<$Member>;)*
                    while let Some((_, name)) = members::next_known(&mut members, &[$($name),*])? {
                        $(
                            if name == $name {
                                members::check_new(&$member, name)?;
                                $member = Some(members::$presence::read(&mut members)?);
                                continue;
                            }
                        )*
                    }
                    $(let $member = members::found(members::$presence::complete($member), $name)?;)*
                    $(let $crate::protocol::forms::object::FixedMember { .. } = $CONST;)*
                    Ok(Self { $($field,)* })
                }
            }

            impl<'de> ::serde::Deserialize<'de> for $Name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    $crate::protocol::forms::members::read_object(deserializer)
                }
            }
        };
    };

    (@print $out:ident $Name:ident constant $CONST:ident $name:expr) => {{
        const WHOLE: [u8; $crate::protocol::forms::print::whole_len($name, $Name::$CONST)] =
            $crate::protocol::forms::print::whole($name, $Name::$CONST);
        $out.extend_from_slice(&WHOLE);
    }};

    (@print $out:ident $Name:ident $presence:ident $member:ident $name:expr) => {
        $crate::protocol::forms::print::JsonPrint::member($member, concat!(",\"", $name, "\":\""), $out);
    };

    (@since $Name:ident) => {};

    (@since $Name:ident $($Since:ident $opt:ident)+) => {
        impl $crate::protocol::forms::since::VersionedObject for $Name {
            fn restrict(&mut self, version: $crate::protocol::ProtocolVersion) -> usize {
                0 $(+ usize::from(
                    version < $crate::protocol::ProtocolVersion::$Since && self.$opt.take().is_some()
                ))+
            }
        }
    };

    (@new $Name:ident [] [$($opt:ident)*]) => {
        impl $Name {
            /// Creates [the object](Self) without members.
            #[must_use]
            pub fn new() -> Self {
                Self { $($opt: None,)* }
            }
        }

        impl Default for $Name {
            fn default() -> Self {
                Self::new()
            }
        }
    };

    (@new $Name:ident [$({ $req:ident ($Req:ty) })*] [$($opt:ident)*]) => {
        impl $Name {
            /// Creates [the object](Self) from the required members, in wire order; the others are unset.
            #[must_use]
            pub fn new($($req: impl $crate::protocol::forms::into_member::IntoMember<$Req>),*) -> Self {
                Self { $($req: $req.into(),)* $($opt: None,)* }
            }
        }
    };
}

pub(in crate::protocol) use object;

/// A field's member name, as a literal.
macro_rules! member_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $key:literal) => {
        $key
    };
}

pub(in crate::protocol) use member_name;

/// The text in a member that has only one legal value.
pub(in crate::protocol) trait LiteralMember {
    const TEXT: &'static str;
}

/// A member with one legal value: zero-sized in memory, its text on the wire.
pub(in crate::protocol) struct FixedMember<L> {
    literal: PhantomData<L>,
}

impl<L> FixedMember<L> {
    pub(in crate::protocol) const VALUE: Self = Self { literal: PhantomData };
}

impl<L: LiteralMember> Serialize for FixedMember<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(L::TEXT)
    }
}

impl<'de, L: LiteralMember> Deserialize<'de> for FixedMember<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self::VALUE)
    }
}

impl<L: LiteralMember> Visitor<'_> for FixedMember<L> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", L::TEXT)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self, E> {
        if text == L::TEXT { Ok(self) } else { Err(E::invalid_value(Unexpected::Str(text), &self)) }
    }
}

#[cfg(feature = "receive")]
impl<L: LiteralMember> JsonScan for FixedMember<L> {
    fn scan(scanner: &mut JsonScanner<'_>) -> Option<Self> {
        (scanner.plain()? == L::TEXT).then_some(Self::VALUE)
    }

    fn from_tag(key: &str, tag: Option<&'static str>) -> Option<Self> {
        (tag == Some(key)).then_some(Self::VALUE)
    }
}

impl<L: LiteralMember> ShapedType for FixedMember<L> {
    const SHAPE: JsonShape = JsonShape::Literal(L::TEXT);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{AgentCapabilities, Event};

    /// Adds all member names, at any depth.
    fn names_in(shape: &'static JsonShape, names: &mut Vec<&'static str>) {
        match shape {
            JsonShape::Object(object) => {
                for member in object.members {
                    names.push(member.key);
                    names_in(member.shape, names);
                }
            }
            JsonShape::Union(union) => union.variants.iter().for_each(|(_, shape)| names_in(shape, names)),
            JsonShape::List { of, .. } | JsonShape::TextOrList { of } => names_in(of, names),
            _ => {}
        }
    }

    #[test]
    fn a_member_has_the_name_of_the_wire_and_not_that_of_the_field() {
        let mut names = Vec::new();
        names_in(&Event::SHAPE, &mut names);
        names_in(&AgentCapabilities::SHAPE, &mut names);
        for name in ["parentSubagentRunId", "encryptedValue", "humanInTheLoop", "mimeType"] {
            assert!(names.contains(&name), "{name}");
        }
        let wrong: Vec<_> =
            names.iter().filter(|name| !name.bytes().all(|byte| byte.is_ascii_alphanumeric())).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
