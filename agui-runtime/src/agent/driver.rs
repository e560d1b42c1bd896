use std::collections::HashSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;

use super::consent::{Consent, InterruptKey, Proof};
use super::recorder::Recording;
use super::stop::Reason;
use super::{Agent, EventStream, Input, Recorder, Requested, ResumedError, Stop, Unwritable, check_answers};
use crate::emit::{Clock, Ids, Peer, RequestValues, Run, Shared, Terminal, log_renamed};
use crate::protocol::{Event, Interrupt, InterruptId, Interrupts, Message, NonNull, RunAgentInput};
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
    request: RequestValues,
    proof: Proof,
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
            request: RequestValues::default(),
            proof: Proof::default(),
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

    /// Signs the questions of this run, and knows the answers to earlier ones, with this key instead of the one in the environment
    /// variable `AGUI_SECRET`; see [`InterruptKey`].
    ///
    /// ```
    /// use agui_runtime::{InterruptKey, RunOptions};
    ///
    /// let options = RunOptions::default().interrupt_key(InterruptKey::new([7; 32])?);
    /// # Ok::<(), agui_runtime::InterruptKeyError>(())
    /// ```
    #[must_use]
    pub fn interrupt_key(self, key: InterruptKey) -> Self {
        self.proof(Proof::Key(key))
    }

    /// Whether interrupts go out under the ids that the agent gives them, and every answer counts: **then a client can approve what
    /// was never asked, with arguments of its own** (see [What you may trust](crate#what-you-may-trust)). For clients that expect
    /// fixed ids, and for tests. Off when not said.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().unsigned_interrupts(true); // in a test
    /// ```
    #[must_use]
    pub fn unsigned_interrupts(self, unsigned: bool) -> Self {
        let proof = self.proof.unsigned(unsigned);
        self.proof(proof)
    }

    pub(crate) fn proof(mut self, proof: Proof) -> Self {
        self.proof = proof;
        self
    }

    /// With the proof of a server, unless these options have one of their own.
    #[cfg(feature = "server")]
    pub(crate) fn proof_or(self, proof: &Proof) -> Self {
        if let Proof::Process = self.proof { self.proof(proof.clone()) } else { self }
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

    /// Adds a value that comes with the request of this run, such as the person who asks: the agent and its tools find it
    /// by its type, where they take it with [`#[request]`](macro@crate::agent#what-comes-with-the-request). A value of the
    /// same type that was added before is replaced.
    ///
    /// A server adds what a layer put into the extensions of the request; a value that is added here wins over one of
    /// those.
    ///
    /// ```
    /// use agui_runtime::RunOptions;
    ///
    /// #[derive(Clone)]
    /// struct Customer {
    ///     name: String,
    /// }
    ///
    /// let options = RunOptions::default().request(Customer { name: "Ada".to_owned() });
    /// ```
    #[must_use]
    pub fn request<T: Clone + Send + Sync + 'static>(mut self, value: T) -> Self {
        self.request.put(value);
        self
    }

    pub(super) fn request_values(&self) -> &RequestValues {
        &self.request
    }

    /// The same for a peer that is known only where nothing else was said.
    #[cfg(feature = "server")]
    pub(crate) fn peer_or(self, peer: Peer) -> (Self, Peer) {
        let peer = self.peer.unwrap_or(peer);
        (self.peer(peer), peer)
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
pub fn start<A: Agent>(agent: Arc<A>, mut input: RunAgentInput, options: RunOptions) -> EventStream {
    let ids = options.ids.unwrap_or_else(|| Ids::random(&input));
    let peer = options.peer.unwrap_or_else(|| Peer::of(&input));
    let (consent, admitted) = Consent::admit(options.proof, A::source, &mut input, || options.clock.now());
    let input = Arc::new(input);
    let shared = Shared::new(Arc::clone(&input), consent, options.room, ids, options.clock, peer);
    let shared = Arc::new(shared.with_request(options.request).reveal_errors(options.reveal_errors));
    let run = Driven { agent, input, admitted, state: options.state };
    let agent = Box::pin(drive(Arc::clone(&shared), run));
    EventStream::new(shared, agent, options.recording)
}

/// One call of an agent.
struct Driven<A> {
    agent: Arc<A>,
    input: Arc<RunAgentInput>,
    /// Whether the answers in the input count.
    admitted: Result<(), ResumedError>,
    state: StateOptions,
}

async fn drive<A: Agent>(hub: Arc<Shared>, run: Driven<A>) {
    hub.act(|kernel| kernel.start(&run.input));
    // A panic in one run must not take the server down; the guards have run while it unwound. Everything of the user's
    // ends in here, for a destructor may panic, too.
    let end = AssertUnwindSafe(run_to_end(Arc::clone(&hub), run)).catch_unwind().await;
    let (terminal, state) = end.unwrap_or_else(|panic| (stopped(&hub, Stop::of_panic(panic)), None));
    hub.end(terminal, state);
    log_renamed(&hub);
}

/// How the run ends, and the state the client must hold when it is resumed.
async fn run_to_end<A: Agent>(hub: Arc<Shared>, driven: Driven<A>) -> (Terminal, Option<Event>) {
    let Driven { agent, input, admitted, state } = driven;
    let request = match A::Request::find(hub.request()) {
        Ok(request) => request,
        Err(missing) => return (stopped(&hub, missing.stop()), None),
    };
    let mut run = Run::new(Arc::clone(&hub), Arc::clone(&agent), Arc::clone(&input), request, state);
    let result = async {
        admitted?;
        let input = Input::new(input, Arc::clone(&hub), String::new());
        check_answers(&input)?;
        let finished = agent.run(&mut run, input).await?;
        let result = crate::json::to_value(&finished.into_value()).map_err(Unwritable)?;
        Ok::<_, Stop>(NonNull::new(result))
    };
    let terminal = match result.await {
        Ok(result) => Terminal::Success { result },
        Err(stop) => stopped(&hub, stop),
    };
    let resumed = matches!(terminal, Terminal::Interrupt { .. });
    let state = run.state_handle().last_snapshot(resumed).unwrap_or_else(|error| {
        tracing::warn!(error = %quoted(&error), "the last snapshot of the state could not be written");
        None
    });
    (terminal, state)
}

fn stopped(shared: &Shared, stop: Stop) -> Terminal {
    match stop.0 {
        Reason::Error(failure) => {
            failure.log(shared.input());
            let (message, code) = failure.message(shared.input(), shared.reveals_errors());
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
            None => asked(shared, interrupts, messages),
        },
        Reason::Cancelled => Terminal::Cancelled,
    }
}

/// The questions under the ids that the client may answer.
fn asked(shared: &Shared, mut interrupts: Interrupts, messages: Option<Vec<Message>>) -> Terminal {
    for question in interrupts.iter_mut() {
        match shared.consent().wire_id(shared.input(), question) {
            Ok(id) => question.id = id,
            Err(error) => {
                let code = error.code();
                let message = quoted(&error).to_string();
                tracing::error!(code, error = message, "an interrupt was not asked");
                return Terminal::Failed { message, code: Some(code.to_owned()) };
            }
        }
    }
    Terminal::Interrupt { interrupts, messages }
}

fn repeated(interrupts: &[Interrupt]) -> Option<&InterruptId> {
    let mut known = HashSet::new();
    interrupts.iter().map(|interrupt| &interrupt.id).find(|id| !known.insert(*id))
}
