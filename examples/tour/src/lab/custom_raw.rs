//! `/lab/custom_raw`: custom events, and events of other systems.

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// Reports the depth of a value.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "lab.ping")]
pub struct Ping {
    n: u32,
    deep: Vec<Value>,
}

/// Has the value null.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "lab.null")]
pub struct Null;

/// Sends events that only some clients understand.
#[agent(events = [Ping, Null])]
pub async fn custom_raw(run: &mut Run<CustomRaw>, _: Input<CustomRaw>) -> Result<(), Stop> {
    let deep = vec![Value::Null, json!(true), json!(1.5), json!("x")];
    run.custom(Ping { n: 1, deep }).await?; // CUSTOM
    run.custom(Null).await?;
    run.raw(json!({ "provider": { "chunk": 7 } })).source("labprovider").await; // RAW
    Ok(())
}
