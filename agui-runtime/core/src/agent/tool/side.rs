//! Tool sides as types: the agent, the agent after approval, the agent in private, and the user interface.

use std::fmt;
use std::future::ready;

use futures_util::future::BoxFuture;

use super::{ApprovalSide, Call, OpenPhase, PendingCall, ReadyPhase, SettleOutcome, SettlementStage, Tool};
use crate::agent::Agent;
use crate::kernel::EventFields;
use crate::protocol::{ToolCallId, ToolSide};

/// A tool's side as a type; [`BackendSide`], [`ApprovalSide`], [`PrivateSide`] and [`FrontendSide`] are the only ones.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::ToolSide;
/// use agui_runtime::tools::ExecutionSide;
///
/// /// The calls of frontend tools need a page that answers them.
/// fn needs_page<T: Tool>() -> bool {
///     T::Side::SIDE == ToolSide::Frontend
/// }
///
/// # /// Asks the person whether that is all.
/// # #[tool(frontend)]
/// # async fn checkout(total: u32) -> bool;
/// assert!(needs_page::<checkout>());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a side that a tool runs on",
    label = "not `BackendSide`, `ApprovalSide`, `PrivateSide` or `FrontendSide`",
    note = "a tool runs in the agent, `#[tool]`, or in the user interface, `#[tool(frontend)]`"
)]
pub trait ExecutionSide: sealed::Sealed + Sized + 'static {
    /// The side as a value.
    const SIDE: ToolSide;

    /// The ready call's type.
    type After<'w, A: Agent, T: Tool<Side = Self>>: fmt::Debug + Send;

    #[doc(hidden)]
    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, OpenPhase>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T>;

    #[doc(hidden)]
    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId;

    #[doc(hidden)]
    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> SettlementStage<'w>;

    /// True if a tool may require approval before it runs.
    #[doc(hidden)]
    const APPROVAL: bool = false;

    /// True if the calls are the model's alone.
    #[doc(hidden)]
    const PRIVATE: bool = false;
}

/// Any tool's call during settlement. Boxed, so that an agent with many tools needs no future with space for each: compiling that
/// took as long as the tools themselves.
#[doc(hidden)]
pub type SettlingCall<'w> = BoxFuture<'w, SettleOutcome>;

/// Tools that run in the agent; see [`ExecutionSide`].
#[derive(Debug)]
pub enum BackendSide {}

/// Tools that run in the agent, and whose calls are the model's alone: `#[tool(private)]`. No event shows such a call, so only the
/// model loop makes one; see [`ExecutionSide`].
#[derive(Debug)]
pub enum PrivateSide {}

/// Bound on [`Run::call`](crate::Run::call) and [`Run::tool`](crate::Run::tool), whose events show the call to clients.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a private tool has no call that clients see",
    label = "this tool is `#[tool(private)]`: only the model calls it, in `run.chat(&model)`",
    note = "call the function itself, whose value stays in the agent; or leave `private` out, and clients see call and result"
)]
pub trait ShownToClients {}

impl ShownToClients for BackendSide {}
impl ShownToClients for ApprovalSide {}
impl ShownToClients for FrontendSide {}
impl ShownToClients for super::plain_function::UnmarkedSide {}

/// Tools that run in the user interface. A frontend call never gets its result in the calling run; see [`ExecutionSide`].
#[derive(Debug)]
pub enum FrontendSide {}

/// Bound on [`Input::frontend_result`](crate::Input::frontend_result): the user interface sends the tool's results.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a backend tool is not answered by the user interface",
    label = "this tool runs in the agent",
    note = "`run.call(..).await?.run().await` returns its answer, in the run that calls it"
)]
pub trait SettledByClient {}

impl SettledByClient for FrontendSide {}

impl ExecutionSide for BackendSide {
    const SIDE: ToolSide = ToolSide::Backend;
    type After<'w, A: Agent, T: Tool<Side = Self>> = Call<'w, A, T, ReadyPhase>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, OpenPhase>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.called(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> SettlementStage<'w> {
        SettlementStage::Now(call.settle())
    }
}

impl ExecutionSide for PrivateSide {
    const SIDE: ToolSide = ToolSide::Backend;
    const PRIVATE: bool = true;
    type After<'w, A: Agent, T: Tool<Side = Self>> = Call<'w, A, T, ReadyPhase>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, OpenPhase>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.called(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> SettlementStage<'w> {
        SettlementStage::Now(call.settle())
    }
}

impl ExecutionSide for FrontendSide {
    const SIDE: ToolSide = ToolSide::Frontend;
    type After<'w, A: Agent, T: Tool<Side = Self>> = PendingCall<T>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, OpenPhase>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.pending(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> SettlementStage<'w> {
        SettlementStage::Now(Box::pin(ready(SettleOutcome::Pending(call.into()))))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::ApprovalSide {}
    impl Sealed for super::BackendSide {}
    impl Sealed for super::FrontendSide {}
    impl Sealed for super::PrivateSide {}
    impl Sealed for crate::agent::tool::plain_function::UnmarkedSide {}
}
