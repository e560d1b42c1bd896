//! Run and step events (AG-UI 1.0, section "Runs and steps").

use super::base::event;
use super::outcome::RunFinishedOutcome;
use super::usage::TokenUsage;
use crate::protocol::any_json::json::NonNull;
use crate::protocol::conversation::input::RunAgentInput;
use crate::protocol::id::{RunId, ThreadId};

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
    ///     r#"{"type":"RUN_STARTED","threadId":"trip-7","runId":"r-1","protocolVersion":"1.1"}"#,
    /// );
    /// ```
    pub struct RunStartedEvent is RunStarted [unattributed] {
        /// The input's thread.
        thread_id as "threadId": ThreadId,
        /// The input's run.
        run_id as "runId": RunId,
        /// The producer's protocol version, `MAJOR.MINOR`; never an echo of the input's.
        protocol_version as "protocolVersion": Option<String> => with_protocol_version,
        /// The run that started this one as a separate run.
        parent_run_id as "parentRunId": Option<RunId> => with_parent_run_id,
        /// The echoed request.
        input: Option<Box<RunAgentInput>> => with_input,
    }
}

event! {
    /// Ends a run that did not fail. Every span must be closed before.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunFinishedEvent, TokenUsage};
    ///
    /// let usage = TokenUsage::new().with_model("x-1").with_output_tokens(9_u32);
    /// let event = Event::from(RunFinishedEvent::new("trip-7", "r-1").with_result("Booked.").with_usage([usage]));
    /// assert_eq!(
    ///     serde_json::to_value(&event).unwrap(),
    ///     serde_json::json!({
    ///         "type": "RUN_FINISHED", "threadId": "trip-7", "runId": "r-1",
    ///         "result": "Booked.", "usage": [{ "model": "x-1", "outputTokens": 9 }],
    ///     }),
    /// );
    /// ```
    pub struct RunFinishedEvent is RunFinished [unattributed] {
        /// The run's thread.
        thread_id as "threadId": ThreadId,
        /// The run.
        run_id as "runId": RunId,
        /// The run's result.
        result: Option<NonNull> => with_result,
        /// The outcome; absent means success.
        outcome: Option<RunFinishedOutcome> => with_outcome,
        /// The tokens spent, subagents included.
        usage: Option<Vec<TokenUsage>> => with_usage,
    }
}

event! {
    /// Ends a run that failed; spans may still be open.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, RunErrorEvent};
    ///
    /// let event = Event::from(RunErrorEvent::new("The hotel is full.").with_code("no_rooms"));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"RUN_ERROR","message":"The hotel is full.","code":"no_rooms"}"#,
    /// );
    /// ```
    pub struct RunErrorEvent is RunError [unattributed] {
        /// The reason, for people.
        message: String,
        /// The reason, for programs; an open set.
        code: Option<String> => with_code,
        /// The tokens spent before the failure.
        usage: Option<Vec<TokenUsage>> => with_usage,
    }
}

event! {
    /// Opens a step.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, StepFinishedEvent, StepStartedEvent};
    ///
    /// let step: [Event; 2] = [StepStartedEvent::new("search").into(), StepFinishedEvent::new("search").into()];
    /// assert_eq!(serde_json::to_string(&step[0]).unwrap(), r#"{"type":"STEP_STARTED","stepName":"search"}"#);
    /// ```
    pub struct StepStartedEvent is StepStarted [attributable] {
        /// Step name, unique among the author's open steps.
        step_name as "stepName": String,
    }
}

event! {
    /// Closes a step, after a [`StepStartedEvent`].
    pub struct StepFinishedEvent is StepFinished [attributable] {
        /// Step name, unique among the author's open steps.
        step_name as "stepName": String,
    }
}
