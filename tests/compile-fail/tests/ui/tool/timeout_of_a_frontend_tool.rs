//! The user interface has its own time.
use agui_runtime::prelude::*;

/// Asks for the order.
#[tool(frontend, timeout = "10s", max_result = "64KB")]
async fn order() -> u64;

fn main() {}
