//! Subagents: run parts that are delegated to other agents, in the same stream (AG-UI 1.0, section "Subagents").

use super::base::event;
use crate::protocol::any_json::json::NonNull;
use crate::protocol::forms::object::object;
use crate::protocol::forms::union::union;
use crate::protocol::id::{InterruptId, MessageId, SubagentRunId, ToolCallId};

event! {
    /// Announces a subagent invocation.
    ///
    /// ```
    /// use agui_runtime::protocol::{
    ///     Event, SubagentFinishedEvent, SubagentFinishedOutcome, SubagentFinishedSuccessOutcome, SubagentStartedEvent,
    ///     TextMessageStartEvent,
    /// };
    ///
    /// let events: [Event; 3] = [
    ///     SubagentStartedEvent::new("inv-1", "weather").into(),
    ///     TextMessageStartEvent::new("m-1").with_subagent_run_id("inv-1").into(),
    ///     SubagentFinishedEvent::new("inv-1").with_outcome(SubagentFinishedSuccessOutcome::new()).into(),
    /// ];
    /// assert!(events.iter().all(|event| event.subagent_run_id().is_some_and(|id| *id == "inv-1")));
    /// ```
    pub struct SubagentStartedEvent is SubagentStarted [own] {
        /// The invocation; an id is used once per run.
        subagent_run_id as "subagentRunId": SubagentRunId,
        /// Subagent name.
        name: String,
        /// The task.
        description: Option<String> => with_description,
        /// The invocation that started this one; absent means the parent agent.
        parent_subagent_run_id as "parentSubagentRunId": Option<SubagentRunId> => with_parent_subagent_run_id,
        /// The tool call that delegated.
        parent_tool_call_id as "parentToolCallId": Option<ToolCallId> => with_parent_tool_call_id,
        /// The message that delegated.
        parent_message_id as "parentMessageId": Option<MessageId> => with_parent_message_id,
    }
}

event! {
    /// Ends an invocation that did not fail.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, SubagentFinishedEvent};
    ///
    /// let event = Event::from(SubagentFinishedEvent::new("inv-1").with_result("Rain until noon."));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"SUBAGENT_FINISHED","subagentRunId":"inv-1","result":"Rain until noon."}"#,
    /// );
    /// ```
    pub struct SubagentFinishedEvent is SubagentFinished [own] {
        /// The invocation.
        subagent_run_id as "subagentRunId": SubagentRunId,
        /// The result.
        result: Option<NonNull> => with_result,
        /// The outcome; absent means success.
        outcome: Option<SubagentFinishedOutcome> => with_outcome,
    }
}

event! {
    /// Ends a failed invocation. The run goes on.
    ///
    /// ```
    /// use agui_runtime::protocol::{Event, SubagentErrorEvent};
    ///
    /// let event = Event::from(SubagentErrorEvent::new("inv-1", "No forecast.").with_code("no_station"));
    /// assert_eq!(
    ///     serde_json::to_string(&event).unwrap(),
    ///     r#"{"type":"SUBAGENT_ERROR","subagentRunId":"inv-1","message":"No forecast.","code":"no_station"}"#,
    /// );
    /// ```
    pub struct SubagentErrorEvent is SubagentError [own] {
        /// The invocation.
        subagent_run_id as "subagentRunId": SubagentRunId,
        /// The reason, for people.
        message: String,
        /// The reason, for programs; an open set.
        code: Option<String> => with_code,
    }
}

union! {
    /// An invocation's outcome.
    ///
    /// ```
    /// use agui_runtime::protocol::{SubagentFinishedEvent, SubagentFinishedOutcome, SubagentFinishedSuspendedOutcome};
    ///
    /// let event = SubagentFinishedEvent::new("inv-1").with_outcome(SubagentFinishedSuspendedOutcome::new());
    /// let waits = matches!(event.outcome, Some(SubagentFinishedOutcome::Suspended(_)));
    /// assert!(waits);
    /// ```
    pub enum SubagentFinishedOutcome: "type" = TYPE, "a subagent outcome" {
        /// The invocation succeeded.
        Success(SubagentFinishedSuccessOutcome),
        /// The invocation waits for input from outside and may continue in a later run under the same id.
        Suspended(SubagentFinishedSuspendedOutcome),
    }
}

object! {
    /// The invocation succeeded, a [`SubagentFinishedOutcome`].
    pub struct SubagentFinishedSuccessOutcome {
        const TYPE: "type" = "success";
    }
}

object! {
    /// The invocation waits for input from outside, a [`SubagentFinishedOutcome`].
    pub struct SubagentFinishedSuspendedOutcome {
        const TYPE: "type" = "suspended";
        /// Interrupts that the invocation itself raised; empty if only a descendant raised one.
        interrupt_ids as "interruptIds": Option<Vec<InterruptId>> => with_interrupt_ids,
    }
}
