//! What a run called, and how it ended.

use std::collections::HashSet;

use indexmap::IndexSet;

use crate::protocol::{
    Interrupt, NonNull, RunFinishedEvent, RunFinishedOutcome, RunId, RunStartedEvent, ThreadId, ToolCallId,
};

/// A run, as its events told it.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    thread_id: ThreadId,
    run_id: RunId,
    protocol_version: Option<String>,
    end: Option<RunEnd>,
}

/// How a run ended.
///
/// ```
/// use agui_runtime::protocol::{RunErrorEvent, RunStartedEvent};
/// use agui_runtime::receive::reduce::{Reducer, RunEnd};
///
/// let mut reducer = Reducer::new();
/// reducer.apply(&RunStartedEvent::new("t", "r").into())?;
/// reducer.apply(&RunErrorEvent::new("no flour").into())?;
/// let run = reducer.run().unwrap();
/// assert_eq!(*run.run_id(), *"r");
/// assert!(matches!(run.end(), Some(RunEnd::Failed { message, .. }) if message == "no flour"));
/// # Ok::<(), agui_runtime::receive::reduce::NotExpanded>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// It is done.
    Success {
        /// What it returned.
        result: Option<NonNull>,
        /// The calls nobody answered in it, in call order: those the event names, else those there have been.
        pending: Vec<ToolCallId>,
    },
    /// It stopped to ask.
    Interrupted {
        /// What it asks, at least one thing.
        interrupts: Vec<Interrupt>,
    },
    /// It was stopped on purpose.
    Cancelled,
    /// It failed.
    Failed {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs.
        code: Option<String>,
    },
}

impl Run {
    pub(super) fn new(event: &RunStartedEvent) -> Self {
        let protocol_version = event.protocol_version.clone();
        Self { protocol_version, ..Self::of(&event.thread_id, &event.run_id) }
    }

    pub(super) fn of(thread_id: &ThreadId, run_id: &RunId) -> Self {
        Self { thread_id: thread_id.clone(), run_id: run_id.clone(), protocol_version: None, end: None }
    }

    pub(super) fn finish(&mut self, end: RunEnd) {
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
    pub fn end(&self) -> Option<&RunEnd> {
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
    pub(super) fn end(&self, event: &RunFinishedEvent) -> RunEnd {
        let named = match &event.outcome {
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                return RunEnd::Interrupted { interrupts: outcome.interrupts.to_vec() };
            }
            Some(RunFinishedOutcome::Cancelled(_)) => return RunEnd::Cancelled,
            Some(RunFinishedOutcome::Success(outcome)) => outcome.pending_tool_call_ids.as_ref(),
            None => None,
        };
        // An empty list says as little as none.
        let pending = match named.filter(|named| !named.is_empty()) {
            Some(named) => named.clone(),
            None => self.started.iter().filter(|id| !self.answered.contains(*id)).cloned().collect(),
        };
        RunEnd::Success { result: event.result.clone(), pending }
    }
}
