//! Lists a plain function.
//!
//! error: expected type, found function `stir`

use crate::kit::*;

async fn stir(times: u32) -> u32 {
    times
}

#[agent(tools = [stir])]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<(), Stop> {
    Ok(())
}
