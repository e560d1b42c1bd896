//! That is a text.
//!
//! error: `&str` is not an event of `Chef`
//! write: add it to `#[agent(events = [..])]`: the generated client only knows the events listed there

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    run.custom("sizzle").await?;
    Ok(())
}
