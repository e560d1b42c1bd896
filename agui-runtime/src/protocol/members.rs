//! Members of objects, read and written by serde: what `object!` needs for each, compiled once.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// An object that is read from its members.
pub(super) trait ReadMembers: Sized {
    /// The expected type in the error for any JSON that is not an object.
    const EXPECTING: &'static str;

    fn read_members<'de, A: MapAccess<'de>>(members: A) -> Result<Self, A::Error>;
}

/// Deserializes an object, and refuses every other JSON type.
pub(super) fn read<'de, T: ReadMembers, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Object(PhantomData))
}

struct Object<T>(PhantomData<T>);

impl<'de, T: ReadMembers> Visitor<'de> for Object<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTING)
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<T, A::Error> {
        T::read_members(members)
    }
}

/// Returns the name of the next member that is one of `names`; the others are left out.
pub(super) fn next_name<'de, A: MapAccess<'de>>(
    members: &mut A,
    names: &'static [&'static str],
) -> Result<Option<&'static str>, A::Error> {
    while let Some(found) = members.next_key_seed(OneOf(names))? {
        match found {
            Some(name) => return Ok(Some(name)),
            None => {
                members.next_value::<IgnoredAny>()?;
            }
        }
    }
    Ok(None)
}

struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Option<&'static str>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for OneOf {
    type Value = Option<&'static str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().copied().find(|known| *known == name))
    }
}

/// Refuses a member that was read before.
pub(super) fn check_new<T, E: de::Error>(member: &Option<T>, name: &'static str) -> Result<(), E> {
    match member {
        Some(_) => Err(E::duplicate_field(name)),
        None => Ok(()),
    }
}

/// Returns the member, which may not be missing.
pub(super) fn found<T, E: de::Error>(member: Option<T>, name: &'static str) -> Result<T, E> {
    member.ok_or_else(|| E::missing_field(name))
}

/// A member with one legal value.
pub(super) use required as constant;

/// A member that is always there.
pub(super) mod required {
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
pub(super) mod optional {
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

/// The one optional member whose `null` means absent: the state of an input.
pub(super) mod null_is_absent {
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
