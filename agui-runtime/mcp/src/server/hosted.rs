//! The agent behind a server, with its type erased.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::reports::ProgressReporter;
use agui_runtime_core::__leaf::{LoneCall, LoneCallError, ResumedLoneCall, random_number, request_values};
use agui_runtime_core::protocol::{
    AssistantMessage, FunctionCall, PROTOCOL_VERSION, ResumeEntry, RunAgentInput, ToolCall,
};
use agui_runtime_core::runs::{FromRequestValues, MissingRequestValue};
use agui_runtime_core::tools::SettledCall;
use agui_runtime_core::{RunOptions, ToolSet};

/// A tool call from an MCP client.
pub(super) struct McpClientCall {
    pub(super) tool: String,
    pub(super) arguments: String,
    pub(super) thread: Arc<str>,
    /// The user's input for a call that interrupted.
    pub(super) resumed: Option<ResumedCall>,
    /// True if the client can ask its user.
    pub(super) can_ask: bool,
}

/// An earlier call that the client makes again, with the user's input.
pub(super) struct ResumedCall {
    pub(super) call: ResumedLoneCall,
    pub(super) entries: Vec<ResumeEntry>,
}

pub(super) type McpCallOutcome = Result<SettledCall, LoneCallError>;

pub(super) trait McpToolHost: Send + Sync {
    /// Checks that the request has all values that the agent needs.
    fn check(&self, options: &RunOptions) -> Result<(), MissingRequestValue>;

    /// Makes a call, and reports progress if the client asked for reports.
    fn call(
        &self,
        call: McpClientCall,
        options: RunOptions,
        reports: Option<ProgressReporter>,
    ) -> BoxFuture<'static, McpCallOutcome>;
}

pub(super) struct AgentToolHost<A>(pub(super) Arc<A>);

impl<A: ToolSet> McpToolHost for AgentToolHost<A>
where
    A::State: Default,
{
    fn check(&self, options: &RunOptions) -> Result<(), MissingRequestValue> {
        A::Request::check(request_values(options))
    }

    fn call(
        &self,
        call: McpClientCall,
        options: RunOptions,
        reports: Option<ProgressReporter>,
    ) -> BoxFuture<'static, McpCallOutcome> {
        let McpClientCall { tool, arguments, thread, resumed, can_ask } = call;
        let run = format!("mcp-run-{:016x}", random_number(&tool));
        let mut input = RunAgentInput::new(&*thread, run, vec![]).with_protocol_version(PROTOCOL_VERSION);
        let resumed = resumed.map(|ResumedCall { call, entries }| {
            let made = ToolCall::new(call.call.clone(), FunctionCall::new(tool.as_str(), arguments.as_str()));
            input.messages = vec![AssistantMessage::new("mcp-call").with_tool_calls([made]).into()];
            input.resume = Some(entries.into());
            call
        });
        let call = LoneCall { tool, arguments, state: A::State::default(), resumed, can_ask };
        call.make(Arc::clone(&self.0), input, options, reports).boxed()
    }
}

/// Returns a thread id that no other connection has.
pub(super) fn new_thread() -> Arc<str> {
    format!("mcp-thread-{:016x}", random_number("mcp")).into()
}
