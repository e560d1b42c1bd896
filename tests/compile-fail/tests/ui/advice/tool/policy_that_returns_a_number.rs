//! Policy that returns a number.
//!
//! error: this is no policy for calls of `refund`
//! write: write `fn policy(arguments: &refund) -> bool`, or the same as `async fn`

use crate::kit::*;

/// Refunds an order.
#[tool(approval = how_large)]
async fn refund(cents: u32) -> u32 {
    cents
}

fn how_large(refund: &refund) -> u32 {
    refund.cents
}

#[agent(tools = [refund])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
