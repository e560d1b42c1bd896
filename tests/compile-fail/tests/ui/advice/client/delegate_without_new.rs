//! Delegate without new.
//!
//! error: mismatched types
//! write: expected `&Arc<_>`, found fn item

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.delegate("waiter", waiter, Vec::new()).await?;
    Ok(())
}
