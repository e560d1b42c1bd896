//! Argument left out.
//!
//! error: missing field `name` in initializer of `price`
//! write: missing `name`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.call(price {}).await?.run().await;
    Ok(())
}
