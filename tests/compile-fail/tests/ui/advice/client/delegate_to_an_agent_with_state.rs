//! Delegate to an agent with state.
//!
//! error: mismatched types
//! write: expected `&Arc<_>`, found `Chef`

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.delegate("chef", Chef::new(Shop), Vec::new()).await?;
    Ok(())
}
