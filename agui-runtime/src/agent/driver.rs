//! The driver: one run of an agent, from its start to the event that ends it.

use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use tracing::Instrument;

use super::observed::Observed;
use super::stop::Reason;
use super::{
    Agent, EventStream, Input, Requested, RunOptions, Stop, Unwritable, check_answers, repeated_answers,
};
use crate::agent::Run;
use crate::consent::{Consent, ResumedError};
use crate::emit::{Emit, Shared, SharedSettings, StateOptions, log_renamed};
use crate::kernel::{EventFields, Ids, Peer, ROOT, Terminal};
use crate::protocol::{Event, Interrupt, InterruptId, Interrupts, Message, NonNull, RunAgentInput};
use crate::quoted::quoted;
use crate::telemetry::TraceContext;

/// Starts a run: a stream of events that owns the agent's function call.
///
/// Polling the stream runs the agent, and dropping it cancels the agent; nothing is spawned and no executor is needed.
/// The stream opens with RUN_STARTED and ends with exactly one RUN_FINISHED or RUN_ERROR, whatever the agent does,
/// including an early `?`, a panic and a leaked guard.
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
    let course = Arc::clone(&agent);
    start_course(agent, input, options, course)
}

/// The part of a run between its start and its end.
pub(super) trait Course<A: Agent>: Send + 'static {
    fn follow(
        self,
        run: &mut Run<A>,
        input: Input<A>,
    ) -> impl Future<Output = Result<Option<NonNull>, Stop>> + Send;
}

/// The agent's own function.
impl<A: Agent> Course<A> for Arc<A> {
    async fn follow(self, run: &mut Run<A>, input: Input<A>) -> Result<Option<NonNull>, Stop> {
        let finished = self.run(run, input).await?;
        let result: Value = crate::json::to_value(&finished.into_value()).map_err(Unwritable)?;
        Ok(NonNull::new(result))
    }
}

/// Starts a run with another course than the agent's own function.
pub(super) fn start_course<A: Agent>(
    agent: Arc<A>,
    mut input: RunAgentInput,
    options: RunOptions,
    course: impl Course<A>,
) -> EventStream {
    let ids = options.ids.unwrap_or_else(|| Ids::random(&input));
    let peer = options.peer.unwrap_or_else(|| Peer::of(&input));
    let (consent, admitted) = Consent::admit(options.proof, A::source, &mut input, options.clock.clone());
    let consent = consent.with_lost_calls(options.lost_calls);
    let repeats = repeated_answers::remove(&mut input, &consent);
    let input = Arc::new(input);
    let settings = SharedSettings {
        request: options.request,
        timer: options.timer.0,
        written: options.written,
        allowance: options.allowance,
        reveals_errors: options.reveal_errors == Some(true),
        records_content: options.record_content == Some(true),
        approves_calls: options.calls_approved,
    };
    let (room, clock) = (options.room, options.clock);
    let shared = Shared::new(Arc::clone(&input), consent, room, ids, clock, peer, settings);
    // Metadata is of 1.0.
    let trace = options.trace.filter(|_| peer == Peer::Current);
    let admitted = admitted.map_err(Box::new);
    let run = Driven { agent, course, input, admitted, repeats, trace, state: options.state };
    let agent = Box::pin(drive(Arc::clone(&shared), run));
    EventStream::new(shared, agent, options.recording)
}

/// One call of an agent.
struct Driven<A, C> {
    agent: Arc<A>,
    course: C,
    input: Arc<RunAgentInput>,
    /// The error if an answer in the input is not valid.
    admitted: Result<(), Box<ResumedError>>,
    /// True if the client holds results that are answers: the conversation is restated without them.
    repeats: bool,
    trace: Option<TraceContext>,
    state: StateOptions,
}

/// Returns the run from its start to its end. It is a block, because the arguments of an `async fn` are stored twice: each run
/// holds this future.
fn drive<A: Agent>(hub: Arc<Shared>, run: Driven<A, impl Course<A>>) -> impl Future<Output = ()> + Send {
    let Driven { agent, course, input, admitted, repeats, trace, state } = run;
    let fields = trace.map(|trace| Box::new(EventFields::new().with_metadata(trace.to_metadata())));
    async move {
        hub.act(|kernel| kernel.start(&input, fields));
        if repeats {
            // Nothing is open yet.
            _ = hub.act(|kernel| kernel.restate(ROOT, input.messages.clone(), None));
        }
        // A panic in one run must not take the server down. The guards were dropped while it unwound. All values of the
        // user are dropped inside, because a destructor may panic too.
        let observed = Observed::begin::<A>(&hub);
        let answered = Answered { course, input: Arc::clone(&input), admitted };
        let ended = AssertUnwindSafe(run_to_end(Arc::clone(&hub), agent, answered, state))
            .catch_unwind()
            .instrument(observed.span())
            .await;
        let (terminal, state) = ended.unwrap_or_else(|panic| {
            let stopped = observed.span().in_scope(|| stopped(&hub, Stop::of_panic(panic)));
            (stopped, None)
        });
        observed.end(&terminal);
        hub.end(terminal, state);
        log_renamed(&hub);
    }
}

/// An input whose answers were read.
struct Answered<C> {
    course: C,
    input: Arc<RunAgentInput>,
    admitted: Result<(), Box<ResumedError>>,
}

/// Returns the end of the run, and the state that the client must hold when the run is resumed.
#[expect(clippy::manual_async_fn, reason = "as `drive`")]
fn run_to_end<A: Agent>(
    hub: Arc<Shared>,
    agent: Arc<A>,
    answered: Answered<impl Course<A>>,
    state: StateOptions,
) -> impl Future<Output = (Terminal, Option<Event>)> + Send {
    async move {
        let request = match A::Request::find(hub.request()) {
            Ok(request) => request,
            Err(missing) => return (stopped(&hub, missing.into()), None),
        };
        let emit = Emit::new(Arc::clone(&hub));
        let mut run = Run::new(emit, agent, Arc::clone(&answered.input), request, state);
        let terminal = match follow(&hub, &mut run, answered).await {
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
}

/// Checks the answers of the input, and calls the agent.
#[expect(clippy::manual_async_fn, reason = "as `drive`")]
fn follow<'r, A: Agent>(
    hub: &'r Arc<Shared>,
    run: &'r mut Run<A>,
    answered: Answered<impl Course<A>>,
) -> impl Future<Output = Result<Option<NonNull>, Stop>> + Send {
    async move {
        let Answered { course, input, admitted } = answered;
        admitted.map_err(|error| *error)?;
        let input = Input::new(input, Arc::clone(hub), String::new());
        check_answers(&input)?;
        hub.consent().use_up()?;
        course.follow(run, input).await
    }
}

fn stopped(shared: &Shared, stop: Stop) -> Terminal {
    match stop.0 {
        Reason::Error(failure) => {
            failure.log(shared.input(), shared.records_content());
            let (message, code) = failure.message(shared.input(), shared.reveals_errors());
            Terminal::Failed { message, code }
        }
        Reason::AwaitFrontend(calls) => {
            tracing::debug!(calls = calls.len(), "run waits for the user interface");
            Terminal::AwaitFrontend
        }
        Reason::Interrupt { interrupts, messages } => match repeated(&interrupts) {
            // The answers refer to the questions by their ids.
            Some(id) => Terminal::Failed {
                message: format!("two interrupts have the id `{}`", quoted(id)),
                code: Some("duplicate_interrupt".to_owned()),
            },
            None => asked(shared, interrupts, messages),
        },
        Reason::Cancelled => Terminal::Cancelled,
    }
}

/// Returns the interrupt with the ids that the client may answer.
fn asked(shared: &Shared, mut interrupts: Interrupts, messages: Option<Vec<Message>>) -> Terminal {
    for question in interrupts.iter_mut() {
        if let Err(error) = shared.consent().sign(shared.input(), question) {
            let code = error.code();
            let message = quoted(&error).to_string();
            tracing::error!(code, error = message, "an interrupt was not asked");
            return Terminal::Failed { message, code: Some(code.to_owned()) };
        }
    }
    Terminal::Interrupt { interrupts, messages }
}

fn repeated(interrupts: &[Interrupt]) -> Option<&InterruptId> {
    let mut known = HashSet::new();
    interrupts.iter().map(|interrupt| &interrupt.id).find(|id| !known.insert(*id))
}
