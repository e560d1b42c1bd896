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

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Recipe {
    #[serde(serialize_with = "cents::serialize", deserialize_with = "cents::deserialize")]
    price: u32,
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
