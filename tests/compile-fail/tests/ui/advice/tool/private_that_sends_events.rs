//! Private that sends events.
//!
//! error: a private tool sends no events: leave this parameter out, and send events from the agent's function or from another tool
//! write: leave this parameter out, and send events from the agent's function or from another tool

use crate::kit::*;

/// Reads a file.
#[tool(private)]
async fn file(run: &Emit, name: String) -> String {
    name
}
