//! Policy closure with another name.
//!
//! error: behind the arguments, a policy takes parameters that the tool borrows, by their names, and it borrows `shop`: add the parameter to the tool, or leave it out here
//! write: add the parameter to the tool, or leave it out here

use crate::kit::*;

/// Refunds an order.
#[tool(approval = |refund, till| refund.cents > till.limit)]
async fn refund(shop: &Shop, cents: u32) -> u32 {
    cents
}

#[agent(tools = [refund])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>, shop: &Shop) -> Result<(), Stop> {
    Ok(())
}
