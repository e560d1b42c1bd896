#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]
enum Plan {
    Going { at: u32 },
    Done,
}

async fn show(run: &Emit) -> Result<(), agui_runtime::events::ActivityError> {
    run.activity(Plan::Done).await?.update(|plan| *plan = Plan::Done).await
}

fn main() {}
