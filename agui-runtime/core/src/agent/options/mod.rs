//! Run options.

mod interrupts;
mod state;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::EventRecorder;
use super::runs::recorder::RunRecording;
use crate::consent::InterruptProof;
#[cfg(any(feature = "model", feature = "server"))]
use crate::emit::PrivateTurnLog;
use crate::emit::{RequestValues, StateOptions, SteeringInbox, StoreProgress};
use crate::kernel::{Clock, Ids, Peer, Timer};
use crate::protocol::ToolCallId;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::telemetry::TraceContext;

/// Run options, chosen outside the agent.
///
/// ```
/// use agui_runtime::{Ids, Peer, RunOptions};
///
/// let options = RunOptions::default().ids(Ids::fixed("test")).peer(Peer::CURRENT);
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
    pub(super) recording: Option<RunRecording>,
    pub(super) state: StateOptions,
    pub(super) request: RequestValues,
    pub(super) proof: InterruptProof,
    pub(super) allowance: MemoryAllowance,
    /// True if no call waits for approval, because the run's caller has already approved.
    pub(super) calls_approved: bool,
    /// In a restarted run: calls that a lost server left without results.
    pub(super) lost_calls: Option<HashSet<ToolCallId>>,
    /// Set if no call may run before the store of the run has it.
    pub(super) written: Option<Arc<StoreProgress>>,
    /// Set if user messages can join the run.
    pub(super) steering: Option<Arc<SteeringInbox>>,
    /// The private turns of the run's stored thread.
    #[cfg(any(feature = "model", feature = "server"))]
    pub(super) private_turns: Option<Arc<PrivateTurnLog>>,
}

/// The run's timer, if any.
#[derive(Clone, Default)]
pub(super) struct AnyTimer(pub(super) Option<Arc<dyn Timer>>);

impl fmt::Debug for AnyTimer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Timer" } else { "None" })
    }
}

impl Default for RunOptions {
    /// Space for 16 events, random ids, and the peer that the input declares.
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
            proof: InterruptProof::default(),
            allowance: MemoryAllowance::default(),
            calls_approved: false,
            lost_calls: None,
            written: None,
            steering: None,
            #[cfg(any(feature = "model", feature = "server"))]
            private_turns: None,
        }
    }
}

impl RunOptions {
    /// Sets the queue capacity in events, at least one: writes wait when the queue is full. The reader takes all queued events at
    /// once; their space is free again when the last event is read. With `usize::MAX` no write ever waits, and the queue grows as
    /// far as the reader lags behind.
    #[must_use]
    pub fn room(mut self, events: usize) -> Self {
        self.room = events;
        self
    }

    /// Sets the source for message and call ids; random by default.
    #[must_use]
    pub fn ids(mut self, ids: Ids) -> Self {
        self.ids = Some(ids);
        self
    }

    /// Sets the timestamp source; by default events carry no timestamp.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the timer for time limits; without a timer, time limits are refused. This crate's server sets the tokio timer.
    #[must_use]
    pub fn timer(mut self, timer: impl Timer + 'static) -> Self {
        self.timer = AnyTimer(Some(Arc::new(timer)));
        self
    }

    /// Sets the protocol generation that the run's clients speak; by default the input's.
    #[must_use]
    pub fn peer(mut self, peer: Peer) -> Self {
        self.peer = Some(peer);
        self
    }

    /// Sets if clients see errors and panics with full text and causes, like the log: in RUN_ERROR, in SUBAGENT_ERROR and in
    /// failed tools' results. Off by default in every build, except where a server decides: a debug build on a loopback address
    /// shows them (`Server::reveal_errors`). [`Stop`](crate::Stop) and [`PublicError`](crate::PublicError) document the text that
    /// clients see otherwise.
    ///
    /// Such texts may contain addresses, passwords and other users' data: turn this on only in development.
    #[must_use]
    pub fn reveal_errors(mut self, reveal: bool) -> Self {
        self.reveal_errors = Some(reveal);
        self
    }

    /// Sets if [spans](crate::telemetry) record message content: instructions, the conversation that a model reads, model replies,
    /// tool arguments and results. Off by default in every build, because trace readers then see users' words.
    #[must_use]
    pub fn record_content(mut self, record: bool) -> Self {
        self.record_content = Some(record);
        self
    }

    /// Sets the run's trace, which RUN_STARTED carries in its metadata. A server takes the trace from the request headers; this
    /// option takes precedence.
    #[must_use]
    pub fn trace(mut self, trace: TraceContext) -> Self {
        self.trace = Some(trace);
        self
    }

    /// Returns the run's trace.
    #[cfg(feature = "server")]
    pub(crate) fn trace_context(&self) -> Option<&TraceContext> {
        self.trace.as_ref()
    }

    /// Also passes every run event to a recorder: a journal, a conversation store, a test.
    ///
    /// The recorder sees events in stream order, each just before the stream returns that event. If the stream is dropped early,
    /// the recorder also sees the events that the client misses: queued ones, the ends for open spans, and RUN_FINISHED with
    /// outcome `cancelled`. A stream that was never polled shows the recorder nothing, because the run did not start.
    #[must_use]
    pub fn recorder(mut self, recorder: impl EventRecorder) -> Self {
        self.recording = Some(RunRecording::by(recorder));
        self
    }

    /// Sets if calls run without the approval that their tools require.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn calls_approved(mut self, approved: bool) -> Self {
        self.calls_approved = approved;
        self
    }

    /// Marks a restarted run, with the calls that a lost server left without results.
    #[cfg(feature = "server")]
    pub(crate) fn lost_calls(mut self, calls: HashSet<ToolCallId>) -> Self {
        self.lost_calls = Some(calls);
        self
    }

    /// Makes each call wait until the run's store has that call.
    #[cfg(feature = "server")]
    pub(crate) fn written(mut self, written: Arc<StoreProgress>) -> Self {
        self.written = Some(written);
        self
    }

    /// Sets the inbox for user messages that come while the run works.
    #[cfg(feature = "server")]
    pub(crate) fn steering(mut self, inbox: Arc<SteeringInbox>) -> Self {
        self.steering = Some(inbox);
        self
    }

    /// Keeps the run's private turns with the run's stored thread.
    #[cfg(feature = "server")]
    pub(crate) fn private_turns(mut self, turns: Arc<PrivateTurnLog>) -> Self {
        self.private_turns = Some(turns);
        self
    }

    /// Sets the memory allowance for the run's untyped values.
    #[cfg(feature = "server")]
    pub(crate) fn allowance(mut self, allowance: MemoryAllowance) -> Self {
        self.allowance = allowance;
        self
    }

    /// Completes these options from a server's options. Idempotent.
    #[cfg(any(feature = "server", feature = "tool-servers"))]
    pub(crate) fn or(self, server: &Self) -> Self {
        // By name, so that a new option is not forgotten here.
        let Self {
            room,
            ids,
            clock,
            timer,
            peer,
            reveal_errors,
            record_content,
            trace,
            recording,
            state,
            request,
            proof,
            allowance,
            calls_approved,
            lost_calls,
            written,
            steering,
            #[cfg(any(feature = "model", feature = "server"))]
            private_turns,
        } = self;
        Self {
            peer: peer.or(server.peer),
            reveal_errors: reveal_errors.or(server.reveal_errors),
            record_content: record_content.or(server.record_content),
            trace: trace.or_else(|| server.trace.clone()),
            timer: AnyTimer(timer.0.or_else(|| server.timer.0.clone())),
            proof: proof.or(&server.proof),
            request: request.or(&server.request),
            allowance: allowance.or(&server.allowance),
            room,
            ids,
            clock,
            recording,
            state,
            calls_approved,
            lost_calls,
            written,
            steering,
            #[cfg(any(feature = "model", feature = "server"))]
            private_turns,
        }
    }

    /// Returns the run's configured peer, if any; the input may declare another.
    #[cfg(feature = "server")]
    pub(crate) fn chosen_peer(&self) -> Option<Peer> {
        self.peer
    }

    /// Adds a request value for this run, such as the user. The agent and its tools receive the value by type, if they take that
    /// type with [`#[request]`](macro@crate::agent#what-comes-with-the-request). An earlier value with the same type is replaced.
    ///
    /// A server adds the values that layers put into the request extensions; a value added here takes precedence.
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
