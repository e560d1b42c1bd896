//! Structs of every shape.

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;

/// Named fields, under names of every kind.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default, PartialEq)]
#[serde(rename_all = "camelCase")]
#[serde(deny_unknown_fields)]
#[allow(missing_docs)]
pub struct Plain {
    pub first_name: String,
    #[serde(rename = "a/b~c\"d\\e")]
    pub escaped: u32,
    #[serde(rename = "")]
    pub nameless: bool,
    #[serde(rename = "constructor")]
    pub made_by: Option<String>,
    #[serde(rename(serialize = "0", deserialize = "0"), alias = "zero")]
    pub r#type: char,
}
sample!(struct Plain { first_name, escaped, nameless, made_by, r#type });

/// Members that are sometimes or always absent.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all(serialize = "SCREAMING-KEBAB-CASE", deserialize = "SCREAMING-KEBAB-CASE"), default)]
#[allow(missing_docs)]
pub struct Presence {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maybe_note: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "is_zero")]
    pub count: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twice: Option<Option<u8>>,
    pub always: Option<u8>,
    #[serde(skip)]
    pub never: u64,
    #[serde(skip_serializing)]
    pub never_written: String,
    #[serde(skip_serializing_if = "Option::is_none", rename = "__proto__")]
    pub refused: Option<u8>,
    #[serde(skip_serializing_if = "Plain::is_default")]
    pub plain: Plain,
}
sample!(struct Presence { maybe_note, tags, count, twice, always, never, never_written, refused, plain });

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl Plain {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// A struct around one value.
#[derive(
    State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct Wrapper(pub String);
sample!(struct Wrapper { 0 });

/// A struct with one field that is written as that field.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(transparent)]
#[allow(missing_docs)]
pub struct Transparent {
    pub inner: Vec<Wrapper>,
    #[serde(skip)]
    pub unseen: u8,
}
sample!(struct Transparent { inner, unseen });

/// Fields without names.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
pub struct Point(pub i16, pub Option<String>, pub (u8, [i8; 3]));
sample!(struct Point { 0, 1, 2 });

/// No fields at all.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
pub struct Marker;
sample!(
    struct Marker {}
);

/// A generic struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Generic<T> {
    pub one: T,
    pub more: Vec<T>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub none: Option<T>,
}
sample!(struct Generic<T> { one, more, none });
