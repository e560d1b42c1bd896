//! A helper with a run of a plain type.
//!
//! error: this type is not an agent
//! write: `#[agent]` on an async function, `async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop>`, makes the agent `Chef`: pass `Chef::new()`, not `chef`

use crate::kit::*;

async fn mistake<A>(run: &Run<A>) {
    run.say("hi").await;
}
