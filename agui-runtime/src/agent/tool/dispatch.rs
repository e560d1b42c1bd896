//! Concurrent calls: backend calls run side by side, frontend calls stay pending.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;

use futures::stream::FuturesUnordered;
use futures::{FutureExt, Stream, StreamExt};

use super::pending::PendingCalls;
use crate::agent::tool::Tool;
use crate::agent::{PendingCall, Stop};
use crate::protocol::{ContentPart, ToolCallId};

/// A call of one of an agent's tools with complete arguments: the result of ending an [open call](super::OpenToolCall).
///
/// `#[agent]` generates the types that implement it, enums of [`Call`](super::Call)s and [`PendingCall`]s; see
/// [`ToolSet`](super::ToolSet). Pass them to [`Run::dispatch`](crate::Run::dispatch), or match on one to handle it
/// yourself:
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
// Without the bound `Send`, like open calls.
pub trait ReadyToolCall: fmt::Debug + Sized {
    /// Settles the call: runs the function of a backend tool and answers the call with its result, or leaves the call
    /// of a frontend tool to the user interface.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// use agui_runtime::tools::Settled;
    ///
    /// let mut call = run.open_call("price").await?;
    /// call.push(r#"{"name":"rice"}"#).await;
    /// let settled = call.end()?.settle().await;
    /// assert!(matches!(settled, Settled::Answered(call) if call.content == "180"));
    /// # Ok(())
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
    /// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
    /// ```
    fn settle(self) -> impl Future<Output = Settled> + Send;

    /// Returns the id of the call on the wire.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let mut call = run.open_call("price").await?;
    /// let opened = call.id().clone();
    /// call.push(r#"{"name":"rice"}"#).await;
    /// let ready = call.end()?;
    /// assert_eq!(ready.id(), &opened);
    /// run.dispatch(vec![ready]).await;
    /// # Ok(())
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
    /// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
    /// ```
    fn id(&self) -> &ToolCallId {
        self.head().id
    }

    #[doc(hidden)]
    fn head(&self) -> CallHead<'_>;

    /// Returns the name of the tool.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// let mut call = run.open_call("price").await?;
    /// call.push(r#"{"name":"rice"}"#).await;
    /// let ready = call.end()?;
    /// assert_eq!(ready.tool(), "price");
    /// run.dispatch(vec![ready]).await;
    /// # Ok(())
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
    /// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
    /// ```
    fn tool(&self) -> &'static str {
        self.head().tool
    }
}

/// The members that every call with complete arguments has.
#[doc(hidden)]
#[derive(Debug)]
pub struct CallHead<'c> {
    pub(crate) id: &'c ToolCallId,
    pub(crate) tool: &'static str,
    /// True if the user must approve the call before it runs.
    pub(crate) asks: bool,
}

/// A call that [`Run::dispatch`](crate::Run::dispatch) can settle.
///
/// ```
/// use agui_runtime::ToolSet;
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::{Complete, Dispatched};
///
/// /// Settles calls, and tells the user how many.
/// async fn settle<A: ToolSet, C: Complete>(run: &Run<A>, calls: Vec<C>) -> Dispatched {
///     run.say(format!("{} calls.", calls.len())).await;
///     run.dispatch(calls).await
/// }
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// let mut call = run.open_call("price").await?;
/// call.push(r#"{"name":"rice"}"#).await;
/// let done = settle(run, vec![call.end()?]).await;
/// assert_eq!(done.answered[0].content, "180");
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
///
/// Only a [`ReadyToolCall`] implements it:
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

/// The result of [`ReadyToolCall::settle`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::Settled;
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
///     Settled::Stopped { stop, .. } => return Err(stop),
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
    /// The run must end: return the stop. The user must approve the call before it runs, or the tool returned an error
    /// that is [fatal](Stop::fatal), or another stop that is no error, such as the question of a subagent.
    Stopped {
        /// The id of the call on the wire.
        id: ToolCallId,
        /// The name of the tool.
        tool: Cow<'static, str>,
        /// The end of the run.
        stop: Stop,
    },
}

/// A call that was answered in this run.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// use agui_runtime::protocol::{Message, ToolMessage};
/// use agui_runtime::tools::AnsweredCall;
///
/// /// The message for the model's next turn.
/// fn message(call: AnsweredCall) -> Message {
///     ToolMessage::new(format!("result of {}", call.id), call.content, call.id).into()
/// }
///
/// let mut call = run.open_call("price").await?;
/// call.push(r#"{"name":"rice"}"#).await;
/// let done = run.dispatch(vec![call.end()?]).await;
/// let messages: Vec<_> = done.answered.into_iter().map(message).collect();
/// assert_eq!(messages.len(), 1);
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AnsweredCall {
    /// The id of the call on the wire.
    pub id: ToolCallId,
    /// The name of the tool.
    pub tool: Cow<'static, str>,
    /// The content of TOOL_CALL_RESULT, for the model's next turn: JSON text, a string without quotes, or
    /// `{"error": "…"}`; the text of the [parts](Self::parts) if there are any.
    pub content: String,
    /// The parts of the content, if the tool returned [`Parts`](crate::tools::Parts); otherwise empty.
    pub parts: Vec<ContentPart>,
    /// True if the tool failed.
    pub failed: bool,
}

/// A frontend call of any tool: converted from a [`PendingCall`], so that calls of several tools fit into one list.
///
/// ```
/// # use agui_runtime::prelude::*;
/// # /// Asks the person whether that is all.
/// # #[tool(frontend)]
/// # async fn checkout(total: u32) -> bool;
/// # /// Sells things.
/// # #[agent(tools = [checkout])]
/// # async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
/// use agui_runtime::tools::FrontendCall;
///
/// let ask = run.call(checkout { total: 180 }).await?;
/// let calls: Vec<FrontendCall> = vec![ask.into()]; // calls of other tools fit in too
/// assert_eq!(calls[0].tool, "checkout");
/// # if true {
/// return Err(Stop::await_frontend(calls));
/// # }
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
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

/// The results of the calls given to [`Run::dispatch`](crate::Run::dispatch), each list in the order of the calls.
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
/// if let Some(stop) = done.stop {
///     return Err(stop); // a question, or a fatal error
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
    /// Calls of backend tools, with the content for the model.
    pub answered: Vec<AnsweredCall>,
    /// Calls of frontend tools. If there are any, end the run: `return Err(Stop::await_frontend(done.pending))`.
    pub pending: Vec<FrontendCall>,
    /// The end of the run, if a call must be approved or a tool ended the run: `return Err(stop)`. The stops of several
    /// calls are [joined](Stop::and).
    pub stop: Option<Stop>,
}

pub(crate) fn dispatch<C: ReadyToolCall>(calls: Vec<C>) -> impl Future<Output = Dispatched> + Send {
    settle_all(calls.into_iter().map(ReadyToolCall::settle))
}

/// Settles calls side by side.
pub(crate) fn settle_all<F: Future<Output = Settled> + Send>(
    calls: impl Iterator<Item = F>,
) -> impl Future<Output = Dispatched> + Send {
    let numbered = |(number, call): (usize, F)| call.map(move |settled| (number, settled));
    let running: FuturesUnordered<_> = calls.enumerate().map(numbered).collect();
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
            Settled::Stopped { stop, .. } => {
                done.stop = Some(match done.stop.take() {
                    Some(before) => before.and(stop),
                    None => stop,
                });
            }
        }
    }
    done
}
