#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: u32,
}

#[agent(activities = [Plan, Plan])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
