//! Calls to tools that the client declares and the agent does not know by type.

use std::fmt;

use super::open_call::open_span;
use super::pending::PendingCalls;
use super::provider_id::provider_id;
use crate::agent::{CallError, PushArguments};
use crate::emit::{CallRef, Emit, IntoText, ParentReceipt, RunWrite, SpanGuard, WriteFuture};
use crate::kernel::{CallStart, EventFields, ParentMessage, WriteFields};
use crate::protocol::{Tool, ToolCallId, ToolSide};

impl Emit {
    /// Opens a call to a tool that only the client's input declares: TOOL_CALL_START when awaited (AG-UI 1.0, section "Tool
    /// calls").
    ///
    /// For agents that offer their model all page tools. If you know a tool beforehand, write `#[tool(frontend)]`: then arguments
    /// and results have types.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Uses the first tool there is.
    /// #[agent]
    /// async fn anything(run: &mut Run<Anything>, input: Input<Anything>) -> Result<(), Stop> {
    ///     if let Some(answer) = input.tool_result_text() {
    ///         run.say(format!("The page says {answer}.")).await;
    ///         return Ok(());
    ///     }
    ///     let Some(tool) = input.tools().first() else { return Ok(()) };
    ///     let mut call = run.client_tool(tool).await;
    ///     for piece in [r#"{"que"#, r#"ry":"rice"}"#] {
    ///         call.push(piece).await;
    ///     }
    ///     Err(Stop::await_frontend(call.end()?))
    /// }
    /// # use agui_runtime::protocol::{RunAgentInput, Tool as ClientTool};
    /// # let input = RunAgentInput::new("thread", "run", vec![]).with_tools([ClientTool::new("search", "Searches the page.")]);
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Anything::new(), input));
    /// # assert_eq!(events.len(), 6);
    /// ```
    pub fn client_tool(&self, tool: &Tool) -> OpenClientCall<'_> {
        WriteFuture::new(self, StartClientCall { tool: tool.name.clone(), parent: None, id: None })
    }
}

/// A client tool's call before its start; awaiting sends TOOL_CALL_START; see [`Emit::client_tool`].
pub type OpenClientCall<'w> = WriteFuture<'w, StartClientCall>;

/// Write that opens a client tool's call; see [`Emit::client_tool`].
#[derive(Debug)]
pub struct StartClientCall {
    tool: String,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
}

impl WriteFuture<'_, StartClientCall> {
    /// Names the assistant message that carries the call. By default, or if `message` has another role, the call gets its own
    /// message: only the assistant calls tools.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.parent = carrier)
    }

    provider_id!(id);
}

impl<'w> RunWrite<'w> for StartClientCall {
    type Output = ClientCall<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> ClientCall<'w> {
        let Self { tool, parent, id } = self;
        let (span, id) = open_span(
            emit,
            CallStart { tool: tool.clone().into(), side: ToolSide::Frontend, parent, id },
            fields,
        );
        ClientCall { span, id, tool, arguments: String::new() }
    }
}

/// A client tool's open call, from [`Emit::client_tool`].
///
/// Like every frontend call, a dropped call is not ended, because the client would act on partial arguments; such a run can only
/// end in RUN_ERROR.
#[must_use = "a call that is dropped before its end fails the run"]
pub struct ClientCall<'w> {
    span: SpanGuard<'w>,
    id: ToolCallId,
    tool: String,
    arguments: String,
}

impl ClientCall<'_> {
    /// Appends to the arguments' JSON text: TOOL_CALL_ARGS. An empty text sends nothing.
    pub fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushArguments<'_>> {
        let pushing = PushArguments::plain(self.span.slot(), delta.into_text(), &mut self.arguments);
        WriteFuture::new(self.span.emit(), pushing)
    }

    /// Completes the arguments: TOOL_CALL_END, immediately. Pass the pending call to
    /// [`Stop::await_frontend`](crate::Stop::await_frontend).
    ///
    /// # Errors
    /// [`CallError::NotJson`] if the text is not JSON; an empty text means no arguments. The call is not ended then, because the
    /// client would act on it.
    pub fn end(self) -> Result<PendingClientCall, CallError> {
        self.finish(None)
    }

    /// Like [`end`](Self::end), with additional fields on TOOL_CALL_END.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    pub fn end_with(self, fields: EventFields) -> Result<PendingClientCall, CallError> {
        self.finish(Some(Box::new(fields)))
    }

    fn finish(self, fields: WriteFields) -> Result<PendingClientCall, CallError> {
        let Self { span, id, tool, arguments } = self;
        if !arguments.trim().is_empty()
            && let Err(source) = serde_json::from_str::<serde::de::IgnoredAny>(&arguments)
        {
            return Err(CallError::NotJson { tool, source });
        }
        span.emit().hub().act(|kernel| kernel.end_arguments(span.slot(), fields));
        Ok(PendingClientCall { id, tool })
    }

    /// Returns the call id on the wire.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// Returns the call's receipt, for writes that name the call after it was moved.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id.clone())
    }
}

impl fmt::Debug for ClientCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCall").field("tool", &self.tool).field("id", &self.id).finish_non_exhaustive()
    }
}

/// A client tool's pending call: the client sends the result in the next run, where
/// [`Input::tool_result_text`](crate::Input::tool_result_text) returns the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "end the run with `return Err(Stop::await_frontend(call))` and let the client answer"]
pub struct PendingClientCall {
    /// The call id on the wire.
    pub id: ToolCallId,
    /// The tool's name.
    pub tool: String,
}

impl PendingCalls for PendingClientCall {
    fn into_ids(self) -> Vec<ToolCallId> {
        vec![self.id]
    }
}
