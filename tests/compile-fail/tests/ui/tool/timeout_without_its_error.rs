//! A tool with a timeout returns a `Result`.
use agui_runtime::prelude::*;

/// Looks up an order.
#[tool(timeout = "10s")]
async fn order(
    /// number on the invoice
    number: u64,
) -> u64 {
    number
}

/// Helps customers.
#[agent(tools = [order])]
async fn desk(run: &mut Run<Desk>, _: Input<Desk>) -> Result<u64, Stop> {
    Ok(run.call(order { number: 7 }).await?.run().await)
}

fn main() {}
