//! Closed string sets: event types, roles, statuses.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};

/// A string outside a closed protocol set, such as an event type from a later version.
///
/// ```
/// use agui_runtime::protocol::EventType;
///
/// let error = "META".parse::<EventType>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown event type `META`");
/// assert_eq!(error.name(), "META");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown {set} `{name}`")]
pub struct UnknownName {
    set: &'static str,
    name: String,
}

impl UnknownName {
    pub(in crate::protocol) fn new(set: &'static str, name: &str) -> Self {
        Self { set, name: name.to_owned() }
    }

    /// Returns the set's name, such as `event type` or `role`.
    #[must_use]
    pub fn set(&self) -> &'static str {
        self.set
    }

    /// Returns the unknown string.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Declares an enum of unit variants with their wire names.
///
/// serde's derive is not used because it would also read `{"assistant": null}` as the name.
macro_rules! string_set {
    (
        $(#[$meta:meta])*
        pub enum $Set:ident: $what:literal {
            $($(#[$doc:meta])* $Name:ident = $text:expr,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Set { $($(#[$doc])* $Name,)* }

        impl $Set {
            /// Every member in declaration order. The example for [`as_str`](Self::as_str) walks them.
            pub const ALL: &'static [Self] = &[$(Self::$Name,)*];

            /// Returns the name on the wire.
            ///
            /// ```
            #[doc = concat!("use agui_runtime::protocol::", stringify!($Set), ";")]
            #[doc = concat!("let all = ", stringify!($Set), "::ALL;")]
            /// assert!(all.iter().all(|one| one.as_str().parse() == Ok(*one)));
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$Name => $text,)* }
            }
        }

        impl ::std::fmt::Display for $Set {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl ::std::str::FromStr for $Set {
            type Err = $crate::protocol::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|member| member.as_str() == text)
                    .ok_or_else(|| $crate::protocol::UnknownName::new($what, text))
            }
        }

        #[cfg(feature = "receive")]
        impl $crate::protocol::forms::scan::JsonScan for $Set {
            fn scan(scanner: &mut $crate::protocol::forms::scan::JsonScanner<'_>) -> Option<Self> {
                let text = scanner.plain()?;
                Self::ALL.iter().copied().find(|member| member.as_str() == text)
            }
        }

        impl $crate::protocol::forms::shape::ShapedType for $Set {
            const SHAPE: $crate::protocol::forms::shape::JsonShape = match [$($text,)*].as_slice() {
                [only] => $crate::protocol::forms::shape::JsonShape::Literal(only),
                _ => $crate::protocol::forms::shape::JsonShape::OneOf(&[$($text,)*]),
            };
        }

        impl ::serde::Serialize for $Set {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::protocol::forms::print::JsonPrint for $Set {
            fn print(&self, out: &mut Vec<u8>) {
                $crate::protocol::forms::print::plain(self.as_str(), out);
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $Set {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::protocol::forms::string_set::read(deserializer, $what)
            }
        }
    };
}

pub(in crate::protocol) use string_set;

/// Deserializes a set member from its wire name.
pub(in crate::protocol) fn read<'de, T, D>(deserializer: D, what: &'static str) -> Result<T, D::Error>
where
    T: FromStr<Err = UnknownName>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(SetMemberVisitor { what, set: std::marker::PhantomData })
}

struct SetMemberVisitor<T> {
    what: &'static str,
    set: std::marker::PhantomData<T>,
}

impl<T: FromStr<Err = UnknownName>> Visitor<'_> for SetMemberVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a string ({})", self.what)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}
