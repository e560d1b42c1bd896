//! Not in the list.
//!
//! error: `Sizzle` is not an event of `Waiter`
//! write: add it to `#[agent(events = [..])]`: the generated client only knows the events listed there

use crate::kit::*;

async fn mistake(run: &mut Run<Waiter>) -> Result<(), Stop> {
    run.custom(Sizzle { loud: true }).await?;
    Ok(())
}
