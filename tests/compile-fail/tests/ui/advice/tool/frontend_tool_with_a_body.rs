//! Frontend tool with a body.
//!
//! error: a frontend tool runs in the user interface and has no body: write `;` instead, or leave out `frontend`
//! write: write `;` instead, or leave out `frontend`

use crate::kit::*;

/// Asks.
#[tool(frontend)]
async fn ask(total: u32) -> bool {
    true
}
