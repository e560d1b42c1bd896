//! Snapshot of another type.
//!
//! error: mismatched types
//! write: expected `&Recipe`, found `&u32`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.state().snapshot(&3_u32).await?;
    Ok(())
}
