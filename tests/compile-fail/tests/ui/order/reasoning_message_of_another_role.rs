#![allow(unused)]

use agui_runtime::prelude::*;
use agui_runtime::protocol::TextMessageRole;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let think = run.reasoning().await;
    let thought = think.message().role(TextMessageRole::Assistant).await;
    Ok(())
}

fn main() {}
