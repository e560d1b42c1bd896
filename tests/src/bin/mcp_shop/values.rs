//! Tools with values of any type, whose schema is `true`.

use std::collections::BTreeMap;

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A kept value.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct Kept {
    /// The name of the value.
    key: String,
    /// The value, of any type.
    value: Value,
    /// Other values of the same key.
    more: BTreeMap<String, Vec<Value>>,
}

/// Keeps any value.
#[tool]
async fn keep(key: String, value: Value, more: Option<Vec<Value>>) -> Kept {
    let more = more.map(|more| BTreeMap::from([("all".to_owned(), more)]));
    Kept { key, value, more: more.unwrap_or_default() }
}

/// Says hello.
#[tool]
async fn hello() -> String {
    "hello".to_owned()
}

/// Keeps values.
#[agent(tools = [keep, hello])]
pub async fn keeper(_: &mut Run<Keeper>, _: Input<Keeper>) -> Result<(), Stop> {
    Ok(())
}
