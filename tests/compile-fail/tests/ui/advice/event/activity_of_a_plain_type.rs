//! Activity of a plain type.
//!
//! error: `Shop` is not an activity
//! write: write `#[derive(Activity, Serialize, Deserialize, JsonSchema, Clone)]` on it

use crate::kit::*;

async fn mistake(run: &mut Run<Chef>) -> Result<(), Stop> {
    let plan = run.activity(Shop).await?;
    Ok(())
}
