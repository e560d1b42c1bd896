//! The runtime has tools of its own.
use agui_runtime::prelude::*;

/// Ends.
#[tool]
async fn final_result() {}

/// Reads the state.
#[tool(name = "agui_state")]
async fn state() {}

fn main() {}
