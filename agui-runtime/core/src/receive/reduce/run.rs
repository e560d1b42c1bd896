//! A run's calls and outcome.

use std::collections::HashSet;

use indexmap::IndexSet;

use crate::protocol::{
    Interrupt, NonNull, RunFinishedEvent, RunFinishedOutcome, RunId, RunStartedEvent, ThreadId, ToolCallId,
};

/// A run, as its events described it.
///
/// ```
/// use agui_runtime::protocol::RunStartedEvent;
/// use agui_runtime::receive::Reducer;
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").with_protocol_version("1.0").into())?;
/// let run = reducer.run().unwrap();
/// assert_eq!((run.thread_id().as_str(), run.run_id().as_str()), ("t", "r"));
/// assert_eq!((run.protocol_version(), run.end()), (Some("1.0"), None));
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ReducedRun {
    thread_id: ThreadId,
    run_id: RunId,
    protocol_version: Option<String>,
    end: Option<RunOutcome>,
}

/// A run's outcome. For a conversation turn, the last run's outcome.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::reduce::{RunOutcome, Reducer};
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").into())?;
/// reducer.apply(&RunErrorEvent::new("no flour").into())?;
/// let run = reducer.run().unwrap();
/// assert_eq!(*run.run_id(), *"r");
/// let text = match run.end().unwrap() {
///     RunOutcome::Success { pending, .. } if pending.is_empty() => "done".to_owned(),
///     RunOutcome::Success { pending, .. } => format!("waits for {} results", pending.len()),
///     RunOutcome::Interrupted { interrupts } => format!("has {} interrupts", interrupts.len()),
///     RunOutcome::Cancelled => "stopped".to_owned(),
///     RunOutcome::Failed { message, .. } => format!("failed: {message}"),
///     RunOutcome::Truncated => "cut off".to_owned(),
/// };
/// assert_eq!(text, "failed: no flour");
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum RunOutcome {
    /// The run succeeded.
    Success {
        /// The run's result.
        result: Option<NonNull>,
        /// The calls without a result, in call order: the calls that the event names, or else the calls that the run made. A turn
        /// has already settled the calls of tools with handlers.
        pending: Vec<ToolCallId>,
    },
    /// The run stopped with interrupts.
    Interrupted {
        /// The interrupts, at least one.
        interrupts: Vec<Interrupt>,
    },
    /// The run was stopped on purpose.
    Cancelled,
    /// The run failed, as its RUN_ERROR says.
    Failed {
        /// The reason, for people.
        message: String,
        /// The reason, for programs.
        code: Option<String>,
    },
    /// The stream stopped before the run ended, which is not a success (AG-UI 1.0, section "HTTP exchange"). No event says so, and
    /// no [`ReducedRun`] has this outcome: the stream's reader reports it, as [`End::Truncated`](crate::receive::PipelineEnd::Truncated)
    /// does.
    Truncated,
}

impl ReducedRun {
    pub(super) fn new(event: &RunStartedEvent) -> Self {
        let protocol_version = event.protocol_version.clone();
        Self { protocol_version, ..Self::from_ids(&event.thread_id, &event.run_id) }
    }

    pub(super) fn from_ids(thread_id: &ThreadId, run_id: &RunId) -> Self {
        Self { thread_id: thread_id.clone(), run_id: run_id.clone(), protocol_version: None, end: None }
    }

    pub(super) fn finish(&mut self, end: RunOutcome) {
        self.end = Some(end);
    }

    /// Returns the thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// Returns the run's id.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// Returns the protocol version that the producer declared.
    #[must_use]
    pub fn protocol_version(&self) -> Option<&str> {
        self.protocol_version.as_deref()
    }

    /// Returns the outcome, if the run has ended.
    #[must_use]
    pub fn end(&self) -> Option<&RunOutcome> {
        self.end.as_ref()
    }
}

/// One run's calls, and the calls whose result came in the run.
#[derive(Debug, Clone, Default)]
pub(super) struct CallTally {
    started: IndexSet<ToolCallId>,
    settled: HashSet<ToolCallId>,
}

impl CallTally {
    pub(super) fn start(&mut self, id: &ToolCallId) {
        self.started.insert(id.clone());
    }

    pub(super) fn settle(&mut self, id: &ToolCallId) {
        self.settled.insert(id.clone());
    }

    /// Returns the outcome that `event` gives the run.
    pub(super) fn end(&self, event: &RunFinishedEvent) -> RunOutcome {
        let named = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                return RunOutcome::Interrupted { interrupts: outcome.interrupts.to_vec() };
            }
            Some(RunFinishedOutcome::Cancelled(_)) => return RunOutcome::Cancelled,
            Some(RunFinishedOutcome::Success(outcome)) => outcome.pending_tool_call_ids.as_ref(),
            None => None,
        };
        // An empty list means the same as an absent one.
        let pending = match named.filter(|named| !named.is_empty()) {
            Some(named) => named.clone(),
            None => self.started.iter().filter(|id| !self.settled.contains(*id)).cloned().collect(),
        };
        RunOutcome::Success { result: event.result.clone(), pending }
    }

    /// Keeps the calls without a result in this run, each once.
    #[cfg(feature = "client")]
    pub(super) fn keep_unsettled(&self, calls: &mut Vec<ToolCallId>) {
        let mut seen = HashSet::new();
        calls.retain(|id| !self.settled.contains(id) && seen.insert(id.clone()));
    }
}
