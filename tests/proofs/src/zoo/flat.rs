//! Members of one value among those of another.

use std::collections::BTreeMap;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::sample;
use super::{Sample, Source};

/// A struct in a struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatStruct {
    pub before: u8,
    #[serde(flatten)]
    pub inner: Inner,
    pub after: String,
}
sample!(struct FlatStruct { before, inner, after });

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)]
pub struct Inner {
    pub one: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub two: Option<Vec<u8>>,
    #[serde(flatten)]
    pub deeper: Innermost,
}
sample!(struct Inner { one, two, deeper });

#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Innermost {
    pub deepest: Option<String>,
    #[serde(rename = "__proto__", default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<u8>,
}
sample!(struct Innermost { deepest, refused });

/// A map in a struct. Names that the struct has itself do not occur: serde would write them twice.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatMap {
    pub own: u8,
    #[serde(flatten)]
    pub rest: BTreeMap<String, Option<u8>>,
}

impl Sample for FlatMap {
    fn sample(source: &mut Source<'_>) -> Self {
        Self { own: u8::sample(source), rest: without_own(BTreeMap::sample(source)) }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        self.own.nudge(source);
        self.rest.nudge(source);
        self.rest.remove("own");
    }
}

fn without_own(mut rest: BTreeMap<String, Option<u8>>) -> BTreeMap<String, Option<u8>> {
    rest.remove("own");
    rest
}

/// An optional struct in a struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatOption {
    pub own: u8,
    #[serde(flatten)]
    pub inner: Option<Inner>,
}
sample!(struct FlatOption { own, inner });

/// Enums in a struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatEnum {
    pub own: u8,
    #[serde(flatten)]
    pub shape: Shape,
    #[serde(flatten)]
    pub event: Event,
    #[serde(flatten)]
    pub place: Place,
}
sample!(struct FlatEnum { own, shape, event, place });

/// Tagged inside.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "shape")]
#[allow(missing_docs)]
pub enum Shape {
    #[default]
    Nothing,
    Circle {
        radius: u8,
    },
    Square {
        side: u8,
        radius: Option<u8>,
    },
}
sample!(
    enum Shape {
        Nothing {},
        Circle { radius: a },
        Square { side: a, radius: b },
    }
);

/// Tagged outside.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
#[allow(missing_docs)]
pub enum Event {
    Click { x: u8, y: u8 },
    Key(String),
    Pair(u8, u8),
}
sample!(enum Event { Click { x: a, y: b }, Key { 0: a }, Pair { 0: a, 1: b } });

impl Default for Event {
    fn default() -> Self {
        Self::Key(String::new())
    }
}

/// Tagged beside.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "place", content = "where")]
#[allow(missing_docs)]
pub enum Place {
    #[default]
    Nowhere,
    Here(u8),
    There {
        far: bool,
    },
}
sample!(enum Place { Nowhere {}, Here { 0: a }, There { far: a } });
