#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

#[derive(CustomEvent, Serialize, JsonSchema)]
struct Sizzle<'a> {
    what: &'a str,
}

fn main() {}
