#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
#[activity(typ = "PLAN")]
struct Plan {
    at: u32,
}

#[agent(activities = [Plan])]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    let mut plan = run.activity(Plan { at: 0 }).await?;
    plan.update(|plan| plan.at = 1).await?;
    Ok(())
}

fn main() {}
