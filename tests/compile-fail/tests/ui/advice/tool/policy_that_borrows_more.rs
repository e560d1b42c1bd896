//! Policy that borrows more.
//!
//! error: this is no policy for calls of `refund`
//! write: it may borrow what the tool borrows

use crate::kit::*;

/// Refunds an order.
#[tool(approval = is_large)]
async fn refund(cents: u32) -> u32 {
    cents
}

async fn is_large(refund: &refund, shop: &Shop) -> bool {
    refund.cents > 100
}

#[agent(tools = [refund])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop) -> Result<(), Stop> {
    Ok(())
}
