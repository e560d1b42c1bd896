//! The user interface asks before it runs its own tools.
use agui_runtime::prelude::*;

/// Asks for the order.
#[tool(frontend, approval)]
async fn order() -> u64;

fn main() {}
