#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::Finished;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>) -> Result<Finished<'r, ()>, Stop> {
    let _step = run.step("plan").await;
    Ok(run.finish(()))
}

fn main() {}
