//! Rare forms, each with its own path through the derive.

use std::collections::HashMap;
use std::sync::Arc;

use agui_runtime::State;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::flat::Shape;
use super::sample::sample;
use super::{Card, Inner, Row, Sample, Source};

/// One of each.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct Rare {
    pub tagged: Tagged,
    pub loose: Loose,
    pub many: Vec<Loose>,
    pub maybe: FlatMaybe,
    pub rest: FlatRest,
    pub boxed: FlatBox,
    #[serde(with = "agui_runtime::as_string::<u128>")]
    pub exact: u128,
    pub shared_cards: Arc<Vec<Card>>,
    #[state(key = "id")]
    pub shared_rows: Arc<Vec<Row>>,
    #[state(key = "title")]
    pub boxed_rows: Option<Box<Vec<Row>>>,
}
sample!(struct Rare {
    tagged, loose, many, maybe, rest, boxed, exact, shared_cards, shared_rows, boxed_rows
});

/// A struct with a tag.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(tag = "ki/nd", rename = "tag~ged")]
#[allow(missing_docs)]
pub struct Tagged {
    pub count: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
sample!(struct Tagged { count, note });

/// Variants with names, and others that are only their contents.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub enum Loose {
    #[default]
    NoData,
    Fields {
        count: u8,
    },
    #[serde(untagged)]
    Number(u16),
    #[serde(untagged)]
    Named {
        title: String,
        cells: Vec<u8>,
    },
}
sample!(
    enum Loose {
        NoData {},
        Fields { count: a },
        Number { 0: a },
        Named { title: a, cells: b },
    }
);

/// An optional enum in a struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatMaybe {
    pub own: u8,
    #[serde(flatten)]
    pub shape: Option<Shape>,
}
sample!(struct FlatMaybe { own, shape });

/// A map without an order, in a struct. Names that the struct has itself do not occur.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatRest {
    pub own: u8,
    #[serde(flatten)]
    pub rest: HashMap<String, u8>,
}

impl Sample for FlatRest {
    fn sample(source: &mut Source<'_>) -> Self {
        let mut rest = HashMap::sample(source);
        rest.remove("own");
        Self { own: u8::sample(source), rest }
    }

    fn nudge(&mut self, source: &mut Source<'_>) {
        self.own.nudge(source);
        self.rest.nudge(source);
        self.rest.remove("own");
    }
}

/// A struct behind a pointer, in a struct.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct FlatBox {
    pub own: u8,
    #[serde(flatten)]
    pub inner: Box<Inner>,
}
sample!(struct FlatBox { own, inner });

/// A type that is written by way of another type, and read as it is.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[allow(missing_docs)]
pub struct OneWay {
    pub mark: Mark,
    pub marks: Vec<Mark>,
}
sample!(struct OneWay { mark, marks });

/// Written as a number.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone, Default)]
#[serde(into = "u8")]
#[schemars(with = "u8")]
#[state(opaque)]
#[allow(missing_docs)]
pub struct Mark {
    pub points: u8,
    pub unseen: String,
}
sample!(struct Mark { points, unseen });

impl From<Mark> for u8 {
    fn from(mark: Mark) -> Self {
        mark.points / 2
    }
}
