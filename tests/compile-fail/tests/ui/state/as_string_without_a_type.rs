use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
struct Order {
    #[serde(with = "agui_runtime::as_string")]
    id: u64,
}

fn main() {}
