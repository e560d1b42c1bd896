//! Settled calls: a backend call with its result, or a pending frontend call.

use std::borrow::Cow;

use super::pending::PendingCalls;
#[cfg(doc)]
use super::ready_call::ReadyToolCall;
use crate::agent::tool::Tool;
use crate::agent::{PendingCall, Stop};
use crate::protocol::{ContentPart, ToolCallId};

/// Outcome from [`ReadyToolCall::settle`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::SettleOutcome;
///
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let mut call = run.open_call("price").await?;
/// call.push(r#"{"name":"rice"}"#).await;
/// match call.end()?.settle().await {
///     SettleOutcome::Settled(call) => assert_eq!(call.content, "180"),
///     SettleOutcome::Pending(call) => return Err(Stop::await_frontend(call)),
///     SettleOutcome::Stopped { stop, .. } => return Err(stop),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a call that waits for the user interface must be named by `Stop::await_frontend`"]
pub enum SettleOutcome {
    /// A backend tool ran, and TOOL_CALL_RESULT was sent.
    Settled(SettledCall),
    /// A frontend tool: the user interface sends the result in the next run.
    Pending(FrontendCall),
    /// The run must end: return the stop. Either the user must approve the call before it runs, or the tool returned a
    /// [fatal](Stop::fatal) error or a stop that is no error, such as a subagent's interrupt.
    Stopped {
        /// The call id on the wire.
        id: ToolCallId,
        /// The tool's name.
        tool: Cow<'static, str>,
        /// The run's end.
        stop: Stop,
    },
}

/// A call whose result this run has sent; see [`ReadyToolCall::settle`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SettledCall {
    /// The call id on the wire.
    pub id: ToolCallId,
    /// The tool's name.
    pub tool: Cow<'static, str>,
    /// TOOL_CALL_RESULT's content, for the model's next turn: JSON text, a string without quotes, or `{"error": "…"}`; the text
    /// from the [parts](Self::parts) if there are any.
    pub content: String,
    /// The content parts, if the tool returned [`ContentParts`](crate::tools::ContentParts); otherwise empty.
    pub parts: Vec<ContentPart>,
    /// True if the tool failed.
    pub failed: bool,
}

/// Any tool's frontend call: converted from a [`PendingCall`], so that calls to several tools fit into one list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "end the run with `return Err(Stop::await_frontend(calls))` and let the client answer"]
pub struct FrontendCall {
    /// The call id on the wire.
    pub id: ToolCallId,
    /// The tool's name.
    pub tool: &'static str,
}

impl<T: Tool> From<PendingCall<T>> for FrontendCall {
    fn from(call: PendingCall<T>) -> Self {
        Self { id: call.id().clone(), tool: T::NAME }
    }
}

impl PendingCalls for FrontendCall {
    fn into_ids(self) -> Vec<ToolCallId> {
        vec![self.id]
    }
}
