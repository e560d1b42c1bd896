use std::fmt;
use std::future::Future;

use futures::stream::FuturesUnordered;
use futures::{FutureExt, Stream, StreamExt};

use super::PendingCall;
use super::pending::PendingCalls;
use crate::protocol::{ContentPart, ToolCallId};
use crate::tool::Tool;

/// A call of one of an agent's tools, its arguments complete: what ending an [open one](super::OpenToolCall) gives.
///
/// `#[agent]` writes the types that implement it, enums of [`ToolCall`](super::ToolCall)s and [`PendingCall`]s; see
/// [`ToolSet`](super::ToolSet). Give them to [`Run::dispatch`](super::Run::dispatch), or match on one to treat it your
/// own way:
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Looks up what something costs, in cents.
/// #[tool]
/// async fn price(name: String) -> u32 {
///     180
/// }
///
/// /// Asks the person whether that is all.
/// #[tool(frontend)]
/// async fn checkout(total: u32) -> bool;
///
/// /// Sells things.
/// #[agent(tools = [price, checkout])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     let mut call = run.open_call("price").await?;
///     call.push(r#"{"name":"rice"}"#).await;
///     match call.end()? {
///         ClerkReadyCall::price(call) if call.arguments().name.is_empty() => call.fail("of what?").await,
///         ClerkReadyCall::checkout(ask) => return Err(Stop::await_frontend(ask)),
///         other => drop(run.dispatch(vec![other]).await),
///     }
///     Ok(())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a call whose arguments are complete",
    label = "not a ready call",
    note = "end an open call: `let call = call.end()?;`"
)]
// Not `Send` by name, like open calls.
pub trait ReadyToolCall: fmt::Debug + Sized {
    /// Does what is to be done about it: runs the function of a backend tool and answers the call with what it returns,
    /// leaves the call of a frontend tool to the user interface.
    fn settle(self) -> impl Future<Output = Settled> + Send;

    /// The id of the call on the wire.
    fn id(&self) -> &ToolCallId;

    /// The name of the tool.
    fn tool(&self) -> &'static str;
}

/// A call that can be settled: what [`Run::dispatch`](super::Run::dispatch) takes.
///
/// Every [`ReadyToolCall`] is one, and nothing else:
///
/// ```compile_fail,E0277
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let call = run.open_call("price").await?;
/// run.dispatch(vec![call]).await;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "TOOL_CALL_RESULT before TOOL_CALL_END",
    label = "the arguments of these calls are not complete",
    note = "end each first: `let call = call.end()?;`, then `run.dispatch(vec![call]).await`"
)]
pub trait Complete: ReadyToolCall {}

#[diagnostic::do_not_recommend]
impl<C: ReadyToolCall> Complete for C {}

/// What became of a call: what [`ReadyToolCall::settle`] gives.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::Settled;
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
///     Settled::Answered(call) => assert_eq!(call.content, "180"),
///     Settled::Pending(call) => return Err(Stop::await_frontend(call)),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "a call that waits for the user interface must be named by `Stop::await_frontend`"]
pub enum Settled {
    /// A backend tool ran, and TOOL_CALL_RESULT was sent.
    Answered(AnsweredCall),
    /// A frontend tool: the user interface answers, in the next run.
    Pending(FrontendCall),
}

/// A call that was answered in this run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnsweredCall {
    /// The id of the call on the wire.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: &'static str,
    /// What TOOL_CALL_RESULT said, for the model to go on with: JSON text, a string as it is, or `{"error": "…"}`; the text of the
    /// [parts](Self::parts), if it said parts.
    pub content: String,
    /// What it said, if the tool returned [`Parts`](crate::Parts); otherwise none.
    pub parts: Vec<ContentPart>,
    /// Whether the tool failed.
    pub failed: bool,
}

/// A frontend call whatever its tool: what a [`PendingCall`] becomes where calls of several tools stand in one list.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "end the run with `return Err(Stop::await_frontend(calls))` and let the client answer"]
pub struct FrontendCall {
    /// The id of the call on the wire.
    pub id: ToolCallId,
    /// The name of the tool.
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

/// What became of the calls given to [`Run::dispatch`](super::Run::dispatch), each list in the order they were given.
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
/// let mut call = run.open_call("price").await?;
/// call.push(r#"{"name":"rice"}"#).await;
/// let done = run.dispatch(vec![call.end()?]).await;
/// for call in &done.answered {
///     run.say(format!("{}: {}", call.tool, call.content)).await; // or the model's next message
/// }
/// if !done.pending.is_empty() {
///     return Err(Stop::await_frontend(done.pending));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
#[non_exhaustive]
#[must_use = "a call that waits for the user interface must be named by `Stop::await_frontend`"]
pub struct Dispatched {
    /// Calls of backend tools, with what the model is to be told.
    pub answered: Vec<AnsweredCall>,
    /// Calls of frontend tools. When there are any, end the run: `return Err(Stop::await_frontend(done.pending))`.
    pub pending: Vec<FrontendCall>,
}

pub(super) fn dispatch<C: ReadyToolCall>(calls: Vec<C>) -> impl Future<Output = Dispatched> + Send {
    let numbered = |(number, call): (usize, C)| call.settle().map(move |settled| (number, settled));
    let running: FuturesUnordered<_> = calls.into_iter().enumerate().map(numbered).collect();
    collect(running)
}

async fn collect(running: impl Stream<Item = (usize, Settled)>) -> Dispatched {
    let mut settled: Vec<_> = running.collect().await;
    settled.sort_by_key(|(number, _)| *number);
    let mut done = Dispatched::default();
    for (_, call) in settled {
        match call {
            Settled::Answered(call) => done.answered.push(call),
            Settled::Pending(call) => done.pending.push(call),
        }
    }
    done
}
