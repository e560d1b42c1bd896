//! `object!`: a closed object of the protocol, declared once, with its reading, its writing and its
//! constructors.
//!
//! serde's derive on the struct itself is not enough: it reads arrays as structs, reads `null` as an absent
//! `Option`, and cannot place a constant member (`type`, `role`) or check it. So the derive is used on two
//! private mirrors.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Unexpected, Visitor};
use serde::ser::{Serialize, Serializer};

use super::print::{self, Print};
use super::scan::{Scan, Scanner};
use super::shape::{Described, Shape};

/// Declares a wire object. Members come in wire order; each is one of
///
/// - `const TYPE: "type" = "text";` a member with one legal value: always written, checked when read, no
///   field;
/// - `text: String,` a required member, an argument of `new`;
/// - `id: Option<String> => with_id,` an optional member and its builder: absent is not written, `null` is
///   refused;
/// - `state: Option<NonNull> => with_state [null is absent],` the same, but `null` is read as absent.
macro_rules! object {
    ($(#[$meta:meta])* pub struct $Name:ident { $($members:tt)* }) => {
        $crate::protocol::object::object! { @member [$(#[$meta])* $Name] [] [] [] [] [] $($members)* }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] [$($consts:tt)*] $required:tt $optional:tt
        $(#[$doc:meta])* const $CONST:ident: $key:literal = $value:expr; $($rest:tt)*
    ) => {
        $crate::protocol::object::object! { @member $head
            [$($fields)*]
            [$($wire)* { [#[serde(rename = $key)]] [#[serde(rename = $key)]]
                $CONST ($crate::protocol::object::Fixed<$CONST>) ($key) ($crate::protocol::object::Fixed<$CONST>) }]
            [$($consts)* { $CONST $key $value }]
            $required $optional $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt $required:tt [$($optional:tt)*]
        $(#[$doc:meta])* $field:ident: Option<$Type:ty> => $with:ident [null is absent], $($rest:tt)*
    ) => {
        $crate::protocol::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field (Option<$Type>) }]
            [$($wire)* {
                [#[serde(skip_serializing_if = "crate::protocol::object::is_absent")]]
                [#[serde(default, deserialize_with = "crate::protocol::json::null_is_absent")]]
                $field (Option<$Type>) ($crate::protocol::shape::wire_name!($field)) ($crate::protocol::shape::NullIsAbsent) }]
            $consts $required
            [$($optional)* { $field ($Type) $with }]
            $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt $required:tt [$($optional:tt)*]
        $(#[$doc:meta])* $field:ident: Option<$Type:ty> => $with:ident, $($rest:tt)*
    ) => {
        $crate::protocol::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field (Option<$Type>) }]
            [$($wire)* {
                [#[serde(skip_serializing_if = "crate::protocol::object::is_absent")]]
                [#[serde(default, deserialize_with = "crate::protocol::json::present")]]
                $field (Option<$Type>) ($crate::protocol::shape::wire_name!($field)) (Option<$Type>) }]
            $consts $required
            [$($optional)* { $field ($Type) $with }]
            $($rest)*
        }
    };

    (@member $head:tt [$($fields:tt)*] [$($wire:tt)*] $consts:tt [$($required:tt)*] $optional:tt
        $(#[$doc:meta])* $field:ident: $Type:ty, $($rest:tt)*
    ) => {
        $crate::protocol::object::object! { @member $head
            [$($fields)* { [$(#[$doc])*] $field ($Type) }]
            [$($wire)* { [] [] $field ($Type) ($crate::protocol::shape::wire_name!($field)) ($Type) }]
            $consts
            [$($required)* { $field ($Type) }]
            $optional $($rest)*
        }
    };

    (@member
        [$(#[$meta:meta])* $Name:ident]
        [$({ [$($doc:tt)*] $field:ident ($Field:ty) })*]
        [$({ [$($write:tt)*] [$($read:tt)*] $member:ident ($Member:ty) ($wire_name:expr) ($Shape:ty) })*]
        [$({ $CONST:ident $key:literal $value:expr })*]
        $required:tt
        [$({ $opt:ident ($Opt:ty) $with:ident })*]
    ) => {
        $(#[$meta])*
        #[doc = concat!(
            "\n\nIn the schema of AG-UI 1.0: [`", stringify!($Name), "`]",
            "(https://ag-ui.com/spec/1.0/schema.json#", stringify!($Name), ").",
        )]
        #[derive(Debug, Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $Name { $($($doc)* pub $field: $Field,)* }

        $crate::protocol::object::object! { @new $Name $required [$($opt)*] }

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

                impl $crate::protocol::object::Literal for $CONST {
                    const TEXT: &'static str = $Name::$CONST;
                }
            )*

            impl $crate::protocol::shape::Described for $Name {
                const SHAPE: $crate::protocol::shape::Shape =
                    $crate::protocol::shape::Shape::Object(&$crate::protocol::shape::ObjectShape {
                        open: false,
                        members: &[$($crate::protocol::shape::Member::of::<$Shape>($wire_name),)*],
                    });
            }

            impl $crate::protocol::scan::ScanMembers for $Name {
                fn scan_members(
                    scanner: &mut $crate::protocol::scan::Scanner<'_>,
                    tag: Option<&'static str>,
                ) -> Option<Self> {
                    use $crate::protocol::scan::Scan;

                    $(let mut $member = <$Member as Scan>::from_tag($wire_name, tag);)*
                    let mut first = tag.is_none();
                    // Most writers keep to the order of the schema, so each member is guessed once in that
                    // order.
                    'plain: {
                        $({
                            const NAME: &str = $wire_name;
                            const KEY: [u8; $crate::protocol::print::key_len(NAME)] =
                                $crate::protocol::print::key(NAME);
                            if $member.is_none() && scanner.is_key(&mut first, &KEY) {
                                $member = Some(<$Member as Scan>::scan(scanner)?);
                                if scanner.is_at_brace() {
                                    break 'plain;
                                }
                            }
                        })*
                    }
                    while let Some(key) = scanner.key(&mut first)? {
                        $(
                            if key == $wire_name {
                                // A duplicate member is left to the careful reader, which decides.
                                if $member.is_some() {
                                    return None;
                                }
                                $member = Some(<$Member as Scan>::scan(scanner)?);
                                continue;
                            }
                        )*
                        return None;
                    }
                    $(let $member = match $member {
                        Some(member) => member,
                        None => <$Member as Scan>::absent()?,
                    };)*
                    $(let $crate::protocol::object::Fixed { .. } = $CONST;)*
                    Some(Self { $($field,)* })
                }
            }

            impl $crate::protocol::scan::Scan for $Name {
                fn scan(scanner: &mut $crate::protocol::scan::Scanner<'_>) -> Option<Self> {
                    scanner.open(b'{')?;
                    $crate::protocol::scan::ScanMembers::scan_members(scanner, None)
                }
            }

            impl $crate::protocol::print::Print for $Name {
                #[inline]
                fn print(&self, out: &mut Vec<u8>) {
                    let Self { $($field,)* } = self;
                    $(let $CONST = &$crate::protocol::object::Fixed::<$CONST>::VALUE;)*
                    let start = out.len();
                    $({
                        const NAME: &str = $wire_name;
                        const TEXT: Option<&str> = <$Member as $crate::protocol::print::Print>::TEXT;
                        const WHOLE: [u8; $crate::protocol::print::whole_len(NAME, TEXT)] =
                            $crate::protocol::print::whole(NAME, TEXT);
                        const START: [u8; $crate::protocol::print::start_len(NAME)] =
                            $crate::protocol::print::start(NAME);
                        if TEXT.is_some() {
                            out.extend_from_slice(&WHOLE);
                        } else {
                            $crate::protocol::print::Print::member($member, &START, out);
                        }
                    })*
                    $crate::protocol::print::close(start, out);
                }
            }

            #[derive(::serde::Serialize)]
            #[serde(rename_all = "camelCase")]
            struct Write<'a> {
                $($($write)* $member: &'a $Member,)*
                #[serde(skip)]
                __borrow: ::std::marker::PhantomData<&'a ()>,
            }

            impl ::serde::Serialize for $Name {
                fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    let Self { $($field,)* } = self;
                    $(let $CONST = &$crate::protocol::object::Fixed::<$CONST>::VALUE;)*
                    Write { $($member,)* __borrow: ::std::marker::PhantomData }.serialize(serializer)
                }
            }

            #[derive(::serde::Deserialize)]
            #[serde(rename_all = "camelCase")]
            struct Read {
                $($($read)* $member: $Member,)*
            }

            impl<'de> ::serde::Deserialize<'de> for $Name {
                fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let Read { $($member,)* } = $crate::protocol::object::read(deserializer, stringify!($Name))?;
                    $(let $crate::protocol::object::Fixed { .. } = $CONST;)*
                    Ok(Self { $($field,)* })
                }
            }
        };
    };

    (@new $Name:ident [] [$($opt:ident)*]) => {
        impl $Name {
            /// Creates one with no member set; the example of [the type](Self) shows it.
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
            /// Creates one from the required members, in wire order; the others are unset. The example of
            /// [the type](Self) shows it.
            #[must_use]
            pub fn new($($req: impl $crate::protocol::into_member::IntoMember<$Req>),*) -> Self {
                Self { $($req: $req.into(),)* $($opt: None,)* }
            }
        }
    };
}

pub(super) use object;

/// The text of a member that has only one legal value.
pub(super) trait Literal {
    const TEXT: &'static str;
}

/// A member with one legal value: zero-sized in memory, its text on the wire.
pub(super) struct Fixed<L> {
    literal: PhantomData<L>,
}

impl<L> Fixed<L> {
    pub(super) const VALUE: Self = Self { literal: PhantomData };
}

impl<L: Literal> Serialize for Fixed<L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(L::TEXT)
    }
}

impl<L: Literal> Print for Fixed<L> {
    const TEXT: Option<&'static str> = Some(L::TEXT);

    #[inline]
    fn print(&self, out: &mut Vec<u8>) {
        print::plain(L::TEXT, out);
    }
}

impl<'de, L: Literal> Deserialize<'de> for Fixed<L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(Self::VALUE)
    }
}

impl<L: Literal> Visitor<'_> for Fixed<L> {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", L::TEXT)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self, E> {
        if text == L::TEXT { Ok(self) } else { Err(E::invalid_value(Unexpected::Str(text), &self)) }
    }
}

impl<L: Literal> Scan for Fixed<L> {
    fn scan(scanner: &mut Scanner<'_>) -> Option<Self> {
        (scanner.plain()? == L::TEXT).then_some(Self::VALUE)
    }

    fn from_tag(key: &str, tag: Option<&'static str>) -> Option<Self> {
        (tag == Some(key)).then_some(Self::VALUE)
    }
}

impl<L: Literal> Described for Fixed<L> {
    const SHAPE: Shape = Shape::Literal(L::TEXT);
}

pub(super) fn is_absent<T>(member: &&Option<T>) -> bool {
    member.is_none()
}

/// Deserializes an object, and refuses every other JSON type.
pub(super) fn read<'de, T, D>(deserializer: D, name: &'static str) -> Result<T, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_map(Object { name, object: PhantomData })
}

struct Object<T> {
    name: &'static str,
    object: PhantomData<T>,
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", self.name)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(members))
    }
}
