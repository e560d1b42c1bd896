//! Outcomes for runs that did not fail (AG-UI 1.0, section "Runs and steps").

use crate::protocol::conversation::interrupt::InterruptList;
use crate::protocol::forms::object::object;
use crate::protocol::forms::union::union;
use crate::protocol::id::ToolCallId;

union! {
    /// A run's outcome. A failure has no outcome, but a `RUN_ERROR`.
    ///
    /// ```
    /// use agui_runtime::protocol::{Interrupt, RunFinishedEvent, RunFinishedInterruptOutcome};
    /// use serde_json::json;
    ///
    /// let question = Interrupt::new("int-1", "tool_call").with_message("Book the room?");
    /// let event = RunFinishedEvent::new("t-9", "r-1").with_outcome(RunFinishedInterruptOutcome::new(question));
    /// assert_eq!(
    ///     serde_json::to_value(&event).unwrap()["outcome"],
    ///     json!({
    ///         "type": "interrupt",
    ///         "interrupts": [{ "id": "int-1", "reason": "tool_call", "message": "Book the room?" }],
    ///     }),
    /// );
    /// ```
    pub enum RunFinishedOutcome: "type" = TYPE, "an outcome" {
        /// The run succeeded.
        Success(RunFinishedSuccessOutcome),
        /// The run stopped to ask; the next run brings the resume entries.
        Interrupt(RunFinishedInterruptOutcome),
        /// The run was stopped on purpose: neither success nor failure.
        Cancelled(RunFinishedCancelledOutcome),
    }
}

object! {
    /// The run succeeded.
    ///
    /// ```
    /// use agui_runtime::protocol::{RunFinishedEvent, RunFinishedSuccessOutcome};
    ///
    /// let outcome = RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(["c-1".into()]);
    /// let event = RunFinishedEvent::new("t-9", "r-1").with_outcome(outcome);
    /// assert_eq!(
    ///     serde_json::to_value(&event).unwrap()["outcome"],
    ///     serde_json::json!({ "type": "success", "pendingToolCallIds": ["c-1"] }),
    /// );
    /// ```
    pub struct RunFinishedSuccessOutcome {
        const TYPE: "type" = "success";
        /// This run's calls without a result, in call order. An absent list may hide such calls.
        pending_tool_call_ids as "pendingToolCallIds": Option<Vec<ToolCallId>> => with_pending_tool_call_ids,
    }
}

object! {
    /// The run stopped to ask, a [`RunFinishedOutcome`].
    pub struct RunFinishedInterruptOutcome {
        const TYPE: "type" = "interrupt";
        /// The interrupts.
        interrupts: InterruptList,
    }
}

object! {
    /// The run was stopped on purpose, a [`RunFinishedOutcome`].
    pub struct RunFinishedCancelledOutcome {
        const TYPE: "type" = "cancelled";
    }
}
