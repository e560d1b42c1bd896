//! Runs whose client leaves early.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::{FutureExt, StreamExt};

use super::{Recording, options};
use crate::agent::{Agent, start};
use crate::protocol::{Event, RunAgentInput};

/// The record of a run whose client left; made by [`cancel_after`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing::{self, Cancelled};
///
/// /// Thinks, and never ends by itself.
/// #[agent]
/// async fn thinker(run: &mut Run<Thinker>, input: Input<Thinker>) -> Result<(), Stop> {
///     let _text = run.message().await;
///     std::future::pending().await
/// }
///
/// # futures::executor::block_on(async {
/// let Cancelled { seen, recorded, .. } = testing::cancel_after(2, Thinker::new(), testing::input("Hi")).await;
/// testing::assert_events!(seen, [RunStarted, TextMessageStart]);
/// testing::assert_events!(recorded, [RunStarted, TextMessageStart, TextMessageEnd, RunFinished]);
/// # });
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cancelled {
    /// The events that the client read before it left.
    pub seen: Vec<Event>,
    /// All events of the run: those the client read, the events that closed the open guards, and
    /// RUN_FINISHED with outcome `cancelled`. A run that had ended before keeps its own end.
    pub recorded: Vec<Event>,
}

/// Runs an agent until the client has read `events` events, then drops the run. The queue has room for one
/// event, so the agent is at most one event ahead of its reader.
///
/// If the agent waits forever before it has sent that many events, this function waits forever too; give it
/// a time limit.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing::{self, RunEnd};
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
/// assert_eq!(testing::end(&run.seen), RunEnd::Truncated);
/// assert_eq!(testing::end(&run.recorded), RunEnd::Cancelled);
/// assert_eq!(testing::texts(&run.recorded), ["One "]);
/// # });
/// ```
pub fn cancel_after<A: Agent>(
    events: usize,
    agent: A,
    input: RunAgentInput,
) -> BoxFuture<'static, Cancelled> {
    let recorded = async move {
        let recording = Recording::new();
        let options = options().room(1).recorder(recording.clone());
        let seen = start(Arc::new(agent), input, options).take(events).collect().await;
        Cancelled { seen, recorded: recording.events() }
    };
    recorded.boxed()
}
