#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    let text = run.message().await;
    run.steering_messages().await;
    text.end();
    Ok(())
}

fn main() {}
