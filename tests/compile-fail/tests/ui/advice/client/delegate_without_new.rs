//! Delegate without new.
//!
//! error: this type is not an agent in an `Arc`
//! write: the agent of the function `chef` is `Chef::new()`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.delegate("waiter", waiter, Vec::new()).await?;
    Ok(())
}
