#![allow(unused)]

use agui_runtime::prelude::*;
use futures::{Stream, stream};

struct Hit;

/// Counts.
#[tool]
fn count(most: u32) -> impl Stream<Item = Hit> {
    stream::iter((0..most).map(|_| Hit))
}

/// Counts with you.
#[agent(tools = [count])]
async fn counter(run: &mut Run<Counter>, _: Input<Counter>) -> Result<(), Stop> {
    Ok(())
}

fn main() {}
