//! Frontend tool called as a function.
//!
//! error: `confirm` runs in the user interface, so the agent cannot call it as a function
//! write: call it through the run, `let call = run.call(confirm { .. }).await?;`, and end the run, `return Err(Stop::await_frontend([call]))`; the next run reads `input.frontend_result::<confirm>()?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    if confirm(180).await {
        run.say("Thank you.").await;
    }
    Ok(())
}
