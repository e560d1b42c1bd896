//! Delegate without new.
//!
//! error: an agent is expected, and this type is none
//! write: pass `Chef::new()`, not `chef`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.delegate("waiter", waiter, Vec::new()).await?;
    Ok(())
}
