#![allow(unused)]

use agui_runtime::model::Model;
use agui_runtime::prelude::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, model: &Model) -> Result<(), Stop> {
    let mut chat = run.chat(model);
    run.steering_messages().await;
    chat.step().await?;
    Ok(())
}

fn main() {}
