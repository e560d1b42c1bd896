//! Tool of another agent.
//!
//! error: `price` is not a tool of `Waiter`
//! write: add it to `#[agent(tools = [..])]`: the agent's capabilities and clients are made from that list

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.call(price { name: "rice".to_owned() }).await?.run().await;
    Ok(())
}
