//! Private with approval.
//!
//! error: `private` and `approval` exclude each other: the user would approve a call without seeing it; leave one of them out
//! write: leave one of them out

use crate::kit::*;

/// Reads a file.
#[tool(private, approval)]
async fn file(name: String) -> String {
    name
}
