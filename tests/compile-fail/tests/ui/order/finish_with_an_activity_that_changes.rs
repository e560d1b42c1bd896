#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::FinishedRun;
use agui_runtime::events::ActivityOf;

async fn show<'r, A: Agent, T: ActivityOf<A>>(run: &'r mut Run<A>, plan: T) -> Result<FinishedRun<'r, ()>, Stop> {
    let mut plan = run.activity(plan).await?;
    let done = run.finish(());
    plan.update(|_| ()).await?;
    Ok(done)
}

fn main() {}
