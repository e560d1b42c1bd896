//! Output without derives.
//!
//! error: `Menu` cannot be the result of a run
//! write: write `#[derive(Serialize, JsonSchema)]` on it

use crate::kit::*;

struct Menu;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> Result<Menu, Stop> {
    Ok(Menu)
}
