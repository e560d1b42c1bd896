//! The life of a run and its steps (AG-UI 1.0, section "Runs and steps").

use super::base::event;
use super::id::{RunId, ThreadId};
use super::input::RunAgentInput;
use super::json::NonNull;
use super::outcome::RunFinishedOutcome;
use super::usage::TokenUsage;

event! {
    /// Opens a run.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, PROTOCOL_VERSION, RunFinishedEvent, RunStartedEvent};
    ///
    /// let run: [Event; 2] = [
    ///     RunStartedEvent::new("trip-7", "r-1").with_protocol_version(PROTOCOL_VERSION).into(),
    ///     RunFinishedEvent::new("trip-7", "r-1").into(),
    /// ];
    /// assert_eq!(
    ///     serde_json::to_string(&run[0]).unwrap(),
    ///     r#"{"type":"RUN_STARTED","threadId":"trip-7","runId":"r-1","protocolVersion":"1.0"}"#,
    /// );
    /// ```
    pub struct RunStartedEvent is RunStarted [unattributed] {
        /// The thread of the input.
        thread_id: ThreadId,
        /// The run of the input.
        run_id: RunId,
        /// What the producer speaks, `MAJOR.MINOR`; never an echo of the input's.
        protocol_version: Option<String> => with_protocol_version,
        /// The run that started this one as a separate run.
        parent_run_id: Option<RunId> => with_parent_run_id,
        /// An echo of the request.
        input: Option<Box<RunAgentInput>> => with_input,
    }
}

event! {
    /// Ends a run that did not fail. Everything opened must be closed before.
    pub struct RunFinishedEvent is RunFinished [unattributed] {
        /// The thread of the run.
        thread_id: ThreadId,
        /// The run.
        run_id: RunId,
        /// What the run returned.
        result: Option<NonNull> => with_result,
        /// How it ended; absent means success.
        outcome: Option<RunFinishedOutcome> => with_outcome,
        /// The tokens spent, subagents included.
        usage: Option<Vec<TokenUsage>> => with_usage,
    }
}

event! {
    /// Ends a run that failed, with whatever is still open.
    pub struct RunErrorEvent is RunError [unattributed] {
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs; an open set.
        code: Option<String> => with_code,
        /// The tokens spent before the failure.
        usage: Option<Vec<TokenUsage>> => with_usage,
    }
}

event! {
    /// Opens a step.
    pub struct StepStartedEvent is StepStarted [attributable] {
        /// The step, among those of its author.
        step_name: String,
    }
}

event! {
    /// Closes a step.
    pub struct StepFinishedEvent is StepFinished [attributable] {
        /// The step, among those of its author.
        step_name: String,
    }
}
