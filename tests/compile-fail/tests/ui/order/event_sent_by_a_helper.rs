#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::CustomEvent;

async fn helper(emit: &Emit) {
    emit.send(CustomEvent::new("note", true)).await;
}

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    helper(run).await;
    Ok(())
}

fn main() {}
