#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;

/// It sizzles.
#[derive(CustomEvent, Serialize, JsonSchema)]
struct Sizzle;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.custom(Sizzle).await?;
    Ok(())
}

fn main() {}
