//! Result before the arguments end.
//!
//! error: TOOL_CALL_RESULT before TOOL_CALL_END
//! write: end them first: `let call = call.end()?;`, then `call.run().await` or `call.result(..).await?`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let call = run.tool::<price>().await;
    call.result(180).await?;
    Ok(())
}
