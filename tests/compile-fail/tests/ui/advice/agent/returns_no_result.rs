//! Returns no result.
//!
//! error: an agent says how its run ends: return `Result<u32, Stop>`
//! write: return `Result<u32, Stop>`

use crate::kit::*;

#[agent]
async fn cook(run: &mut Run<Cook>, input: Input<Cook>) -> u32 {
    1
}
