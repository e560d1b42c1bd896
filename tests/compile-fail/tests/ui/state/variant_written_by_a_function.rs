#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

mod cents {
    pub fn serialize<T: ToString, S: serde::Serializer>(cents: &T, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&cents.to_string())
    }
    pub fn deserialize<'de, T, D: serde::Deserializer<'de>>(input: D) -> Result<T, D::Error> {
        Err(serde::de::Error::custom("never"))
    }
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
enum Recipe {
    #[serde(with = "cents")]
    Priced(u32),
}

#[agent(state = Recipe)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
