//! Complete call that is dropped.
//!
//! error: unused `_::ChefReadyCall` that must be used
//! write: settle it: `run.dispatch(vec![call]).await`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.open_call("price").await?.end()?;
    Ok(())
}
