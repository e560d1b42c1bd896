//! That is a text.
//!
//! error: `&str` is not an event of `Chef`
//! write: an event is a type of yours with `#[derive(CustomEvent, Serialize, JsonSchema)]`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.custom("sizzle").await?;
    Ok(())
}
