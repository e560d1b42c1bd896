//! Delegate to an agent with state.
//!
//! error: an agent that shares state cannot be a subagent, and this one shares `Recipe`
//! write: hand the subagent what it needs in its messages

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.delegate("chef", Chef::new(Shop), Vec::new()).await?;
    Ok(())
}
