use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;

use super::recorder::Recording;
use super::stop::Reason;
use super::{Agent, EventStream, Input, Recorder, Stop, Unwritable, check_answers};
use crate::emit::{Clock, Hub, Ids, Peer, Run, Terminal, log_renamed};
use crate::protocol::{Event, Interrupt, InterruptId, NonNull, RunAgentInput};
use crate::quoted::quoted;
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
    clock: Clock,
    peer: Option<Peer>,
    reveal_errors: bool,
    recording: Option<Recording>,
    state: StateOptions,
}

impl Default for RunOptions {
    /// Room for 16 events, random ids, the peer the input declares.
    fn default() -> Self {
        Self {
            room: 16,
            ids: None,
            clock: Clock::silent(),
            peer: None,
            reveal_errors: false,
            recording: None,
            state: StateOptions::default(),
        }
    }
}

impl RunOptions {
    /// How many events may wait for a reader before writes wait for room; at least one. The reader takes what there is in
    /// one go, and with the last event of that the room is free again. With `usize::MAX` no write ever waits, and the queue
    /// grows as far as the reader lags behind.
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

    /// Whether the client sees what the log sees of errors: the text of every error and panic with its causes, in
    /// RUN_ERROR, in SUBAGENT_ERROR and in the results of failed tools. Off when not said, in every build; what a client
    /// sees then stands at [`Stop`] and at [`PublicError`](crate::PublicError).
    ///
    /// Such texts may hold addresses, passwords and what others own: say yes in development alone.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().reveal_errors(cfg!(debug_assertions));
    /// ```
    #[must_use]
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.reveal_errors = reveal;
        self
    }

    /// Shows every event of the run to somebody else as well: to a journal, a store of conversations, a test.
    ///
    /// The recorder sees the events in the order of the stream, each just before the stream gives it. When the stream is
    /// dropped before its end, it also sees what the client does not any more: the rest, what closes what is open, and
    /// RUN_FINISHED with outcome `cancelled`. Of a stream that was never polled it sees nothing, for nothing happened.
    ///
    /// ```
    /// use std::sync::mpsc;
    ///
    /// use agui_runtime::RunOptions;
    /// use agui_runtime::protocol::Event;
    ///
    /// let (journal, entries) = mpsc::channel();
    /// let options = RunOptions::default().recorder(move |event: &Event| drop(journal.send(event.clone())));
    /// ```
    #[must_use]
    pub fn recorder(mut self, recorder: impl Recorder) -> Self {
        self.recording = Some(Recording::by(recorder));
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
    let input = Arc::new(input);
    let hub = Hub::new(Arc::clone(&input), options.room, ids, options.clock, peer);
    let hub = Arc::new(hub.reveal_errors(options.reveal_errors));
    let agent = Box::pin(drive(Arc::clone(&hub), agent, input, options.state));
    EventStream::new(hub, agent, options.recording)
}

async fn drive<A: Agent>(hub: Arc<Hub>, agent: Arc<A>, input: Arc<RunAgentInput>, state: StateOptions) {
    hub.act(|kernel| kernel.start(&input));
    // A panic in one run must not take the server down; the guards have run while it unwound. Everything of the user's
    // ends in here, for a destructor may panic, too.
    let end = AssertUnwindSafe(run_to_end(Arc::clone(&hub), agent, input, state)).catch_unwind().await;
    let (terminal, state) = end.unwrap_or_else(|panic| (stopped(Stop::of_panic(panic), &hub), None));
    hub.end(terminal, state);
    log_renamed(&hub);
}

/// How the run ends, and the state the client must hold when it is resumed.
async fn run_to_end<A: Agent>(
    hub: Arc<Hub>,
    agent: Arc<A>,
    input: Arc<RunAgentInput>,
    state: StateOptions,
) -> (Terminal, Option<Event>) {
    let mut run = Run::new(Arc::clone(&hub), Arc::clone(&agent), state);
    let result = async {
        let input = Input::new(input, String::new());
        check_answers(&input)?;
        let finished = agent.run(&mut run, input).await?;
        let result = crate::json::to_value(&finished.into_value()).map_err(Unwritable)?;
        Ok::<_, Stop>(NonNull::new(result))
    };
    let terminal = match result.await {
        Ok(result) => Terminal::Success { result },
        Err(stop) => stopped(stop, &hub),
    };
    let resumed = matches!(terminal, Terminal::Interrupt { .. });
    let state = run.state_handle().last_snapshot(resumed).unwrap_or_else(|error| {
        tracing::warn!(error = %quoted(&error), "the last snapshot of the state could not be written");
        None
    });
    (terminal, state)
}

fn stopped(stop: Stop, hub: &Hub) -> Terminal {
    match stop.0 {
        Reason::Error(failure) => {
            failure.log(hub.input());
            let (message, code) = failure.message(hub.input(), hub.reveals_errors());
            Terminal::Failed { message, code }
        }
        Reason::AwaitFrontend(calls) => {
            tracing::debug!(calls = calls.len(), "run waits for the user interface");
            Terminal::AwaitFrontend
        }
        Reason::Interrupt { interrupts, messages } => match repeated(&interrupts) {
            // The answers name the questions by their ids.
            Some(id) => Terminal::Failed {
                message: format!("two interrupts have the id `{}`", quoted(id)),
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
