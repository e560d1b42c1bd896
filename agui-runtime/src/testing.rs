//! Runs an agent in a test: to a list of events, with ids that are the same every time.

use std::sync::Arc;

use futures::StreamExt;

use crate::protocol::{Event, RunAgentInput};
use crate::{Agent, Ids, RunOptions, start};

/// Runs an agent to its end and gives every event, RUN_STARTED and the terminal event included.
///
/// Ids are `test-message-1`, `test-call-2` and so on, counted in one sequence.
///
/// ```
/// # use agui_runtime::{Agent, protocol::RunAgentInput};
/// # async fn example(agent: impl Agent) {
/// let input = RunAgentInput::new("thread", "run", vec![]).with_protocol_version("1.0");
/// let events = agui_runtime::testing::run(agent, input).await;
/// # }
/// ```
pub async fn run<A: Agent>(agent: A, input: RunAgentInput) -> Vec<Event> {
    start(Arc::new(agent), input, RunOptions::default().ids(Ids::fixed("test"))).collect().await
}
