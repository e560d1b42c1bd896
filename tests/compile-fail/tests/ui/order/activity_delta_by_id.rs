#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.activity_delta("a-1", vec![("replace", "/at")]).await?;
    Ok(())
}

fn main() {}
