//! Subagents: pieces of a run delegated to other agents, in the same stream (AG-UI 1.0, section "Subagents").

use super::base::event;
use super::id::{InterruptId, MessageId, SubagentRunId, ToolCallId};
use super::json::NonNull;
use super::object::object;
use super::union::union;

event! {
    /// Announces an invocation of a subagent.
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
        /// The invocation; never used twice in a run.
        subagent_run_id: SubagentRunId,
        /// Which subagent.
        name: String,
        /// What it is asked to do.
        description: Option<String> => with_description,
        /// The invocation that started this one; absent means the parent agent.
        parent_subagent_run_id: Option<SubagentRunId> => with_parent_subagent_run_id,
        /// The tool call that delegated.
        parent_tool_call_id: Option<ToolCallId> => with_parent_tool_call_id,
        /// The message that delegated.
        parent_message_id: Option<MessageId> => with_parent_message_id,
    }
}

event! {
    /// Ends an invocation that did not fail.
    pub struct SubagentFinishedEvent is SubagentFinished [own] {
        /// The invocation.
        subagent_run_id: SubagentRunId,
        /// What it returned.
        result: Option<NonNull> => with_result,
        /// How it ended; absent means success.
        outcome: Option<SubagentFinishedOutcome> => with_outcome,
    }
}

event! {
    /// Ends an invocation that failed. The run goes on.
    pub struct SubagentErrorEvent is SubagentError [own] {
        /// The invocation.
        subagent_run_id: SubagentRunId,
        /// What went wrong, for people.
        message: String,
        /// What went wrong, for programs; an open set.
        code: Option<String> => with_code,
    }
}

union! {
    /// How an invocation ended.
    pub enum SubagentFinishedOutcome: "type" = TYPE, "a subagent outcome" {
        /// It is done.
        Success(SubagentFinishedSuccessOutcome),
        /// It waits for an answer from outside and may go on in a later run under the same id.
        Suspended(SubagentFinishedSuspendedOutcome),
    }
}

object! {
    /// The invocation is done.
    pub struct SubagentFinishedSuccessOutcome {
        const TYPE: "type" = "success";
    }
}

object! {
    /// The invocation waits for an answer from outside.
    pub struct SubagentFinishedSuspendedOutcome {
        const TYPE: "type" = "suspended";
        /// The questions it asked itself; none if only a descendant asked.
        interrupt_ids: Option<Vec<InterruptId>> => with_interrupt_ids,
    }
}
