//! Enums in all the forms serde can write them.

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::{Marker, Plain, Presence};

/// Only names.
#[derive(
    State,
    Serialize,
    Deserialize,
    JsonSchema,
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Paint {
    #[default]
    DarkRed,
    #[serde(rename = "a/b~\"c")]
    Green,
    Blue,
}
sample!(
    enum Paint {
        DarkRed {},
        Green {},
        Blue {},
    }
);

/// `"unit"`, `{"variant": …}`.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "snake_case", rename_all_fields = "camelCase")]
#[allow(missing_docs)]
pub enum External {
    #[default]
    NoData,
    #[serde(rename = "new/type")]
    Newtype(u32),
    Holder(Box<Plain>),
    Pair(u8, String),
    EmptyTuple(),
    Fields {
        snake_case_field: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        may_be_absent: Option<String>,
        #[serde(skip)]
        unseen: u8,
        list_of_names: Vec<String>,
    },
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    OtherCase {
        one_name: Option<u8>,
    },
    Skips(#[serde(skip)] u8, u16),
    EmptyFields {},
}
sample!(enum External {
    NoData {},
    Newtype { 0: a },
    Holder { 0: a },
    Pair { 0: a, 1: b },
    EmptyTuple {},
    Fields { snake_case_field: a, may_be_absent: b, unseen: c, list_of_names: d },
    OtherCase { one_name: a },
    Skips { 0: a, 1: b },
    EmptyFields {},
});

/// The tag among the members.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "ki~nd", rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Internal {
    #[default]
    NoData,
    Holder(Presence),
    Nothing(Marker),
    Fields {
        count: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    OtherFields {
        count: u32,
        title: String,
    },
}
sample!(enum Internal {
    NoData {},
    Holder { 0: a },
    Nothing { 0: a },
    Fields { count: a, note: b },
    OtherFields { count: a, title: b },
});

/// The tag beside the content.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "t", content = "c/c")]
#[allow(missing_docs)]
pub enum Adjacent {
    #[default]
    NoData,
    Newtype(Option<u8>),
    Pair(u8, Vec<u8>),
    Fields {
        a: u8,
        b: String,
    },
    Holder(Plain),
}
sample!(enum Adjacent {
    NoData {},
    Newtype { 0: a },
    Pair { 0: a, 1: b },
    Fields { a: a, b: b },
    Holder { 0: a },
});

/// No tag.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(untagged)]
#[allow(missing_docs)]
pub enum Untagged {
    #[default]
    Null,
    Whole(i32),
    Real(f64),
    Text(String),
    Pair(u8, u8),
    Fields {
        left: u8,
        right: Option<String>,
    },
    Holder(Plain),
    List(Vec<u8>),
}
sample!(enum Untagged {
    Null {},
    Whole { 0: a },
    Real { 0: a },
    Text { 0: a },
    Pair { 0: a, 1: b },
    Fields { left: a, right: b },
    Holder { 0: a },
    List { 0: a },
});
