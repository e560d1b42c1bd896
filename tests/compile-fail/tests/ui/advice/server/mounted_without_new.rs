//! Mounted without new.
//!
//! error: an agent is expected, and this type is none
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().agent("/", chef);
}
