#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(JsonSchema)]
struct Approval {
    approved: bool,
}

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = Approval)]
struct Confirm {
    path: String,
}

fn main() {}
