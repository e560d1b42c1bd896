#![allow(unused)]

use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    run.text_message_content("m-1", "hi").await;
    Ok(())
}

fn main() {}
