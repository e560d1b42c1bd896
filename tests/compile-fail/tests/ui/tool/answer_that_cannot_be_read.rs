#![allow(unused)]

use agui_runtime::prelude::*;

use schemars::JsonSchema;
use serde::Serialize;

#[derive(Serialize, JsonSchema)]
struct Answer;

/// Asks.
#[tool(frontend)]
async fn confirm(total: u32) -> Answer;

fn main() {}
