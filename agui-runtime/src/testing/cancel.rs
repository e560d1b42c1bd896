use std::sync::Arc;

use futures::StreamExt;

use super::{Recording, options};
use crate::protocol::{Event, RunAgentInput};
use crate::{Agent, start};

/// A run whose client left; made by [`cancel_after`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cancelled {
    /// What the client saw before it left.
    pub seen: Vec<Event>,
    /// What happened: the same, then what closed what was open, and RUN_FINISHED with outcome `cancelled`. A run that was
    /// over by then ended as it did.
    pub recorded: Vec<Event>,
}

/// Runs an agent until the client has seen so many events, and drops the run there. There is room
/// for one event, so the agent is hardly ahead of its reader.
///
/// An agent that waits for something that never comes before it has said so much is waited for; give it a time limit.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing::{self, End};
///
/// /// Talks.
/// #[agent]
/// async fn talker(run: &mut Run<Talker>, input: Input<Talker>) -> Result<(), Stop> {
///     let mut text = run.message().await;
///     for word in ["One ", "rice ", "and "] {
///         text.push(word).await;
///     }
///     Ok(())
/// }
///
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// let run = testing::cancel_after(3, Talker::new(), testing::input("Hi")).await;
/// assert_eq!(testing::end(&run.seen), End::Truncated);
/// assert_eq!(testing::end(&run.recorded), End::Cancelled);
/// assert_eq!(testing::texts(&run.recorded), ["One "]);
/// # });
/// ```
pub async fn cancel_after<A: Agent>(events: usize, agent: A, input: RunAgentInput) -> Cancelled {
    let recording = Recording::new();
    let options = options().room(1).recorder(recording.clone());
    let seen = start(Arc::new(agent), input, options).take(events).collect().await;
    Cancelled { seen, recorded: recording.events() }
}
