//! An agent with a remote agent. It is in no library: a linked agent is in the manifest of the program.

use std::sync::Arc;

use agui_runtime::a2a::A2aClient;
use agui_runtime::prelude::*;
use serde_json::Value;

/// Delegates to a remote agent.
#[agent]
pub(crate) async fn planner(
    run: &mut Run<Planner>,
    input: Input<Planner>,
    remote: &Arc<A2aClient>,
) -> Result<Value, Stop> {
    let found = run.delegate("remote", remote, input.messages.clone()).await?;
    Ok(serde_json::to_value(found).unwrap())
}
