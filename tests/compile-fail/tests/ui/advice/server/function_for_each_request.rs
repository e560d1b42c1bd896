//! Function for each request.
//!
//! error: this type is not an agent
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().agent_with("/", |_| Ok(chef));
}
