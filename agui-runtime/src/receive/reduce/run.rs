//! What a run called, and how it ended.

use std::collections::HashSet;

use indexmap::IndexSet;

use crate::protocol::{
    Interrupt, NonNull, RunFinishedEvent, RunFinishedOutcome, RunId, RunStartedEvent, ThreadId, ToolCallId,
};

/// A run, as its events told it.
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
pub struct Run {
    thread_id: ThreadId,
    run_id: RunId,
    protocol_version: Option<String>,
    end: Option<Outcome>,
}

/// How a run ended, or a turn of a conversation: as its last run did.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::reduce::{Outcome, Reducer};
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").into())?;
/// reducer.apply(&RunErrorEvent::new("no flour").into())?;
/// let run = reducer.run().unwrap();
/// assert_eq!(*run.run_id(), *"r");
/// let told = match run.end().unwrap() {
///     Outcome::Success { pending, .. } if pending.is_empty() => "done".to_owned(),
///     Outcome::Success { pending, .. } => format!("waits for {} answers", pending.len()),
///     Outcome::Interrupted { interrupts } => format!("asks {} questions", interrupts.len()),
///     Outcome::Cancelled => "stopped".to_owned(),
///     Outcome::Failed { message, .. } => format!("failed: {message}"),
///     Outcome::Truncated => "cut off".to_owned(),
/// };
/// assert_eq!(told, "failed: no flour");
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is done.
    Success {
        /// What it returned.
        result: Option<NonNull>,
        /// The calls nobody has answered, in call order: those the event names, else those there have been. A turn has answered those of
        /// tools with handlers.
        pending: Vec<ToolCallId>,
    },
    /// It stopped to ask.
    Interrupted {
        /// What it asks, at least one thing.
        interrupts: Vec<Interrupt>,
    },
    /// It was stopped on purpose.
    Cancelled,
    /// It failed, as it says itself.
    Failed {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs.
        code: Option<String>,
    },
    /// The stream stopped before the run ended: whatever it was to become, it is no success (AG-UI 1.0, section "HTTP exchange"). No
    /// event says this, so no [`Run`] ends like this: it is for whoever reads the stream to tell, as
    /// [`End::Truncated`](crate::receive::End::Truncated) does.
    Truncated,
}

impl Run {
    pub(super) fn new(event: &RunStartedEvent) -> Self {
        let protocol_version = event.protocol_version.clone();
        Self { protocol_version, ..Self::of(&event.thread_id, &event.run_id) }
    }

    pub(super) fn of(thread_id: &ThreadId, run_id: &RunId) -> Self {
        Self { thread_id: thread_id.clone(), run_id: run_id.clone(), protocol_version: None, end: None }
    }

    pub(super) fn finish(&mut self, end: Outcome) {
        self.end = Some(end);
    }

    /// The conversation it is on.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// The run.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.run_id
    }

    /// What its producer says it speaks.
    #[must_use]
    pub fn protocol_version(&self) -> Option<&str> {
        self.protocol_version.as_deref()
    }

    /// How it ended, if it has.
    #[must_use]
    pub fn end(&self) -> Option<&Outcome> {
        self.end.as_ref()
    }
}

/// The calls of one run, and which of them were answered in it.
#[derive(Debug, Clone, Default)]
pub(super) struct Tally {
    started: IndexSet<ToolCallId>,
    answered: HashSet<ToolCallId>,
}

impl Tally {
    pub(super) fn start(&mut self, id: &ToolCallId) {
        self.started.insert(id.clone());
    }

    pub(super) fn answer(&mut self, id: &ToolCallId) {
        self.answered.insert(id.clone());
    }

    /// How the event ends the run.
    pub(super) fn end(&self, event: &RunFinishedEvent) -> Outcome {
        let named = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                return Outcome::Interrupted { interrupts: outcome.interrupts.to_vec() };
            }
            Some(RunFinishedOutcome::Cancelled(_)) => return Outcome::Cancelled,
            Some(RunFinishedOutcome::Success(outcome)) => outcome.pending_tool_call_ids.as_ref(),
            None => None,
        };
        // An empty list says as little as none.
        let pending = match named.filter(|named| !named.is_empty()) {
            Some(named) => named.clone(),
            None => self.started.iter().filter(|id| !self.answered.contains(*id)).cloned().collect(),
        };
        Outcome::Success { result: event.result.clone(), pending }
    }

    /// Leaves of `calls` those that have no answer in this run, each once: whoever answers them answers each once.
    #[cfg(feature = "client")]
    pub(super) fn keep_open(&self, calls: &mut Vec<ToolCallId>) {
        let mut seen = HashSet::new();
        calls.retain(|id| !self.answered.contains(id) && seen.insert(id.clone()));
    }
}
