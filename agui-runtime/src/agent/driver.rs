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
use crate::emit::{Clock, Hub, Ids, Peer, Run, Serial, Terminal};
use crate::protocol::{Event, Interrupt, InterruptId, NonNull, RunAgentInput};

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
    clock: Clock,
    peer: Option<Peer>,
}

impl Default for RunOptions {
    /// Room for 16 events, random ids, the peer the input declares.
    fn default() -> Self {
        Self { room: 16, ids: None, clock: Clock::silent(), peer: None }
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

    /// Where the timestamps of events come from; without it events carry none.
    ///
    /// ```
    /// use agui_runtime::{Clock, RunOptions};
    ///
    /// let options = RunOptions::default().clock(Clock::fixed(1_700_000_000_000, 1));
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
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
    let hub = Arc::new(Hub::new(&input, options.room, ids, options.clock, peer));
    EventStream { hub: Arc::clone(&hub), agent: Some(Box::pin(drive(hub, agent, input))) }
}

async fn drive<A: Agent>(hub: Arc<Hub>, agent: Arc<A>, input: RunAgentInput) {
    hub.act(|kernel| kernel.start(&input));
    // A panic in one run must not take the server down; the guards have run while it unwound. Everything of the user's
    // ends in here, for a destructor may panic, too.
    let end = AssertUnwindSafe(run_to_end(Arc::clone(&hub), agent, input)).catch_unwind().await;
    let (terminal, state) = end.unwrap_or_else(|panic| (panicked(panic.as_ref()), None));
    hub.end(terminal, state);
}

/// How the run ends, and the state the client must hold when it is resumed.
async fn run_to_end<A: Agent>(
    hub: Arc<Hub>,
    agent: Arc<A>,
    input: RunAgentInput,
) -> (Terminal, Option<Event>) {
    let mut run = Run::new(hub, Arc::clone(&agent));
    let result = async {
        let finished = agent.run(&mut run, Input::new(input)).await?;
        let result = crate::json::to_value(&finished.into_value())?;
        Ok::<_, Stop>(NonNull::new(result))
    };
    match result.await {
        Ok(result) => (Terminal::Success { result }, None),
        Err(stop) => {
            let terminal = stopped(stop);
            let resumable = matches!(terminal, Terminal::Interrupt { .. });
            (terminal, if resumable { run.state_handle().closing_snapshot() } else { None })
        }
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
        Reason::Interrupt { interrupts, messages } => match repeated(&interrupts) {
            // The answers name the questions by their ids.
            Some(id) => Terminal::Failed {
                message: format!("two interrupts have the id `{id}`"),
                code: Some("duplicate_interrupt".to_owned()),
            },
            None => Terminal::Interrupt { interrupts, messages },
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

impl EventStream {
    /// The same events, one message or call after the other, for clients that refuse interleaved ones; see [`Serial`].
    ///
    /// ```
    /// # use agui_runtime::{Agent, EventStream, RunOptions, start};
    /// # fn example(events: EventStream) {
    /// let events = events.serial();
    /// # }
    /// ```
    pub fn serial(self) -> Serial<Self> {
        Serial::new(self)
    }
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
