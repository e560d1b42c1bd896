//! An agent's tools as one enum.

use std::fmt;

use super::call::named_call::{NamedCallOpening, OpenToolCall, UnknownTool};
use super::call::ready_call::{CallHead, ReadyToolCall};
use super::policy::SettlementStage;
use super::{BoxedCall, ToolEntry, UntypedCall};
use crate::agent::{Agent, CallError, PushArguments};
use crate::emit::WriteFuture;
use crate::kernel::EventFields;

/// An agent's tools as a closed set, from which a model chooses by name. `#[agent]` implements this trait for every agent.
///
/// Call types are enums with one variant for each tool, named after the tool. For `struct Chef` the enums are `ChefOpenCall` and
/// `ChefReadyCall`; in generic code they are `A::Open<'_>` and `A::Ready<'_>`.
#[doc = include_str!("../../docs/calls.md")]
/// # For any agent
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::ToolSet;
///
/// /// Makes the call that a model chose, for any agent.
/// async fn relay<'r, A: ToolSet>(
///     run: &'r Run<A>,
///     name: &str,
///     arguments: &str,
/// ) -> Result<A::Ready<'r>, Stop> {
///     let mut call = run.open_call(name).await?;
///     call.push(arguments).await;
///     Ok(call.end()?)
/// }
/// # /// Looks up what something costs.
/// # #[tool]
/// # async fn price(name: String) -> u32 { 180 }
/// # /// Cooks with you.
/// # #[agent(tools = [price])]
/// # async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<(), Stop> {
/// assert_eq!(Chef::NAMES, ["price"]);
/// let call = relay(run, "price", r#"{"name":"rice"}"#).await?;
/// run.dispatch(vec![call]).await;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no list of tools for a model to choose from",
    label = "has no closed set of tools",
    note = "`#[agent(tools = [..])]` writes it; an agent whose `Agent` is written by hand names its tools itself: \
            `run.tool::<price>()`, `run.call(price {{ .. }})`"
)]
pub trait ToolSet: Agent {
    /// Tool names, in the agent's list order.
    const NAMES: &'static [&'static str];

    /// Tool facts, in the same order.
    #[doc(hidden)]
    const ENTRIES: &'static [ToolEntry<Self>] = &[];

    /// An open call to any of the tools.
    type Open<'w>: OpenToolCall<'w, Self, Ready = Self::Ready<'w>>;

    /// A ready call to any of the tools.
    type Ready<'w>: ReadyToolCall;
}

/// A call for an agent without tools, which cannot exist; see [`ToolSet`].
pub enum NoCall {}

impl<'w, A: ToolSet> OpenToolCall<'w, A> for NoCall {
    type Ready = Self;

    fn open(opening: NamedCallOpening<'w, A>) -> Result<Self, UnknownTool> {
        Err(opening.unknown())
    }

    fn untyped(&self) -> &UntypedCall<'_, A> {
        match *self {}
    }

    fn push_text(&mut self, _: String) -> WriteFuture<'_, PushArguments<'_>> {
        match *self {}
    }

    fn complete(self, _: Option<Box<EventFields>>) -> Result<Self, CallError> {
        match self {}
    }

    fn boxed(self) -> BoxedCall<'w> {
        match self {}
    }
}

impl ReadyToolCall for NoCall {
    fn decide<'w>(self) -> SettlementStage<'w> {
        match self {}
    }

    fn head(&self) -> CallHead<'_> {
        match *self {}
    }
}

impl fmt::Debug for NoCall {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}
