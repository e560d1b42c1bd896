//! Takes the input.
//!
//! error: a tool has no input, which belongs to the agent's function: take `&ToolCtx`, which knows the call, the thread, the context and the messages
//! write: take `&ToolCtx`, which knows the call, the thread, the context and the messages

use crate::kit::*;

/// Counts.
#[tool]
async fn count(input: &Input<Chef>) -> u32 {
    1
}
