//! The options of a run.

mod interrupts;
mod state;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::Recorder;
use super::runs::recorder::Recording;
use crate::consent::Proof;
use crate::emit::{RequestValues, StateOptions, StoreProgress};
use crate::kernel::{Clock, Ids, Peer, Timer};
use crate::protocol::ToolCallId;
use crate::protocol::any_json::allowance::Allowance;
use crate::telemetry::TraceContext;

/// The options of a run that are chosen outside of the agent.
///
/// ```
/// use agui_runtime::{Ids, Peer, RunOptions};
///
/// let options = RunOptions::default().ids(Ids::fixed("test")).peer(Peer::Current);
/// ```
#[derive(Clone, Debug)]
pub struct RunOptions {
    pub(super) room: usize,
    pub(super) ids: Option<Ids>,
    pub(super) clock: Clock,
    pub(super) timer: AnyTimer,
    pub(super) peer: Option<Peer>,
    pub(super) reveal_errors: Option<bool>,
    pub(super) record_content: Option<bool>,
    pub(super) trace: Option<TraceContext>,
    pub(super) recording: Option<Recording>,
    pub(super) state: StateOptions,
    pub(super) request: RequestValues,
    pub(super) proof: Proof,
    pub(super) allowance: Allowance,
    /// True if no call waits for an approval: the caller of the run has it.
    pub(super) calls_approved: bool,
    /// The calls that a lost server left without results, if the run is run again.
    pub(super) lost_calls: Option<HashSet<ToolCallId>>,
    /// Set if no call may run before the store of the run has it.
    pub(super) written: Option<Arc<StoreProgress>>,
}

/// The timer of a run, if it has one.
#[derive(Clone, Default)]
pub(super) struct AnyTimer(pub(super) Option<Arc<dyn Timer>>);

impl fmt::Debug for AnyTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Timer" } else { "None" })
    }
}

impl Default for RunOptions {
    /// Room for 16 events, random ids, the peer that the input declares.
    fn default() -> Self {
        Self {
            room: 16,
            ids: None,
            clock: Clock::silent(),
            timer: AnyTimer::default(),
            peer: None,
            reveal_errors: None,
            record_content: None,
            trace: None,
            recording: None,
            state: StateOptions::default(),
            request: RequestValues::default(),
            proof: Proof::default(),
            allowance: Allowance::default(),
            calls_approved: false,
            lost_calls: None,
            written: None,
        }
    }
}

impl RunOptions {
    /// Sets the number of events that may wait for a reader before writes wait for room; at least one. The reader takes
    /// all waiting events at once, and their room is free again when the last of them is read. With `usize::MAX` no
    /// write ever waits, and the queue grows as far as the reader lags behind.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().room(1); // each write waits for the one before to be read
    /// ```
    #[must_use]
    pub fn room(mut self, events: usize) -> Self {
        self.room = events;
        self
    }

    /// Sets the source of message and call ids; the default is random.
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

    /// Sets the source of timestamps; without it events carry none.
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

    /// Sets the source of times for limits; without it a limit of time is refused. A server of this crate sets that of
    /// tokio.
    ///
    /// ```
    /// use agui_runtime::{RunOptions, testing::ManualTimer};
    ///
    /// let options = RunOptions::default().timer(ManualTimer::new());
    /// ```
    #[must_use]
    pub fn timer(mut self, timer: impl Timer + 'static) -> Self {
        self.timer = AnyTimer(Some(Arc::new(timer)));
        self
    }

    /// Sets the generation of the clients that read the run; the default is the one that the input declares.
    ///
    /// ```
    /// use agui_runtime::{Peer, RunOptions};
    ///
    /// let options = RunOptions::default().peer(Peer::Legacy); // nothing that only 1.0 defines
    /// ```
    #[must_use]
    pub fn peer(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Sets whether the client sees the full text of errors and panics with their causes, as the log does: in
    /// RUN_ERROR, in SUBAGENT_ERROR and in the results of failed tools. The default is off, in every build, except where
    /// a server decides: a debug build on a loopback address shows them (`Server::reveal_errors`).
    /// [`Stop`](crate::Stop) and [`PublicError`](crate::PublicError) document the text that a client sees without it.
    ///
    /// Such texts may contain addresses, passwords and other users' data: turn this on only in development.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().reveal_errors(cfg!(debug_assertions));
    /// ```
    #[must_use]
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.reveal_errors = Some(reveal);
        self
    }

    /// Sets whether [spans](crate::telemetry) have the content of messages: the instructions, the conversation that a
    /// model reads, its answers, the arguments and results of tools. The default is off, in every build. Readers of
    /// the traces then read the words of users.
    ///
    /// ```
    /// let options = agui_runtime::RunOptions::default().record_content(cfg!(debug_assertions));
    /// ```
    #[must_use]
    pub fn record_content(mut self, record: bool) -> Self {
        self.record_content = Some(record);
        self
    }

    /// Names the trace of the run, which RUN_STARTED carries in its metadata. A server takes it from the headers of the
    /// request; an option that names one takes precedence.
    ///
    /// ```
    /// use agui_runtime::RunOptions;
    /// use agui_runtime::telemetry::TraceContext;
    ///
    /// let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    /// if let Some(trace) = TraceContext::parse(parent, None) {
    ///     let options = RunOptions::default().trace(trace);
    /// }
    /// ```
    #[must_use]
    pub fn trace(mut self, trace: TraceContext) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Returns the trace of the run.
    #[cfg(feature = "server")]
    pub(crate) fn trace_context(&self) -> Option<&TraceContext> {
        self.trace.as_ref()
    }

    /// Also passes every event of the run to a recorder: a journal, a store of conversations, a test.
    ///
    /// The recorder sees the events in the order of the stream, each just before the stream returns it. If the stream
    /// is dropped before its end, the recorder also sees the events that the client does not see any more: the rest,
    /// the ends of open spans, and RUN_FINISHED with outcome `cancelled`. It sees nothing of a stream that was never
    /// polled, because the run did not start.
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

    /// Sets whether calls run without the approval that their tools ask for.
    #[cfg(feature = "mcp")]
    pub(crate) fn calls_approved(mut self, approved: bool) -> Self {
        self.calls_approved = approved;
        self
    }

    /// Says that the run is run again, and which calls a lost server left without results.
    #[cfg(feature = "server")]
    pub(crate) fn lost_calls(mut self, calls: HashSet<ToolCallId>) -> Self {
        self.lost_calls = Some(calls);
        self
    }

    /// Lets no call run before the store of the run has it.
    #[cfg(feature = "server")]
    pub(crate) fn written(mut self, written: Arc<StoreProgress>) -> Self {
        self.written = Some(written);
        self
    }

    /// Sets the memory that the run may take for values without a type.
    #[cfg(feature = "server")]
    pub(crate) fn allowance(mut self, allowance: Allowance) -> Self {
        self.allowance = allowance;
        self
    }

    /// Returns these options, completed by those of a server. The operation is idempotent.
    #[cfg(any(feature = "server", feature = "mcp"))]
    pub(crate) fn or(self, server: &Self) -> Self {
        Self {
            peer: self.peer.or(server.peer),
            reveal_errors: self.reveal_errors.or(server.reveal_errors),
            record_content: self.record_content.or(server.record_content),
            trace: self.trace.or_else(|| server.trace.clone()),
            timer: AnyTimer(self.timer.0.or_else(|| server.timer.0.clone())),
            proof: self.proof.or(&server.proof),
            request: self.request.or(&server.request),
            allowance: self.allowance.or(&server.allowance),
            ..self
        }
    }

    /// Returns the generation that was chosen for the run, if any; the input may declare another.
    #[cfg(feature = "server")]
    pub(crate) fn chosen_peer(&self) -> Option<Peer> {
        self.peer
    }

    /// Adds a value that comes with the request of this run, such as the user: the agent and its tools find it by its
    /// type, if they take it with [`#[request]`](macro@crate::agent#what-comes-with-the-request). It replaces an
    /// earlier value of the same type.
    ///
    /// A server adds the values that layers put into the extensions of the request; a value that is added here takes
    /// precedence.
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

    pub(crate) fn request_values(&self) -> &RequestValues {
        &self.request
    }
}
