//! `/lab/subagent`: a piece of the run that another agent does, who has an agent of its own.
//!
//! Clients of 1.0 are told who says what. To older ones it is one agent that says three things.

use std::sync::Arc;

use agui_runtime::prelude::*;

/// Reads.
#[agent]
pub async fn reader(run: &mut Run<Reader>, _: Input<Reader>) -> Result<(), Stop> {
    run.say("reading").await;
    Ok(())
}

/// Digs, and has somebody read what it finds.
#[agent]
pub async fn researcher(
    run: &mut Run<Researcher>,
    input: Input<Researcher>,
    reader: &Arc<Reader>,
) -> Result<(), Stop> {
    run.say("digging").await;
    run.delegate("reader", reader, input.messages.clone()).id("sub-2").await
}

/// Has a researcher do the work.
#[agent]
pub async fn subagent(
    run: &mut Run<Subagent>,
    input: Input<Subagent>,
    researcher: &Arc<Researcher>,
) -> Result<(), Stop> {
    // SUBAGENT_STARTED, what the agent says, SUBAGENT_FINISHED
    run.delegate("researcher", researcher, input.messages.clone()).id("sub-1").await?;
    run.say("all done").await;
    Ok(())
}

/// The whole team.
pub fn team() -> Subagent {
    Subagent::new(Arc::new(Researcher::new(Arc::new(Reader::new()))))
}
