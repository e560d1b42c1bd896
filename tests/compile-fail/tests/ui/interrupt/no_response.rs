#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm")]
struct Confirm {
    path: String,
}

fn main() {}
