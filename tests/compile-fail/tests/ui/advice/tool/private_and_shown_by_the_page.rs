//! Private and shown by the page.
//!
//! error: `private` and `frontend` exclude each other: the user interface runs its own tools, so it sees their calls; leave one of them out
//! write: leave one of them out

use crate::kit::*;

/// Reads a file.
#[tool(private, frontend)]
async fn file(name: String) -> String;
