//! Strict without finish.
//!
//! error: an agent with `strict` ends its run itself: return `FinishedRun<'r, u32>`, made by `run.finish(value)`, or leave out `strict`
//! write: return `FinishedRun<'r, u32>`, made by `run.finish(value)`, or leave out `strict`

use crate::kit::*;

#[agent(strict)]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<u32, Stop> {
    Ok(1)
}
