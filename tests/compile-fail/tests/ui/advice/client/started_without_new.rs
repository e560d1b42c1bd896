//! Started without new.
//!
//! error: this type is not an agent
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use std::sync::Arc;

use crate::kit::*;

fn mistake() {
    let input = agui_runtime::testing::input("hi");
    let events = agui_runtime::start(Arc::new(waiter), input, agui_runtime::RunOptions::default());
}
