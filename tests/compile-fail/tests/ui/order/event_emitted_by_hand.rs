#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::RunErrorEvent;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.emit(RunErrorEvent::new("no")).await;
    Ok(())
}

fn main() {}
