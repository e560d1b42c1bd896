//! Call that is dropped.
//!
//! error: unused `_::ChefOpenCall` that must be used
//! write: a call that is dropped is answered with an error

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.open_call("price").await?;
    Ok(())
}
