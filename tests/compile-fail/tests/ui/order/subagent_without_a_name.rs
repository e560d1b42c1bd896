#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::SubagentStartedEvent;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let started = SubagentStartedEvent::new("sub-1");
    Ok(())
}

fn main() {}
