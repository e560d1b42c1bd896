//! Frontend call that is dropped.
//!
//! error: unused `PendingCall` that must be used
//! write: end the run with `return Err(Stop::await_frontend([call]))` and let the client answer

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.call(confirm { total: 180 }).await?;
    Ok(())
}
