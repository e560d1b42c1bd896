//! List of agents.
//!
//! error: this type is not an agent
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use std::sync::Arc;

use crate::kit::*;

fn mistake() {
    let agents: [Arc<dyn agui_runtime::DynAgent>; 2] = [Arc::new(Chef::new(Shop)), Arc::new(waiter)];
}
