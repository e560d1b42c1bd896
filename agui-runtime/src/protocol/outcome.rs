//! How a run that did not fail ended (AG-UI 1.0, section "Runs and steps").

use super::id::ToolCallId;
use super::interrupt::Interrupts;
use super::object::object;
use super::union::union;

union! {
    /// How a run ended. A failure is no outcome but a `RUN_ERROR`.
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
        /// It is done.
        Success(RunFinishedSuccessOutcome),
        /// It stopped to ask; the next run brings the answers.
        Interrupt(RunFinishedInterruptOutcome),
        /// It was stopped on purpose: neither success nor failure.
        Cancelled(RunFinishedCancelledOutcome),
    }
}

object! {
    /// The run is done.
    pub struct RunFinishedSuccessOutcome {
        const TYPE: "type" = "success";
        /// The calls of this run that nobody answered in it, in call order. Absent does not mean none.
        pending_tool_call_ids: Option<Vec<ToolCallId>> => with_pending_tool_call_ids,
    }
}

object! {
    /// The run stopped to ask.
    pub struct RunFinishedInterruptOutcome {
        const TYPE: "type" = "interrupt";
        /// What it asks.
        interrupts: Interrupts,
    }
}

object! {
    /// The run was stopped on purpose.
    pub struct RunFinishedCancelledOutcome {
        const TYPE: "type" = "cancelled";
    }
}
