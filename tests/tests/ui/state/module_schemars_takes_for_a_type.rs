#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod cents {
    pub fn serialize<S: serde::Serializer>(cents: &u32, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(cents)
    }
    pub fn deserialize<'de, D: serde::Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
        let text: String = serde::Deserialize::deserialize(input)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

// The one line that is missing: `#[schemars(with = "String")]`.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Order {
    #[serde(with = "cents")]
    limit: u32,
}

fn main() {}
