//! Maps with every kind of key, and sets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use agui_runtime::State;
use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::{Paint, Plain};

/// A key that is a struct around a key.
#[derive(
    State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct Slug(pub u16);
sample!(struct Slug { 0 });

/// Maps.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Maps {
    pub texts: BTreeMap<String, String>,
    pub plains: BTreeMap<String, Plain>,
    pub integers: BTreeMap<i32, Option<u8>>,
    pub bools: BTreeMap<bool, u8>,
    pub chars: BTreeMap<char, u8>,
    pub paints: BTreeMap<Paint, Vec<u8>>,
    pub slugs: BTreeMap<Slug, u8>,
    pub hashed: HashMap<String, Vec<u8>>,
    pub ordered: IndexMap<String, u8>,
    pub nested: BTreeMap<String, BTreeMap<String, u8>>,
    pub set: BTreeSet<u8>,
    pub odd: Odd,
}
sample!(struct Maps {
    texts, plains, integers, bools, chars, paints, slugs, hashed, ordered, nested, set, odd
});

/// Names that JavaScript's objects have already.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Odd {
    #[serde(rename = "__proto__")]
    pub proto: u8,
    pub constructor: Constructor,
    pub length: u8,
    #[serde(rename = "-")]
    pub dash: Vec<u8>,
}
sample!(struct Odd { proto, constructor, length, dash });

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Constructor {
    pub prototype: BTreeMap<String, u8>,
    pub name: String,
}
sample!(struct Constructor { prototype, name });
