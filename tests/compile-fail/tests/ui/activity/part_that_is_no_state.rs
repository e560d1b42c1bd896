#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, JsonSchema, Clone)]
struct Stop;

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: u32,
    stops: Vec<Stop>,
}

fn main() {}
