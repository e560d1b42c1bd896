//! `/`: the smallest agent.

use agui_runtime::prelude::*;

/// Greets the world.
#[agent]
pub async fn hello(run: &mut Run<Hello>, _: Input<Hello>) -> Result<(), Stop> {
    run.say("Hello world!").await;
    Ok(())
}
