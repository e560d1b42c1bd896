#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: u32,
}

async fn show(emit: &Emit) {
    emit.activity(Plan { at: 0 }).await;
}

#[agent(activities = [Plan])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    show(run).await;
    Ok(())
}

fn main() {}
