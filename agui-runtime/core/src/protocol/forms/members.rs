//! Object members, read and written by serde: the shared functions behind `object!` and `#[tool]`, compiled once. serde's derive
//! makes the compiler pay again for each struct.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// An object that is read from its members.
pub trait ReadMembers: Sized {
    /// The expected type, named in the error for JSON other than an object.
    const EXPECTING: &'static str;

    /// # Errors
    /// If a member is missing, given twice, or has another type.
    fn read_members<'de, A: MapAccess<'de>>(members: A) -> Result<Self, A::Error>;
}

/// Deserializes an object, and refuses every other JSON type.
///
/// # Errors
/// For any other JSON type, and the members' errors.
pub fn read_object<'de, T: ReadMembers, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(ObjectVisitor(PhantomData))
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: ReadMembers> Visitor<'de> for ObjectVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTING)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::read_members(members)
    }
}

/// Returns the index and name of the next member in `names`; other members are skipped.
///
/// # Errors
/// If the text is no JSON.
pub fn next_known<'de, A: MapAccess<'de>>(
    members: &mut A,
    names: &'static [&'static str],
) -> Result<Option<(usize, &'static str)>, A::Error> {
    while let Some(found) = members.next_key_seed(KnownNameSeed(names))? {
        match found {
            Some(known) => return Ok(Some(known)),
            None => {
                members.next_value::<IgnoredAny>()?;
            }
        }
    }
    Ok(None)
}

struct KnownNameSeed(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for KnownNameSeed {
    type Value = Option<(usize, &'static str)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KnownNameSeed {
    type Value = Option<(usize, &'static str)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().enumerate().find(|(_, known)| *known == name))
    }
}

/// Refuses a member that was read before.
pub(in crate::protocol) fn check_new<T, E: de::Error>(
    member: &Option<T>,
    name: &'static str,
) -> Result<(), E> {
    match member {
        Some(_) => Err(E::duplicate_field(name)),
        None => Ok(()),
    }
}

/// Reads a member's value into its slot.
///
/// # Errors
/// If the member was read before, or has another type.
pub fn read_new<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    place: &mut Option<T>,
    members: &mut A,
    name: &'static str,
) -> Result<(), A::Error> {
    check_new(place, name)?;
    *place = Some(members.next_value()?);
    Ok(())
}

/// Returns the member, or an error if missing.
pub(in crate::protocol) fn found<T, E: de::Error>(member: Option<T>, name: &'static str) -> Result<T, E> {
    member.ok_or_else(|| E::missing_field(name))
}

/// Returns the member. As with serde's derive, a missing option is `None`, also behind a type alias.
///
/// # Errors
/// If any other member is missing.
pub fn found_or_none<'de, T: Deserialize<'de>, E: de::Error>(
    member: Option<T>,
    name: &'static str,
) -> Result<T, E> {
    match member {
        Some(member) => Ok(member),
        None => T::deserialize(AbsentMember { name, error: PhantomData }),
    }
}

struct AbsentMember<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<'de, E: de::Error> Deserializer<'de> for AbsentMember<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, E> {
        Err(E::missing_field(self.name))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// A member with one legal value.
pub(in crate::protocol) use required as constant;

/// A member that is always there.
pub(in crate::protocol) mod required {
    use serde::de::{Deserialize, MapAccess};
    use serde::ser::{Serialize, SerializeStruct};

    pub(in crate::protocol) fn read<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
        members: &mut A,
    ) -> Result<T, A::Error> {
        members.next_value()
    }

    pub(in crate::protocol) fn complete<T>(member: Option<T>) -> Option<T> {
        member
    }

    pub(in crate::protocol) fn len<T>(_member: &T) -> usize {
        1
    }

    pub(in crate::protocol) fn write<S: SerializeStruct, T: Serialize>(
        members: &mut S,
        name: &'static str,
        member: &T,
    ) -> Result<(), S::Error> {
        members.serialize_field(name, member)
    }
}

/// A member that may be absent; `null` is refused like any other wrong type.
pub(in crate::protocol) mod optional {
    use serde::de::{Deserialize, MapAccess};
    use serde::ser::{Serialize, SerializeStruct};

    /// serde's own `Option` cannot tell `null` from absent.
    pub(in crate::protocol) fn read<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
        members: &mut A,
    ) -> Result<Option<T>, A::Error> {
        members.next_value().map(Some)
    }

    pub(in crate::protocol) fn complete<T>(member: Option<Option<T>>) -> Option<Option<T>> {
        Some(member.flatten())
    }

    pub(in crate::protocol) fn len<T>(member: &Option<T>) -> usize {
        usize::from(member.is_some())
    }

    pub(in crate::protocol) fn write<S: SerializeStruct, T: Serialize>(
        members: &mut S,
        name: &'static str,
        member: &Option<T>,
    ) -> Result<(), S::Error> {
        match member {
            Some(member) => members.serialize_field(name, member),
            None => members.skip_field(name),
        }
    }
}

/// The one optional member whose `null` means absent: an input's state.
pub(in crate::protocol) mod null_is_absent {
    use serde::de::MapAccess;
    use serde_json::Value;

    pub(in crate::protocol) use super::optional::{complete, len, write};
    use crate::protocol::NonNull;

    pub(in crate::protocol) fn read<'de, A: MapAccess<'de>>(
        members: &mut A,
    ) -> Result<Option<NonNull>, A::Error> {
        members.next_value::<Value>().map(NonNull::new)
    }
}
