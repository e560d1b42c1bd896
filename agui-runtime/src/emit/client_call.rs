//! Calls of tools that the client declares and the agent does not know by type.

use std::fmt;

use super::emitter::SpanGuard;
use super::kernel::{CallStart, ParentMessage};
use super::pending::PendingCalls;
use super::provider_id::{fresh, provider_id};
use super::{Act, CallError, CallRef, Do, Emit, EventFields, Fields, IntoText, ParentReceipt, PushArguments};
use crate::manifest::ToolSide;
use crate::protocol::{Tool, ToolCallId};

impl Emit {
    /// Opens a call of a tool that the client declares in its input and the agent learns of only there: TOOL_CALL_START when
    /// awaited (AG-UI 1.0, section "Tool calls").
    ///
    /// For agents that hand their model whatever tools the page brings. A tool that is known beforehand is better written as
    /// `#[tool(frontend)]`: then its arguments and answers have types.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Uses the first tool there is.
    /// #[agent]
    /// async fn anything(run: &mut Run<Anything>, input: Input<Anything>) -> Result<(), Stop> {
    ///     if let Some(answer) = input.answer_text() {
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
        Do::new(self, StartClientCall { tool: tool.name.clone(), parent: None, id: None })
    }
}

/// A call of a client's tool about to be opened; awaiting it sends TOOL_CALL_START.
pub type OpenClientCall<'w> = Do<'w, StartClientCall>;

/// The act of opening a call of a client's tool.
#[derive(Debug)]
pub struct StartClientCall {
    tool: String,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
}

impl Do<'_, StartClientCall> {
    /// The assistant's message that carries the call in the conversation. The call gets a message of its own when not
    /// said, and when `message` is of another role: only the assistant calls tools.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.parent = carrier)
    }

    provider_id!(id);
}

impl<'w> Act<'w> for StartClientCall {
    type Output = ClientCall<'w>;

    fn act(self, emit: &'w Emit, fields: Fields) -> ClientCall<'w> {
        let Self { tool, parent, id } = self;
        let id = id.and_then(|id| fresh(emit, id));
        let start = CallStart { tool: tool.clone().into(), side: ToolSide::Frontend, parent, id };
        let (slot, id) = emit.act(|kernel, author| kernel.open_call(author, start, fields));
        ClientCall { span: SpanGuard::new(emit, slot), id, tool, arguments: String::new() }
    }
}

/// An open call of a client's tool, its arguments still streaming: what [`Emit::client_tool`] gives.
///
/// Like every call of a frontend tool it is not ended where it is dropped, since the client would act on half of its arguments; such
/// a run can only end in RUN_ERROR.
#[must_use = "a call that is dropped before its end fails the run"]
pub struct ClientCall<'w> {
    span: SpanGuard<'w>,
    id: ToolCallId,
    tool: String,
    arguments: String,
}

impl ClientCall<'_> {
    /// Appends to the JSON text of the arguments: TOOL_CALL_ARGS. An empty text sends nothing.
    pub fn push(&mut self, delta: impl IntoText) -> Do<'_, PushArguments<'_>> {
        let pushing = PushArguments::plain(self.span.slot(), delta.into_text(), &mut self.arguments);
        Do::new(self.span.emit(), pushing)
    }

    /// Completes the arguments: TOOL_CALL_END, at once. Give what it returns to
    /// [`Stop::await_frontend`](crate::Stop::await_frontend).
    ///
    /// # Errors
    /// [`CallError::NotJson`] when the text is not JSON; no text at all means no arguments. The call is not ended then, for the client
    /// would act on it.
    pub fn end(self) -> Result<PendingClientCall, CallError> {
        self.finish(None)
    }

    /// The same with fields of its own on TOOL_CALL_END.
    ///
    /// # Errors
    /// Those of [`end`](Self::end).
    pub fn end_with(self, fields: EventFields) -> Result<PendingClientCall, CallError> {
        self.finish(Some(Box::new(fields)))
    }

    fn finish(self, fields: Fields) -> Result<PendingClientCall, CallError> {
        let Self { span, id, tool, arguments } = self;
        if !arguments.trim().is_empty()
            && let Err(source) = serde_json::from_str::<serde::de::IgnoredAny>(&arguments)
        {
            return Err(CallError::NotJson { tool, source });
        }
        span.emit().hub().act(|kernel| kernel.end_arguments(span.slot(), fields));
        Ok(PendingClientCall { id, tool })
    }

    /// The id of the call on the wire.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    /// The receipt of the call, for what must name it when it has been given away.
    pub fn receipt(&self) -> CallRef {
        CallRef::new(self.id.clone())
    }
}

impl fmt::Debug for ClientCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientCall").field("tool", &self.tool).field("id", &self.id).finish_non_exhaustive()
    }
}

/// A call of a client's tool whose arguments are complete: the client answers it in the next run, where
/// [`Input::answer_text`](crate::Input::answer_text) reads what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "end the run with `return Err(Stop::await_frontend(call))` and let the client answer"]
pub struct PendingClientCall {
    /// The id of the call on the wire.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: String,
}

impl PendingCalls for PendingClientCall {
    fn into_ids(self) -> Vec<ToolCallId> {
        vec![self.id]
    }
}
