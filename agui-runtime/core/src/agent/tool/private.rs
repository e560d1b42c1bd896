//! Calls that are the model's alone: no event shows the call or its result.

use std::fmt;
use std::panic::AssertUnwindSafe;

use futures_util::FutureExt;
use tracing::Instrument;

use super::call::RunningTool;
use super::call::open_call::invoke;
use super::{
    InjectScope, InvokeTool, SettleOutcome, SettlingCall, ToolFailure, failure_content, read_arguments,
};
use crate::agent::{Agent, Run, SettledCall, Stop, discard};
use crate::emit::Emit;
use crate::manifest::ToolSource;
use crate::protocol::{Content, ToolCallId};
use crate::quoted::quoted;
use crate::telemetry::Operation;

/// Runs a private call, given the arguments' JSON text.
type PrivateCallFn<A> = for<'w> fn(&'w Run<A>, ToolCallId, &str) -> SettlingCall<'w>;

/// A private tool, without the tool's type.
#[doc(hidden)]
pub struct PrivateTool<A: Agent> {
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop calls private tools"))]
    pub(crate) call: PrivateCallFn<A>,
    #[cfg_attr(
        not(feature = "model"),
        allow(dead_code, reason = "only the model loop offers private tools")
    )]
    pub(crate) source: fn() -> ToolSource,
}

impl<A: Agent> Clone for PrivateTool<A> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<A: Agent> Copy for PrivateTool<A> {}

impl<A: Agent> fmt::Debug for PrivateTool<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateTool").finish_non_exhaustive()
    }
}

/// Returns a tool's private side, for code that `#[tool(private)]` generates.
#[doc(hidden)]
#[must_use]
pub const fn private_tool<A: Agent, T: InvokeTool<A>>() -> PrivateTool<A> {
    PrivateTool { call: private_call::<A, T>, source: T::source }
}

/// Runs a private tool's function, and returns the content for the model. Nothing is sent.
fn private_call<'w, A: Agent, T: InvokeTool<A>>(
    run: &'w Run<A>,
    id: ToolCallId,
    arguments: &str,
) -> SettlingCall<'w> {
    let tool = match read_arguments::<T>(arguments) {
        Ok(tool) => tool,
        Err(unread) => {
            let settled = settled(id, T::NAME, &failure_content(&unread.to_string()).into(), true);
            return Box::pin(std::future::ready(settled));
        }
    };
    let running = invoke(tool, InjectScope::new(run, id.clone(), T::NAME), None);
    settle_in_private(run, id, T::NAME, running)
}

fn settled(id: ToolCallId, tool: &'static str, content: &Content, failed: bool) -> SettleOutcome {
    let parts = match content {
        Content::Parts(parts) => parts.clone(),
        Content::Text(_) => Vec::new(),
    };
    let content = content.text().into_owned();
    SettleOutcome::Settled(SettledCall { id, tool: tool.into(), content, parts, failed })
}

/// Waits for the tool's function. The span and the log have the tool's name and the class of a failure, and no content.
fn settle_in_private<'w>(
    emit: &'w Emit,
    id: ToolCallId,
    tool: &'static str,
    running: RunningTool<'w>,
) -> SettlingCall<'w> {
    Box::pin(async move {
        emit.shared().written().await;
        emit.count(|counts| counts.tool_calls += 1);
        let mut operation = Operation::execute_tool(tool.into(), &id);
        let ran = AssertUnwindSafe(running).catch_unwind().instrument(operation.span()).await;
        let (content, stop) = match ran {
            Ok((Ok(content), stop)) => {
                operation.succeed();
                return match stop {
                    Some(_) => stopped(id, tool),
                    None => settled(id, tool, &content, false),
                };
            }
            Ok((Err(failure), stop)) => {
                let class = failure.error_type().unwrap_or("interrupt");
                operation.fail(class);
                log(emit, &id, tool, class);
                let asks = matches!(failure, ToolFailure::Suspended(_));
                (failure.content(tool, emit.shared().reveals_errors()), stop.is_some() || asks)
            }
            Err(panic) => {
                operation.fail("panic");
                log(emit, &id, tool, "panic");
                discard(panic);
                (failure_content(&format!("the tool `{tool}` failed")), false)
            }
        };
        if stop { stopped(id, tool) } else { settled(id, tool, &content.into(), true) }
    })
}

/// Ends the run without the tool's own words, which may have the values that it read.
fn stopped(id: ToolCallId, tool: &'static str) -> SettleOutcome {
    let stop = Stop::error("a tool ended the run").with_code("tool_failed");
    SettleOutcome::Stopped { id, tool: tool.into(), stop }
}

fn log(emit: &Emit, id: &ToolCallId, tool: &str, class: &str) {
    let input = emit.hub().input();
    let (run_id, thread_id) = (quoted(&input.run_id), quoted(&input.thread_id));
    tracing::warn!(%run_id, %thread_id, tool, tool_call_id = %quoted(id), class, "a private tool failed");
}
