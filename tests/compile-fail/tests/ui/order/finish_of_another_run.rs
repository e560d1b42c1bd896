#![allow(unused)]

use agui_runtime::prelude::*;

use agui_runtime::Finished;

#[agent(strict)]
async fn cook<'r>(run: &'r mut Run<Cook>, input: Input<Cook>, other: &Kept) -> Result<Finished<'r, ()>, Stop> {
    Ok(elsewhere(run).await)
}

struct Kept;

async fn elsewhere<'a, 'b>(run: &'a mut Run<Cook>) -> Finished<'b, ()> {
    run.finish(())
}

fn main() {}
