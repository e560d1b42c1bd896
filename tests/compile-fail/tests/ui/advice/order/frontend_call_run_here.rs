//! Frontend call run here.
//!
//! error: a frontend tool has no TOOL_CALL_RESULT in the run that calls it
//! write: end the run and let the client answer: `return Err(Stop::await_frontend([call]))`; the next run reads `input.frontend_result::<confirm>()?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let yes = run.call(confirm { total: 180 }).await?.run().await;
    Ok(())
}
