//! Numbers as strings: for `#[serde(with = "agui_runtime::as_string")]`.
//!
//! JavaScript reads every number as an `f64`, which cannot tell whole numbers beyond 2^53 apart: the id
//! 9007199254740993 arrives as 9007199254740992. A field that serde writes with this module goes as a string of its
//! digits. `#[state(as_string)]` beside it says that this is meant, and `#[schemars(with = "String")]` tells the
//! generated types. For whole numbers, [`int_string`](struct@crate::int_string) says all of it in one attribute.
//!
//! ```
//! use agui_runtime::prelude::*;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
//! struct Order {
//!     #[serde(with = "agui_runtime::as_string")]
//!     #[schemars(with = "String")]
//!     #[state(as_string)]
//!     id: u64,
//! }
//!
//! let order = Order { id: 9_007_199_254_740_993 };
//! assert_eq!(serde_json::to_string(&order)?, r#"{"id":"9007199254740993"}"#);
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::fmt::{self, Display};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

/// Writes the value as a string.
///
/// # Errors
/// The serializer's.
///
/// ```
/// let mut text = Vec::new();
/// agui_runtime::as_string::serialize(&7_u64, &mut serde_json::Serializer::new(&mut text))?;
/// assert_eq!(text, b"\"7\"");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Reads the value from a string.
///
/// # Errors
/// The deserializer's, and what is wrong with the string.
///
/// ```
/// let mut json = serde_json::Deserializer::from_str("\"7\"");
/// assert_eq!(agui_runtime::as_string::deserialize::<u64, _>(&mut json)?, 7);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    deserializer.deserialize_str(Text(PhantomData))
}

struct Text<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in a string")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(|cause| E::custom(format_args!("`{text}`: {cause}")))
    }
}
