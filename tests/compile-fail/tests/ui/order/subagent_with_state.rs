//! The shared state is one document and belongs to the run.

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Keeps a list.
#[agent(state = Vec<String>)]
async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
    Ok(())
}

/// Delegates.
#[agent]
async fn chef(run: &mut Run<Chef>, input: Input<Chef>, keeper: &Arc<Keeper>) -> Result<(), Stop> {
    run.delegate("keeper", keeper, []).await
}

fn main() {}
