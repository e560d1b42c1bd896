#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
enum Plan {
    Going { at: u32 },
    Done,
}

#[agent(activities = [Plan])]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    run.activity(Plan::Done).await?.update(|plan| *plan = Plan::Done).await?;
    Ok(())
}

fn main() {}
