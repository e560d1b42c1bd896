//! Runs an agent in a test: to a list of events, with ids that are the same every time.

use std::sync::Arc;

use futures::StreamExt;

use crate::protocol::{Event, RunAgentInput};
use crate::{Agent, Ids, RunOptions, start};

/// Runs an agent to its end and gives every event, RUN_STARTED and the terminal event included.
///
/// Ids are `test-message-1`, `test-call-2` and so on, counted in one sequence.
///
/// An input without a protocol version is one of a client from before AG-UI 1.0: it gets no `outcome` in RUN_FINISHED, no
/// `pendingToolCallIds` and nothing else that only 1.0 knows. So declare one, unless that is what you test.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::{Event, RunAgentInput, UserMessage};
///
/// /// Repeats what it hears.
/// #[agent]
/// async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
///     run.say(input.user_text().unwrap_or_default()).await;
///     Ok(())
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let messages = [UserMessage::new("1", "rice").into()];
/// let input = RunAgentInput::new("thread", "run", messages).with_protocol_version("1.0");
/// let events = agui_runtime::testing::run(Parrot::new(), input).await;
///
/// assert!(events.iter().any(|event| matches!(event, Event::TextMessageContent(text) if text.delta == "rice")));
/// assert!(matches!(events.last(), Some(Event::RunFinished(finished)) if finished.outcome.is_some()));
/// # });
/// ```
pub async fn run<A: Agent>(agent: A, input: RunAgentInput) -> Vec<Event> {
    start(Arc::new(agent), input, RunOptions::default().ids(Ids::fixed("test"))).collect().await
}
