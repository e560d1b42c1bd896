use std::fmt;
use std::future::{Pending, pending};

use super::kernel::ParentMessage;
use super::open_call::StartCall;
use super::provider_id::provider_id;
use super::signpost::{Answers, Here};
use super::{
    Act, CallError, Do, Emit, EventFields, Fields, IntoText, ParentReceipt, PushArguments, Run, Streaming,
    ToolCall, ToolSet,
};
use crate::agent::{Agent, Stop};
use crate::protocol::ToolCallId;
use crate::tool::{Tool, ToolOf};

/// A call of a tool known by name about to be opened; awaiting it sends TOOL_CALL_START, if there is such a tool.
pub type OpenNamedCall<'w, A> = Do<'w, StartNamedCall<'w, A>>;

/// The act of opening a call of a tool known by name.
pub struct StartNamedCall<'w, A: Agent> {
    run: &'w Run<A>,
    name: String,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
}

impl<'w, A: ToolSet> StartNamedCall<'w, A> {
    pub(super) fn new(run: &'w Run<A>, name: String) -> Self {
        Self { run, name, parent: None, id: None }
    }
}

impl<'w, A: ToolSet> Do<'w, StartNamedCall<'w, A>> {
    /// The assistant's message that carries the call in the conversation. The call gets a message of its own when not
    /// said, and when `message` is of another role: only the assistant calls tools.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let message = run.say("Let me look.").await;
    /// let mut call = run.open_call("price").parent(&message).await?;
    /// call.push(r#"{"name":"rice"}"#).await;
    /// run.dispatch(vec![call.end()?]).await;
    /// # Ok(())
    /// # }
    /// ```
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.parent = carrier)
    }

    provider_id!(id);
}

impl<'w, A: ToolSet> Act<'w> for StartNamedCall<'w, A> {
    type Output = Result<A::Open<'w>, UnknownTool>;

    fn act(self, emit: &'w Emit, fields: Fields) -> Self::Output {
        A::Open::open(Opening { start: self, emit, fields })
    }
}

/// A call about to get the type of its tool. What `#[agent]` writes makes one of it.
#[doc(hidden)]
pub struct Opening<'w, A: Agent> {
    start: StartNamedCall<'w, A>,
    emit: &'w Emit,
    fields: Fields,
}

impl<'w, A: ToolSet> Opening<'w, A> {
    #[doc(hidden)]
    #[must_use]
    pub fn is<T: Tool>(&self) -> bool {
        self.start.name == T::NAME
    }

    #[doc(hidden)]
    pub fn call<T: ToolOf<A>>(self) -> ToolCall<'w, A, T, Streaming> {
        let StartNamedCall { run, parent, id, .. } = self.start;
        StartCall::new(run).with(parent, id).act(self.emit, self.fields)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn unknown(self) -> UnknownTool {
        UnknownTool { name: self.start.name, offered: A::NAMES }
    }
}

impl<A: Agent> fmt::Debug for Opening<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("tool", &self.start.name).finish_non_exhaustive()
    }
}

/// A call of one of an agent's tools, its arguments still streaming: what [`Run::open_call`] gives.
///
/// `#[agent]` writes the types that implement it, enums of [`ToolCall`]s; see [`ToolSet`]. What is said of a dropped
/// [`ToolCall`] holds for these too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an open call of `{A}`",
    label = "not an open call",
    note = "open one by name: `let mut call = run.open_call(name).await?;`"
)]
// Not `Send` by name, though all are: asked of an agent's enum, it would report a path that is no tool once more.
pub trait OpenToolCall<'w, A: Agent>: fmt::Debug + Sized {
    /// What it becomes once its arguments are complete.
    type Ready;

    #[doc(hidden)]
    fn open(opening: Opening<'w, A>) -> Result<Self, UnknownTool>;

    /// Appends to the JSON text of the arguments: TOOL_CALL_ARGS. An empty text sends nothing.
    fn push(&mut self, delta: impl IntoText) -> Do<'_, PushArguments<'_>>;

    /// Completes the arguments: TOOL_CALL_END, at once.
    ///
    /// # Errors
    /// [`CallError::Arguments`] when the text does not read as the tool's arguments: see [`ToolCall::end`].
    fn end(self) -> Result<Self::Ready, CallError>;

    /// The same with fields of its own on TOOL_CALL_END.
    ///
    /// # Errors
    /// Those of [`end`](Self::end).
    fn end_with(self, fields: EventFields) -> Result<Self::Ready, CallError>;

    #[doc(hidden)]
    fn result<R>(&self, _: R) -> Pending<Result<(), Stop>>
    where
        Here: Answers<R>,
    {
        pending()
    }

    #[doc(hidden)]
    fn fail<W>(&self, _: W) -> Pending<Result<(), Stop>>
    where
        Here: Answers<W>,
    {
        pending()
    }

    #[doc(hidden)]
    fn run(&self) -> Pending<Result<(), Stop>>
    where
        Here: Answers<Self>,
    {
        pending()
    }

    /// The id of the call on the wire.
    fn id(&self) -> &ToolCallId;

    /// The name of the tool.
    fn tool(&self) -> &'static str;
}

/// A name that is none of the agent's tools; nothing was sent.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let error = run.open_call("prize").await.unwrap_err();
/// assert_eq!(error.to_string(), "there is no tool `prize`; there is: `price`");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no tool `{name}`; {}", there_is(.offered))]
#[non_exhaustive]
pub struct UnknownTool {
    /// The name somebody asked for.
    pub name: String,
    /// The names of the agent's tools.
    pub offered: &'static [&'static str],
}

fn there_is(offered: &[&str]) -> String {
    match offered {
        [] => "the agent has none".to_owned(),
        names => format!("there is: `{}`", names.join("`, `")),
    }
}
