//! Activity of a plain type.
//!
//! error: `Shop` is not an activity of `Chef`
//! write: add it to `#[agent(activities = [..])]`

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let plan = run.activity(Shop).await?;
    Ok(())
}
