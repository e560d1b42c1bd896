//! Whole numbers that JavaScript cannot hold, as strings.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Whole numbers as strings of their digits: for `#[serde(with = "agui_runtime::int_string::<u64>")]`, and nothing more.
///
/// JavaScript reads every number as an `f64`, which cannot tell whole numbers beyond 2^53 apart: the id
/// 9007199254740993 arrives as 9007199254740992. This is a type and not a module, so that schemars, which takes what `with`
/// names for a type, sees it as well: the schema says `string` with a pattern, and so do the generated types.
///
/// The type of the field stands in it, for schemars sees no other: `int_string::<Option<u64>>`, `int_string::<Vec<i64>>`. Without one
/// it does not compile. For what is no whole number, and is its own text, there is the module [`as_string`](crate::as_string).
///
/// ```
/// use agui_runtime::prelude::*;
/// use schemars::{JsonSchema, schema_for};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Order {
///     #[serde(with = "agui_runtime::int_string::<u64>")]
///     id: u64,
///     #[serde(default, skip_serializing_if = "Option::is_none", with = "agui_runtime::int_string::<Option<i64>>")]
///     balance: Option<i64>,
/// }
///
/// let order = Order { id: 9_007_199_254_740_993, balance: None };
/// assert_eq!(serde_json::to_string(&order)?, r#"{"id":"9007199254740993"}"#);
/// let schema = schema_for!(Order).to_value();
/// assert_eq!(schema["properties"]["id"]["pattern"], "^[0-9]+$");
/// assert_eq!(schema["properties"]["balance"]["anyOf"][1]["type"], "null");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[allow(non_camel_case_types, reason = "it stands in attributes, where modules stand")]
#[derive(Debug)]
pub struct int_string<T>(PhantomData<T>);

impl<T: IntString> int_string<T> {
    /// Writes the digits.
    ///
    /// # Errors
    /// The serializer's.
    ///
    /// ```
    /// let mut text = Vec::new();
    /// agui_runtime::int_string::serialize(&-7_i64, &mut serde_json::Serializer::new(&mut text))?;
    /// assert_eq!(text, b"\"-7\"");
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn serialize<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.write(serializer)
    }

    /// Reads the digits.
    ///
    /// # Errors
    /// The deserializer's, and what is wrong with the string.
    ///
    /// ```
    /// let read = |text: &str| {
    ///     let mut json = serde_json::Deserializer::from_str(text);
    ///     agui_runtime::int_string::<u8>::deserialize(&mut json).map_err(|error| error.to_string())
    /// };
    /// assert_eq!(read("\"7\""), Ok(7));
    /// assert!(read("7").is_err(), "a number may be rounded already");
    /// assert!(read("\"256\"").unwrap_err().contains("`256`: number too large to fit"));
    /// ```
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        T::read(deserializer)
    }
}

impl<T: IntString> JsonSchema for int_string<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "int_string".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::schema(generator)
    }
}

/// What [`int_string`](struct@int_string) writes: whole numbers, and options and lists of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no whole number, and no option or list of one",
    label = "not written by `int_string`"
)]
pub trait IntString: Sized + sealed::Sealed {
    #[doc(hidden)]
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;

    #[doc(hidden)]
    fn schema(generator: &mut SchemaGenerator) -> Schema;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! whole_numbers {
    ($pattern:literal: $($number:ty),*) => {$(
        impl sealed::Sealed for $number {}

        impl IntString for $number {
            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(Digits(PhantomData))
            }

            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    )*};
}

whole_numbers!("^[0-9]+$": u8, u16, u32, u64, u128, usize);
whole_numbers!("^0*[1-9][0-9]*$": std::num::NonZeroU32, std::num::NonZeroU64);
whole_numbers!("^-?[0-9]+$": i8, i16, i32, i64, i128, isize);

struct Digits<T>(PhantomData<T>);

impl<T: std::str::FromStr<Err: fmt::Display>> Visitor<'_> for Digits<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number in a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        // Rust reads a plus as well, which the schema does not have.
        if text.starts_with('+') {
            return Err(E::custom(format_args!("`{text}`: begins with a plus")));
        }
        text.parse().map_err(|cause| E::custom(format_args!("`{text}`: {cause}")))
    }
}

/// A number inside an option or a list.
struct Inner<T>(T);

impl<T: IntString> Serialize for Inner<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: IntString> Deserialize<'de> for Inner<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::read(deserializer).map(Self)
    }
}

impl<T: IntString> sealed::Sealed for Option<T> {}

impl<T: IntString> IntString for Option<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_ref().map(Inner).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::<Inner<T>>::deserialize(deserializer)?.map(|inner| inner.0))
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [T::schema(generator), { "type": "null" }] })
    }
}

impl<T: IntString> sealed::Sealed for Vec<T> {}

impl<T: IntString> IntString for Vec<T> {
    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(Inner))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let inner = Vec::<Inner<T>>::deserialize(deserializer)?;
        Ok(inner.into_iter().map(|inner| inner.0).collect())
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": T::schema(generator) })
    }
}
