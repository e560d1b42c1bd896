//! Not in the list.
//!
//! error: `Sizzle` is not an event of `Waiter`
//! write: that `#[agent(events = [..])]` lists: the generated client only knows the events listed there

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.custom(Sizzle { loud: true }).await?;
    Ok(())
}
