//! Delegate without new.
//!
//! error: an agent in an `Arc` is expected, and this type is none
//! write: the agent of the function `chef` is `Chef::new()`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.delegate("waiter", waiter, Vec::new()).await?;
    Ok(())
}
