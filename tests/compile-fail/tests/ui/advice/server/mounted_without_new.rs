//! Mounted without new.
//!
//! error: `for<'a, 'b> fn(&'a mut agui_runtime::Run<Chef>, agui_runtime::Input<Chef>, &'b Shop) -> impl Future<Output = std::result::Result<(), agui_runtime::Stop>> {chef}` is not an agent
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use crate::kit::*;

fn mistake() {
    let server = agui_runtime::Server::new().agent("/", chef);
}
