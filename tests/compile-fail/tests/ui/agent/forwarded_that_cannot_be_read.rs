#![allow(unused)]

use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Serialize, JsonSchema)]
struct Page {
    theme: String,
}

#[agent(forwarded = Page)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let page = input.forwarded::<Page>()?;
    Ok(())
}

fn main() {}
