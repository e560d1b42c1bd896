//! `/lab/subagent`: a part of the run by another agent, which has a subagent of its own.
//!
//! Clients of 1.0 learn which agent speaks. For legacy clients, one agent sends three messages.

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Reads.
#[agent]
pub async fn reader(run: &mut Run<Reader>, _: Input<Reader>) -> Result<(), Stop> {
    run.say("reading").await;
    Ok(())
}

/// Digs, and delegates the reading of the results.
#[agent]
pub async fn researcher(
    run: &mut Run<Researcher>,
    input: Input<Researcher>,
    reader: &Arc<Reader>,
) -> Result<(), Stop> {
    run.say("digging").await;
    run.delegate("reader", reader, input.messages.clone()).id("sub-2").await
}

/// Delegates the work to a researcher.
#[agent]
pub async fn subagent(
    run: &mut Run<Subagent>,
    input: Input<Subagent>,
    researcher: &Arc<Researcher>,
) -> Result<(), Stop> {
    // SUBAGENT_STARTED, the events of the agent, SUBAGENT_FINISHED
    run.delegate("researcher", researcher, input.messages.clone()).id("sub-1").await?;
    run.say("all done").await;
    Ok(())
}

/// The whole team.
pub fn team() -> Subagent {
    Subagent::new(Arc::new(Researcher::new(Arc::new(Reader::new()))))
}
