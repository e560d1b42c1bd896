//! Drives one agent run from RUN_STARTED to the final event.

use std::any::Any;
use std::collections::HashSet;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::Value;
use tracing::Instrument;

use super::observed::ObservedRun;
use super::prepared::{PreparedRun, UncheckedInput};
use crate::agent::ends::stop::StopReason;
use crate::agent::{Agent, EventStream, FromRequestValues, Input, Run, RunOptions, Stop, UnwritableValue};
use crate::emit::{Emit, RunShared, StateOptions, log_renamed};
use crate::kernel::{ROOT, TerminalOutcome, WriteFields};
use crate::protocol::{Event, Interrupt, InterruptId, InterruptList, Message, NonNull, RunAgentInput};
use crate::quoted::quoted;
use crate::state::StateError;

/// Starts a run: a stream that yields events and owns the agent's future.
///
/// Polling the stream runs the agent, and dropping the stream cancels the agent; nothing is spawned and no executor is needed. The
/// stream opens with RUN_STARTED and ends with exactly one RUN_FINISHED or RUN_ERROR, whatever the agent does, including an early
/// `?`, a panic and a leaked guard.
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

/// The run's work between start and end.
pub(super) trait RunCourse<A: Agent>: Send + 'static {
    fn follow(
        self,
        run: &mut Run<A>,
        input: Input<A>,
    ) -> impl Future<Output = Result<Option<NonNull>, Stop>> + Send;
}

/// The agent's own function.
impl<A: Agent> RunCourse<A> for Arc<A> {
    async fn follow(self, run: &mut Run<A>, input: Input<A>) -> Result<Option<NonNull>, Stop> {
        let finished = self.run(run, input).await?;
        let result: Value = crate::json::to_value(&finished.into_value()).map_err(UnwritableValue)?;
        Ok(NonNull::new(result))
    }
}

/// Starts a run with a course other than the agent's own function.
pub(super) fn start_course<A: Agent>(
    agent: Arc<A>,
    input: RunAgentInput,
    options: RunOptions,
    course: impl RunCourse<A>,
) -> EventStream {
    let (prepared, recording) = PreparedRun::new(input, options, A::source);
    let shared = Arc::clone(&prepared.shared);
    EventStream::new(shared, Box::pin(drive(agent, course, prepared)), recording)
}

/// Runs from start to end. A block rather than an `async fn`, which would store the arguments twice, and each run holds this
/// future.
fn drive<A: Agent>(
    agent: Arc<A>,
    course: impl RunCourse<A>,
    prepared: PreparedRun,
) -> impl Future<Output = ()> + Send {
    let PreparedRun { shared, fields, repeats, sent, state } = prepared;
    async move {
        let observed = begin(&shared, fields, repeats, || A::source().name);
        // A panic in one run must not take the server down. The guards were dropped while it unwound. All values of the
        // user are dropped inside, because a destructor may panic too.
        let ended = AssertUnwindSafe(run_to_end(Arc::clone(&shared), agent, course, sent, state))
            .catch_unwind()
            .instrument(observed.span())
            .await;
        end(&shared, observed, ended);
    }
}

/// Calls the agent.
#[expect(clippy::manual_async_fn, reason = "as `drive`")]
fn run_to_end<A: Agent>(
    shared: Arc<RunShared>,
    agent: Arc<A>,
    course: impl RunCourse<A>,
    sent: UncheckedInput,
    state: StateOptions,
) -> impl Future<Output = RunTermination> + Send {
    async move {
        let request = match A::Request::find(shared.request()) {
            Ok(request) => request,
            Err(missing) => return (terminal_of_stop(&shared, missing.into()), None),
        };
        let emit = Emit::new(Arc::clone(&shared));
        let mut run = Run::new(emit, agent, Arc::clone(&sent.input), request, state);
        let returned = match sent.check(&shared, A::source) {
            Ok(input) => course.follow(&mut run, Input::new(input)).await,
            Err(stop) => Err(stop),
        };
        let terminal = terminal_of(&shared, returned);
        let resumed = matches!(terminal, TerminalOutcome::Interrupt { .. });
        let state = run.state_handle().last_snapshot(resumed);
        (terminal, logged(state))
    }
}

/// The run's end, and the state that the client must hold when the run is resumed.
type RunTermination = (TerminalOutcome, Option<Event>);

// These functions do not depend on the agent, so that they are compiled once.

/// Sends RUN_STARTED, and the conversation if answers were removed from it.
fn begin(
    shared: &Arc<RunShared>,
    fields: WriteFields,
    repeats: bool,
    name: fn() -> &'static str,
) -> ObservedRun {
    let input = shared.input();
    shared.act(|kernel| kernel.start(input, fields));
    if repeats {
        // Nothing is open yet.
        _ = shared.act(|kernel| kernel.restate(ROOT, input.messages.clone(), None));
    }
    ObservedRun::begin(shared, name)
}

/// Sends the event that ends the run.
fn end(shared: &RunShared, observed: ObservedRun, ended: Result<RunTermination, Box<dyn Any + Send>>) {
    let (terminal, state) = ended.unwrap_or_else(|panic| {
        let stopped = observed.span().in_scope(|| terminal_of_stop(shared, Stop::from_panic(panic)));
        (stopped, None)
    });
    observed.end(&terminal);
    shared.end(terminal, state);
    log_renamed(shared);
}

fn terminal_of(shared: &RunShared, returned: Result<Option<NonNull>, Stop>) -> TerminalOutcome {
    match returned {
        Ok(result) => TerminalOutcome::Success { result },
        Err(stop) => terminal_of_stop(shared, stop),
    }
}

fn logged(state: Result<Option<Event>, StateError>) -> Option<Event> {
    state.unwrap_or_else(|error| {
        tracing::warn!(error = %quoted(&error), "the last snapshot of the state could not be written");
        None
    })
}

fn terminal_of_stop(shared: &RunShared, stop: Stop) -> TerminalOutcome {
    match stop.0 {
        StopReason::Error(failure) => {
            failure.log(shared.input(), shared.records_content());
            let (message, code) = failure.message(shared.input(), shared.reveals_errors());
            TerminalOutcome::Failed { message, code }
        }
        StopReason::AwaitFrontend(calls) => {
            tracing::debug!(calls = calls.len(), "run waits for the user interface");
            TerminalOutcome::AwaitFrontend
        }
        StopReason::Interrupt { interrupts, messages } => match repeated(&interrupts) {
            // The answers refer to the questions by their ids.
            Some(id) => TerminalOutcome::Failed {
                message: format!("two interrupts have the id `{}`", quoted(id)),
                code: Some("duplicate_interrupt".to_owned()),
            },
            None => signed_interrupts(shared, interrupts, messages),
        },
        StopReason::Cancelled => TerminalOutcome::Cancelled,
    }
}

/// Returns the interrupt with the ids that the client may answer.
fn signed_interrupts(
    shared: &RunShared,
    mut interrupts: InterruptList,
    messages: Option<Vec<Message>>,
) -> TerminalOutcome {
    for question in interrupts.iter_mut() {
        if let Err(error) = shared.consent().sign(shared.input(), question) {
            let code = error.code();
            let message = quoted(&error).to_string();
            tracing::error!(code, error = message, "an interrupt was not asked");
            return TerminalOutcome::Failed { message, code: Some(code.to_owned()) };
        }
    }
    TerminalOutcome::Interrupt { interrupts, messages }
}

fn repeated(interrupts: &[Interrupt]) -> Option<&InterruptId> {
    let mut known = HashSet::new();
    interrupts.iter().map(|interrupt| &interrupt.id).find(|id| !known.insert(*id))
}
