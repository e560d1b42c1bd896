#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
struct Plan {
    at: usize,
}

#[agent(activities = [Plan])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let plan = run.activity(Plan { at: 0 });
    plan.update(|plan| plan.at += 1).await?;
    Ok(())
}

fn main() {}
