//! The arguments of a tool, read by serde. The compiler pays for serde's derive with each tool, and for this once.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// The struct of a tool's arguments. `#[tool]` implements it where the arguments need nothing else of serde.
#[doc(hidden)]
pub trait ReadArguments: Sized {
    /// The name in errors.
    const STRUCT: &'static str;
    const NAMES: &'static [&'static str];

    /// # Errors
    /// If an argument is missing, given twice, or not of its type.
    fn read_arguments<'de, M: MapAccess<'de>>(members: M) -> Result<Self, M::Error>;
}

/// Deserializes the arguments from an object.
///
/// # Errors
/// If the JSON is no object, and those of [`ReadArguments::read_arguments`].
#[doc(hidden)]
pub fn deserialize_arguments<'de, T: ReadArguments, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_map(Arguments(PhantomData))
}

struct Arguments<T>(PhantomData<T>);

impl<'de, T: ReadArguments> Visitor<'de> for Arguments<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", T::STRUCT)
    }

    fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<T, M::Error> {
        T::read_arguments(members)
    }
}

/// Returns the place of the next member among `names`; others are left out, as serde's derive does.
///
/// # Errors
/// If the text is no JSON.
#[doc(hidden)]
pub fn next_argument<'de, M: MapAccess<'de>>(
    members: &mut M,
    names: &'static [&'static str],
) -> Result<Option<usize>, M::Error> {
    while let Some(place) = members.next_key_seed(Place(names))? {
        match place {
            Some(place) => return Ok(Some(place)),
            None => {
                members.next_value::<IgnoredAny>()?;
            }
        }
    }
    Ok(None)
}

struct Place(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Place {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Place {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|known| *known == name))
    }
}

/// Reads the value of a member that was not there before.
///
/// # Errors
/// If it was, or if it is not of the type.
#[doc(hidden)]
pub fn read_argument<'de, T: Deserialize<'de>, M: MapAccess<'de>>(
    argument: &mut Option<T>,
    members: &mut M,
    name: &'static str,
) -> Result<(), M::Error> {
    if argument.is_some() {
        return Err(de::Error::duplicate_field(name));
    }
    *argument = Some(members.next_value()?);
    Ok(())
}

/// Returns the argument. The value of an absent option is `None`, also where the type has another name.
///
/// # Errors
/// If it is missing.
#[doc(hidden)]
pub fn given<'de, T: Deserialize<'de>, E: de::Error>(
    argument: Option<T>,
    name: &'static str,
) -> Result<T, E> {
    match argument {
        Some(argument) => Ok(argument),
        None => T::deserialize(Absent { name, error: PhantomData }),
    }
}

struct Absent<E> {
    name: &'static str,
    error: PhantomData<E>,
}

impl<'de, E: de::Error> Deserializer<'de> for Absent<E> {
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
