use std::any::Any;
use std::collections::HashSet;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures::{FutureExt, Stream};

use super::stop::Reason;
use super::{Agent, Input, Stop};
use crate::emit::{Hub, Ids, Peer, Run, Terminal};
use crate::protocol::{Event, Interrupt, InterruptId, NonNull, RunAgentInput};
use crate::state::StateOptions;

/// What of a run is decided outside of it.
///
/// ```
/// use agui_runtime::{Ids, Peer, RunOptions};
///
/// let options = RunOptions::default().ids(Ids::fixed("test")).peer(Peer::Current);
/// ```
#[derive(Clone, Debug)]
pub struct RunOptions {
    room: usize,
    ids: Option<Ids>,
    peer: Option<Peer>,
    state: StateOptions,
}

impl Default for RunOptions {
    /// Room for 16 events, random ids, the peer the input declares.
    fn default() -> Self {
        Self { room: 16, ids: None, peer: None, state: StateOptions::default() }
    }
}

impl RunOptions {
    /// How many events may wait for a reader before writes wait for room; at least one. With `usize::MAX` no write
    /// ever waits, and the queue grows as far as the reader lags behind.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().room(1); // each write waits for the one before to be read
    /// ```
    #[must_use]
    pub fn room(mut self, events: usize) -> Self {
        self.room = events;
        self
    }

    /// Where message and call ids come from; random when not said.
    ///
    /// ```
    /// use agui_runtime::{Ids, RunOptions};
    ///
    /// let options = RunOptions::default().ids(Ids::fixed("test")); // test-message-1, test-call-2, …
    /// ```
    #[must_use]
    pub fn ids(mut self, ids: Ids) -> Self {
        self.ids = Some(ids);
        self
    }

    /// Which generation of clients reads the run; what the input declares when not said.
    ///
    /// ```
    /// use agui_runtime::{Peer, RunOptions};
    ///
    /// let options = RunOptions::default().peer(Peer::Legacy); // nothing that only 1.0 knows
    /// ```
    #[must_use]
    pub fn peer(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Whether a run that sent STATE_DELTA ends with a STATE_SNAPSHOT: insurance against clients that lost a delta, for
    /// they go on without it silently. Off when not said.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().last_snapshot(true);
    /// ```
    #[must_use]
    pub fn last_snapshot(mut self, wanted: bool) -> Self {
        self.state.last_snapshot = wanted;
        self
    }

    /// Whether deltas write members that exist already with `replace` instead of `add`. `add` replaces too (RFC 6902,
    /// 4.1), is shorter, and heals a client that lost the member. Off when not said.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().exact_deltas(true);
    /// ```
    #[must_use]
    pub fn exact_deltas(mut self, wanted: bool) -> Self {
        self.state.exact = wanted;
        self
    }

    /// Whether a state of the client that is none of this agent's is replaced, as if it had sent none. When not said,
    /// adopting it is an error, by which a run ends in RUN_ERROR.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().replace_unreadable_state(true);
    /// ```
    #[must_use]
    pub fn replace_unreadable_state(mut self, wanted: bool) -> Self {
        self.state.replace_unreadable = wanted;
        self
    }
}

/// Starts a run: a stream of events that owns the agent's function call.
///
/// Polling the stream runs the agent, dropping it cancels the agent; nothing is spawned and no executor is needed. The
/// stream opens with RUN_STARTED and ends with exactly one RUN_FINISHED or RUN_ERROR, whatever the agent does: an
/// early `?`, a panic and a leaked guard included.
///
/// ```
/// # use std::sync::Arc;
/// # use agui_runtime::{Agent, RunOptions, start};
/// use futures::StreamExt;
/// # async fn example<A: Agent>(agent: Arc<A>, input: agui_runtime::protocol::RunAgentInput) {
/// let mut events = start(agent, input, RunOptions::default());
/// while let Some(event) = events.next().await {
///     println!("{}", event.event_type());
/// }
/// # }
/// ```
pub fn start<A: Agent>(agent: Arc<A>, input: RunAgentInput, options: RunOptions) -> EventStream {
    let ids = options.ids.unwrap_or_else(|| Ids::random(&input));
    let peer = options.peer.unwrap_or_else(|| Peer::of(&input));
    let hub = Arc::new(Hub::new(&input, options.room, ids, peer));
    EventStream { hub: Arc::clone(&hub), agent: Some(Box::pin(drive(hub, agent, input, options.state))) }
}

async fn drive<A: Agent>(hub: Arc<Hub>, agent: Arc<A>, input: RunAgentInput, state: StateOptions) {
    hub.start(&input);
    // A panic in one run must not take the server down; the guards have run while it unwound. Everything of the user's
    // ends in here, for a destructor may panic, too.
    let terminal = AssertUnwindSafe(terminal(Arc::clone(&hub), agent, input, state)).catch_unwind().await;
    hub.end(terminal.unwrap_or_else(|panic| panicked(panic.as_ref())));
}

async fn terminal<A: Agent>(
    hub: Arc<Hub>,
    agent: Arc<A>,
    input: RunAgentInput,
    state: StateOptions,
) -> Terminal {
    let mut run = Run::new(hub, Arc::clone(&agent), state);
    let result = async {
        let finished = agent.run(&mut run, Input::new(input)).await?;
        let result = crate::json::to_value(&finished.into_value())?;
        Ok::<_, Stop>(NonNull::new(result))
    };
    let result = result.await;
    if let Err(error) = run.state_handle().end() {
        tracing::warn!(%error, "the last snapshot of the state could not be sent");
    }
    match result {
        Ok(result) => Terminal::Success { result },
        Err(stop) => stopped(stop),
    }
}

fn stopped(stop: Stop) -> Terminal {
    match stop.0 {
        Reason::Error { message, code, source } => {
            tracing::warn!(message, code, source = source.as_deref(), "run failed");
            Terminal::Failed { message, code }
        }
        Reason::AwaitFrontend(calls) => {
            tracing::debug!(calls = calls.len(), "run waits for the user interface");
            Terminal::AwaitFrontend
        }
        Reason::Interrupt(interrupts) => match repeated(&interrupts) {
            // The answers name the questions by their ids.
            Some(id) => Terminal::Failed {
                message: format!("two interrupts have the id `{id}`"),
                code: Some("duplicate_interrupt".to_owned()),
            },
            None => Terminal::Interrupt(interrupts),
        },
        Reason::Cancelled => Terminal::Cancelled,
    }
}

fn repeated(interrupts: &[Interrupt]) -> Option<&InterruptId> {
    let mut known = HashSet::new();
    interrupts.iter().map(|interrupt| &interrupt.id).find(|id| !known.insert(*id))
}

/// The text of a panic may hold anything, so it goes to the log and not to the client.
fn panicked(panic: &(dyn Any + Send)) -> Terminal {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no text");
    tracing::error!(panic = text, "the agent panicked");
    Terminal::Failed { message: "the agent panicked".to_owned(), code: Some("panic".to_owned()) }
}

/// The events of one run, in order; made by [`start`].
#[must_use = "the run happens while its stream is polled"]
pub struct EventStream {
    hub: Arc<Hub>,
    agent: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl Stream for EventStream {
    type Item = Event;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Event>> {
        loop {
            if let Some(event) = self.hub.take() {
                return Poll::Ready(Some(event));
            }
            let Some(agent) = &mut self.agent else {
                return Poll::Ready(None);
            };
            if agent.as_mut().poll(cx).is_ready() {
                self.agent = None;
            } else if !self.hub.wait_for_event(cx) {
                return Poll::Pending;
            }
        }
    }
}

impl fmt::Debug for EventStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventStream").field("running", &self.agent.is_some()).finish_non_exhaustive()
    }
}
