#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::StateHandle;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Doc {
    body: String,
    words: u32,
}

/// Writes the document.
#[tool(predict(document = "doc.bdoy"))]
async fn write(doc: &StateHandle<Doc>, document: String) -> bool {
    true
}

#[agent(state = Doc, tools = [write])]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
