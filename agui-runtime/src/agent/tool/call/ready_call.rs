//! A call whose arguments are complete, as the types that `#[agent]` generates implement it.

use std::fmt;

use futures_util::future::BoxFuture;

use super::settled::Settled;
#[cfg(doc)]
use crate::agent::PendingCall;
use crate::agent::tool::policy::Decided;
use crate::protocol::ToolCallId;

/// A call of one of an agent's tools with complete arguments: the result of ending an [open call](crate::agent::tool::OpenToolCall).
///
/// `#[agent]` generates the types that implement it, enums of [`Call`](crate::agent::tool::Call)s and [`PendingCall`]s; see
/// [`ToolSet`](crate::agent::tool::ToolSet). Pass them to [`Run::dispatch`](crate::Run::dispatch), or match on one to handle it
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
    ///
    /// A generic function that returns the future names its lifetime:
    /// `fn settled<'w, C: ReadyToolCall + 'w>(call: C) -> BoxFuture<'w, Settled>`.
    fn settle<'w>(self) -> BoxFuture<'w, Settled>
    where
        Self: 'w,
    {
        self.decide().settle()
    }

    #[doc(hidden)]
    fn decide<'w>(self) -> Decided<'w>
    where
        Self: 'w;

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
