//! Values as strings: whole numbers beyond JavaScript's range, and other types with a text form.

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Values as strings: for `#[serde(with = "agui_runtime::as_string::<u64>")]`.
///
/// JavaScript reads every number as an `f64`, which rounds whole numbers beyond 2^53: the id 9007199254740993 arrives as
/// 9007199254740992. `as_string` is a type and not a module, because schemars reads the path in `with` as a type; so
/// schemas and generated types have the string too. The type in the brackets is required:
///
/// | field | brackets | schema |
/// |---|---|---|
/// | a whole number `N` | `N` | a string of digits |
/// | any other type that is `Display` and `FromStr`, such as a decimal | `String` | a string |
/// | an `Option<T>` of these | `Option<…>` around the brackets for `T` | the same, or `null` |
/// | a `Vec<T>` of these | `Vec<…>` around the brackets for `T` | an array with the same items |
///
/// A whole number may also be written with `String`: the schema is then any string, and the text may begin with a plus.
///
/// Earlier versions had the module `as_string` and the type `int_string`. For `#[serde(with = "agui_runtime::as_string")]` with
/// `#[schemars(with = "String")]` and `#[state(as_string)]`, write `#[serde(with = "agui_runtime::as_string::<String>")]`; for
/// `int_string::<u64>`, write `as_string::<u64>`. JSON and schemas are the same.
///
/// ```
/// use std::net::IpAddr;
///
/// use agui_runtime::prelude::*;
/// use schemars::{JsonSchema, schema_for};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
/// struct Order {
///     #[serde(with = "agui_runtime::as_string::<u64>")]
///     id: u64,
///     #[serde(default, skip_serializing_if = "Option::is_none", with = "agui_runtime::as_string::<Option<i64>>")]
///     balance: Option<i64>,
///     #[serde(with = "agui_runtime::as_string::<Vec<String>>")]
///     servers: Vec<IpAddr>,
/// }
///
/// let order = Order { id: 9_007_199_254_740_993, balance: None, servers: vec!["::1".parse()?] };
/// assert_eq!(serde_json::to_string(&order)?, r#"{"id":"9007199254740993","servers":["::1"]}"#);
/// let schema = schema_for!(Order).to_value();
/// assert_eq!(schema["properties"]["id"]["pattern"], "^[0-9]+$");
/// assert_eq!(schema["properties"]["balance"]["anyOf"][1]["type"], "null");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[allow(non_camel_case_types, reason = "it is written in attributes, like a module")]
#[derive(Debug)]
pub struct as_string<W = form::TypeIsMissing>(PhantomData<W>);

impl<W> as_string<W> {
    /// Writes the string.
    ///
    /// # Errors
    /// The serializer's error.
    pub fn serialize<T, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>
    where
        W: AsString<T>,
    {
        W::write(value, serializer)
    }

    /// Reads the string. A bare number is refused, because a client may have rounded it already.
    ///
    /// # Errors
    /// The deserializer's error, or the reason why the string is refused.
    pub fn deserialize<'de, T, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>
    where
        W: AsString<T>,
    {
        W::read(deserializer)
    }
}

impl<W: Form> JsonSchema for as_string<W> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "as_string".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        W::schema(generator)
    }
}

/// A form in which [`as_string`](struct@as_string) writes a `T`.
///
/// ```
/// fn writes<T, W: agui_runtime::AsString<T>>() {}
///
/// writes::<u64, u64>();
/// writes::<Option<std::net::IpAddr>, Option<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`as_string::<{Self}>` cannot write `{T}`",
    label = "not written by `as_string`",
    note = "write the type itself for a whole number, `String` for a type that is `Display` and `FromStr`, and `Option<…>` or `Vec<…>` of these"
)]
pub trait AsString<T>: Form {
    #[doc(hidden)]
    fn write<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error>;

    #[doc(hidden)]
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error>;
}

pub use form::Form;

mod form {
    use schemars::{Schema, SchemaGenerator};

    /// The brackets of `as_string` without a type. The compiler then lists the forms there are, because this type has none.
    #[doc(hidden)]
    #[derive(Debug)]
    pub enum TypeIsMissing {}

    /// A string form, without the type that it is written for.
    #[doc(hidden)]
    #[diagnostic::on_unimplemented(
        message = "`as_string::<{Self}>` writes nothing",
        label = "not a form of strings",
        note = "write the type itself for a whole number, `String` for a type that is `Display` and `FromStr`, and `Option<…>` or `Vec<…>` of these"
    )]
    pub trait Form {
        fn schema(generator: &mut SchemaGenerator) -> Schema;
    }
}

macro_rules! whole_numbers {
    ($pattern:literal: $($number:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl Form for $number {
            fn schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern })
            }
        }

        impl AsString<$number> for $number {
            fn write<S: Serializer>(value: &Self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(value)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(StringFormVisitor { digits: true, value: PhantomData })
            }
        }
    )*};
}

whole_numbers!("^[0-9]+$": u8, u16, u32, u64, u128, usize);
whole_numbers!("^0*[1-9][0-9]*$": std::num::NonZeroU32, std::num::NonZeroU64);
whole_numbers!("^-?[0-9]+$": i8, i16, i32, i64, i128, isize);

#[diagnostic::do_not_recommend]
impl Form for String {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        Self::json_schema(generator)
    }
}

impl<T: Display + FromStr<Err: Display>> AsString<T> for String {
    fn write<S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(StringFormVisitor { digits: false, value: PhantomData })
    }
}

struct StringFormVisitor<T> {
    /// True for a whole number's text: Rust also reads a plus, which the schema refuses.
    digits: bool,
    value: PhantomData<T>,
}

impl<T: FromStr<Err: Display>> Visitor<'_> for StringFormVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.digits { "a whole number in a string" } else { "a value in a string" })
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        if self.digits && text.starts_with('+') {
            return Err(E::custom(format_args!("`{text}`: begins with a plus")));
        }
        text.parse().map_err(|cause| E::custom(format_args!("`{text}`: {cause}")))
    }
}

/// A value inside an option or a list, with its form.
struct FormedValue<T, W>(T, PhantomData<W>);

impl<T, W: AsString<T>> Serialize for FormedValue<&T, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        W::write(self.0, serializer)
    }
}

impl<'de, T, W: AsString<T>> Deserialize<'de> for FormedValue<T, W> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        W::read(deserializer).map(|value| Self(value, PhantomData))
    }
}

#[diagnostic::do_not_recommend]
impl<W: Form> Form for Option<W> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [W::schema(generator), { "type": "null" }] })
    }
}

impl<T, W: AsString<T>> AsString<Option<T>> for Option<W> {
    fn write<S: Serializer>(value: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        value.as_ref().map(|value| FormedValue::<_, W>(value, PhantomData)).serialize(serializer)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Ok(Option::<FormedValue<T, W>>::deserialize(deserializer)?.map(|inner| inner.0))
    }
}

#[diagnostic::do_not_recommend]
impl<W: Form> Form for Vec<W> {
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array", "items": W::schema(generator) })
    }
}

impl<T, W: AsString<T>> AsString<Vec<T>> for Vec<W> {
    fn write<S: Serializer>(value: &Vec<T>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(value.iter().map(|value| FormedValue::<_, W>(value, PhantomData)))
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        let inner = Vec::<FormedValue<T, W>>::deserialize(deserializer)?;
        Ok(inner.into_iter().map(|inner| inner.0).collect())
    }
}
