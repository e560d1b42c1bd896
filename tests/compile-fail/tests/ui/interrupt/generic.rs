#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Interrupt, Serialize, JsonSchema)]
#[interrupt(reason = "confirm", response = bool)]
struct Confirm<T> {
    path: T,
}

fn main() {}
