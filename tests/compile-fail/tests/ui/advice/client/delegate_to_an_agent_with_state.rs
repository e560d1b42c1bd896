//! Delegate to an agent with state.
//!
//! error: this type is not an agent in an `Arc`
//! write: `let chef = Arc::new(Chef::new());`, then pass `&chef`

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.delegate("chef", Chef::new(Shop), Vec::new()).await?;
    Ok(())
}
