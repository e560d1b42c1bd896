//! Function as an argument.
//!
//! error: `fn(u32) -> u32` cannot be an argument of a tool
//! write: write `#[derive(Serialize, Deserialize, JsonSchema)]` on it; or borrow it, `&fn(u32) -> u32`, if the agent has it

use crate::kit::*;

/// Does it.
#[tool]
async fn act(what: fn(u32) -> u32) -> u32 {
    1
}
