#![allow(unused)]

use agui_runtime::prelude::*;

/// Looks up what something costs.
#[tool]
async fn price(name: String) -> u32 {
    180
}

/// Cooks with you.
#[agent(tools = [price])]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    let call = run.call(price { name: "rice".to_owned() }).await?;
    call.fail(std::io::Error::other("password")).await;
    Ok(())
}

fn main() {}
