//! Calls to a tool known only by name.

use std::fmt;
use std::future::{Pending, pending};

use super::UntypedCall;
use super::open_call::{invoker, open};
use super::provider_id::provider_id;
use crate::agent::here::ForbiddenCall;
use crate::agent::tool::entry::public_names;
use crate::agent::tool::no_tool::NoTool;
use crate::agent::tool::{BoxedCall, ExecutionSide, StatePredictions, ToolOf};
use crate::agent::{Agent, Call, CallError, OpenPhase, PushArguments, Run, Stop, ToolSet};
use crate::emit::{Emit, IntoText, ParentReceipt, RunWrite, WriteFuture};
use crate::kernel::{EventFields, ParentMessage, WriteFields};
use crate::protocol::{ToolCallId, ToolSide};

/// A call to a tool known by name, before its start; awaiting sends TOOL_CALL_START, if there is such a tool; see
/// [`Run::open_call`].
pub type OpenNamedCall<'w, A> = WriteFuture<'w, StartNamedCall<'w, A, <A as ToolSet>::Open<'w>>>;

/// Write that opens a call to a tool known by name; see [`Run::open_call`].
pub struct StartNamedCall<'w, A: Agent, C> {
    call: NamedCall<'w, A>,
    /// Resolved where the write is made, so that an agent without a tool set gives one error rather than one for each use.
    open: fn(NamedCallOpening<'w, A>) -> Result<C, UnknownTool>,
}

struct NamedCall<'w, A: Agent> {
    run: &'w Run<A>,
    name: String,
    parent: Option<ParentMessage>,
    id: Option<ToolCallId>,
}

impl<'w, A: ToolSet> StartNamedCall<'w, A, A::Open<'w>> {
    pub(crate) fn new(run: &'w Run<A>, name: String) -> Self {
        Self { call: NamedCall { run, name, parent: None, id: None }, open: A::Open::open }
    }
}

impl<'w, A: Agent, C> WriteFuture<'w, StartNamedCall<'w, A, C>> {
    /// Names the assistant message that carries the call. By default, or if `message` has another role, the call gets its own
    /// message: only the assistant calls tools.
    pub fn parent(self, message: impl ParentReceipt) -> Self {
        let carrier = message.receipt().carrier();
        self.with(|start| start.call.parent = carrier)
    }

    provider_id!(call.id);
}

impl<'w, A: Agent, C> RunWrite<'w> for StartNamedCall<'w, A, C> {
    type Output = Result<C, UnknownTool>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Self::Output {
        (self.open)(NamedCallOpening { call: self.call, emit, fields })
    }
}

/// A call before it gets its tool's type. Code that `#[agent]` generates converts the call.
#[doc(hidden)]
pub struct NamedCallOpening<'w, A: Agent> {
    call: NamedCall<'w, A>,
    emit: &'w Emit,
    fields: WriteFields,
}

impl<'w, A: ToolSet> NamedCallOpening<'w, A> {
    /// `None` also for a private tool, which is opened by no name.
    #[doc(hidden)]
    #[must_use]
    pub fn place(&self) -> Option<usize> {
        let place = A::NAMES.iter().position(|name| *name == self.call.name)?;
        // A private tool has no call that clients see.
        A::ENTRIES.get(place).is_none_or(|entry| entry.private.is_none()).then_some(place)
    }

    #[doc(hidden)]
    pub fn call<T: ToolOf<A>>(self) -> Call<'w, A, T, OpenPhase> {
        Call::open(self.untyped(T::NAME, T::Side::SIDE, T::PREDICTIONS), invoker::<A, T>())
    }

    /// Tool-independent, so that it is compiled once for an agent.
    fn untyped(
        self,
        tool: &'static str,
        side: ToolSide,
        predictions: Option<fn() -> Box<StatePredictions<A>>>,
    ) -> UntypedCall<'w, A> {
        let NamedCall { run, parent, id, .. } = self.call;
        let call = open(run, self.emit, (tool, side), (parent, id), self.fields);
        call.with_predictions(predictions.map(|predictions| predictions()))
    }

    #[doc(hidden)]
    #[must_use]
    pub fn unknown(self) -> UnknownTool {
        UnknownTool { name: self.call.name, offered: public_names::<A>() }
    }
}

impl<A: Agent> fmt::Debug for NamedCallOpening<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Opening").field("tool", &self.call.name).finish_non_exhaustive()
    }
}

/// An open call to any of an agent's tools, from [`Run::open_call`].
///
/// `#[agent]` generates the implementing types, enums over [`Call`]s; see [`ToolSet`]. Dropping works as for a [`Call`].
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let mut call: ChefOpenCall<'_> = run.open_call("price").await?;
/// println!("{} calls {}", call.id(), call.tool());
/// call.push(r#"{"name":"rice"}"#).await;
/// run.dispatch(vec![call.end()?]).await;
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an open call of `{A}`",
    label = "not an open call",
    note = "open one by name: `let mut call = run.open_call(name).await?;`"
)]
// Without the bound `Send`, though all are: on an agent's enum it would report a path that is not a tool once more.
pub trait OpenToolCall<'w, A: Agent>: fmt::Debug + Sized {
    /// The ready call's type.
    type Ready;

    #[doc(hidden)]
    fn open(opening: NamedCallOpening<'w, A>) -> Result<Self, UnknownTool>;

    /// Appends to the arguments' JSON text: TOOL_CALL_ARGS. An empty text sends nothing.
    fn push(&mut self, delta: impl IntoText) -> WriteFuture<'_, PushArguments<'_>> {
        self.push_text(delta.into_text())
    }

    /// Completes the arguments: TOOL_CALL_END, immediately.
    ///
    /// # Errors
    /// [`CallError::Arguments`] if the text does not parse as the tool's arguments: see [`Call::end`].
    fn end(self) -> Result<Self::Ready, CallError> {
        self.complete(None)
    }

    /// Like [`end`](Self::end), with additional fields on TOOL_CALL_END.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    fn end_with(self, fields: EventFields) -> Result<Self::Ready, CallError> {
        self.complete(Some(Box::new(fields)))
    }

    #[doc(hidden)]
    fn untyped(&self) -> &UntypedCall<'_, A>;

    #[doc(hidden)]
    fn push_text(&mut self, delta: String) -> WriteFuture<'_, PushArguments<'_>>;

    #[doc(hidden)]
    fn complete(self, fields: Option<Box<EventFields>>) -> Result<Self::Ready, CallError>;

    #[doc(hidden)]
    fn boxed(self) -> BoxedCall<'w>;

    #[doc(hidden)]
    fn result<R>(&self, _: R) -> Pending<Result<(), Stop>>
    where
        ForbiddenCall: AllowsEarlyResult<R>,
    {
        pending()
    }

    #[doc(hidden)]
    fn fail<W>(&self, _: W) -> Pending<Result<(), Stop>>
    where
        ForbiddenCall: AllowsEarlyResult<W>,
    {
        pending()
    }

    #[doc(hidden)]
    fn run(&self) -> Pending<Result<(), Stop>>
    where
        ForbiddenCall: AllowsEarlyResult<Self>,
    {
        pending()
    }

    /// Returns the call id on the wire.
    fn id(&self) -> &ToolCallId {
        self.untyped().id()
    }

    /// Returns the tool's name.
    fn tool(&self) -> &'static str {
        self.untyped().tool()
    }
}

/// The agent has no tool with that name; nothing was sent; see [`Run::open_call`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", NoTool::new(.name, .offered.iter().copied()))]
#[non_exhaustive]
pub struct UnknownTool {
    /// The requested name.
    pub name: String,
    /// The names of the agent's tools, without private ones.
    pub offered: Vec<&'static str>,
}

/// Rule for a call whose tool is known by name. Nothing implements this trait.
#[diagnostic::on_unimplemented(
    message = "TOOL_CALL_RESULT before TOOL_CALL_END",
    label = "the arguments of this call are still being streamed",
    note = "end them first: `let call = call.end()?;`, then `run.dispatch(vec![call]).await`"
)]
pub trait AllowsEarlyResult<T: ?Sized> {}
