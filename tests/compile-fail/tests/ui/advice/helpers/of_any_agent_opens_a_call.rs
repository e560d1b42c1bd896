//! A helper for any agent opens a call by name.
//!
//! error: there is no list of tools to choose from
//! write: take the run of such an agent, `run: &Run<Chef>`, or of any, `run: &Run<A>` where `A: ToolSet`; an agent whose `Agent` is written by hand names its tools itself: `run.tool::<price>()`, `run.call(price { .. })`

use crate::kit::*;

async fn mistake<A: Agent>(run: &Run<A>) -> Result<(), Stop> {
    let call = run.open_call("price").await?;
    Ok(())
}
