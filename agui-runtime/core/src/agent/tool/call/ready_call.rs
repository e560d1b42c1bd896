//! Ready calls, as the types that `#[agent]` generates implement them.

use std::fmt;

use futures_util::future::BoxFuture;

use super::settled::SettleOutcome;
#[cfg(doc)]
use crate::agent::PendingCall;
use crate::agent::tool::policy::SettlementStage;
use crate::protocol::ToolCallId;

/// A ready call to any of an agent's tools, from an ended [open call](crate::OpenToolCall).
///
/// `#[agent]` generates the implementing types, enums over [`Call`](super::Call)s and [`PendingCall`]s; see
/// [`ToolSet`](crate::ToolSet). Pass them to [`Run::dispatch`](crate::Run::dispatch), or match on one to handle the call yourself:
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
    /// Settles the call: runs a backend tool's function and sends the result, or leaves a frontend call to the user interface.
    ///
    /// ```
    /// # use agui_runtime::prelude::*;
    /// # /// Looks up what something costs.
    /// # #[tool]
    /// # async fn price(name: String) -> u32 { 180 }
    /// # /// Cooks with you.
    /// # #[agent(tools = [price])]
    /// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
    /// use agui_runtime::tools::SettleOutcome;
    ///
    /// let mut call = run.open_call("price").await?;
    /// call.push(r#"{"name":"rice"}"#).await;
    /// let settled = call.end()?.settle().await;
    /// assert!(matches!(settled, SettleOutcome::Settled(call) if call.content == "180"));
    /// # Ok(())
    /// # }
    /// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
    /// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
    /// ```
    ///
    /// A generic function that returns the future names its lifetime: `fn settled<'w, C: ReadyToolCall + 'w>(call: C) ->
    /// BoxFuture<'w, Settled>`.
    fn settle<'w>(self) -> BoxFuture<'w, SettleOutcome>
    where
        Self: 'w,
    {
        self.decide().settle()
    }

    #[doc(hidden)]
    fn decide<'w>(self) -> SettlementStage<'w>
    where
        Self: 'w;

    /// Returns the call id on the wire.
    fn id(&self) -> &ToolCallId {
        self.head().id
    }

    #[doc(hidden)]
    fn head(&self) -> CallHead<'_>;

    /// Returns the tool's name.
    fn tool(&self) -> &'static str {
        self.head().tool
    }
}

/// Members that every ready call has.
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
/// use agui_runtime::tools::{DispatchableCall, DispatchOutcome};
///
/// /// Settles calls, and tells the user how many.
/// async fn settle<A: ToolSet, C: DispatchableCall>(run: &Run<A>, calls: Vec<C>) -> DispatchOutcome {
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
/// assert_eq!(done.settled[0].content, "180");
/// # Ok(())
/// # }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Chef::new(), agui_runtime::testing::input("Rice?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
///
/// Only a [`ReadyToolCall`] implements this trait:
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
pub trait DispatchableCall: ReadyToolCall {}

#[diagnostic::do_not_recommend]
impl<C: ReadyToolCall> DispatchableCall for C {}
