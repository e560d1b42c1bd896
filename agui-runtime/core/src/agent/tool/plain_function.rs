//! Stand-in for a function without `#[tool]` in an agent's tool list, so that the mistake is one error with advice.
//!
//! No type has such a function's name, and the compiler would only say that it expected a type. `#[agent]` looks the name up with
//! [`PlainFunction`] as the fallback, and then requires [`ToolFunction`].

use std::future::ready;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    ApprovalSide, BackendSide, Call, ExecutionSide, FrontendSide, InjectScope, InvokeTool, OpenPhase,
    PrivateSide, ReadyPhase, ReturnConversion, SettlementStage, Tool, value_outcome,
};
use crate::agent::Agent;
use crate::kernel::EventFields;
use crate::protocol::{ToolCallId, ToolSide};

/// The tool at position `N` in a list, whose function has no `#[tool]`. It is a tool for any agent, so that nothing else is
/// reported, and runs on a separate side.
#[doc(hidden)]
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub struct PlainFunction<const N: usize>;

/// A [`PlainFunction`]'s side.
#[doc(hidden)]
#[derive(Debug)]
pub enum UnmarkedSide {}

/// Function for a tool that runs on side `S`: any function, if a tool can run there.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a plain function is not a tool: write `#[tool]` on it",
    label = "this function has no `#[tool]`"
)]
pub trait ToolFunction<S: ExecutionSide> {
    /// Accepts the function.
    #[doc(hidden)]
    fn accept(&self) {}
}

impl<F> ToolFunction<ApprovalSide> for F {}
impl<F> ToolFunction<BackendSide> for F {}
impl<F> ToolFunction<FrontendSide> for F {}
impl<F> ToolFunction<PrivateSide> for F {}

impl<const N: usize> Tool for PlainFunction<N> {
    const NAME: &'static str = "";
    const DESCRIPTION: &'static str = "";
    type Side = UnmarkedSide;
    type Returns = ();

    fn outcome() -> ReturnConversion<()> {
        value_outcome()
    }
}

impl<A: Agent, const N: usize> InvokeTool<A> for PlainFunction<N> {
    fn invoke(self, _: &InjectScope<'_, A>) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

impl ExecutionSide for UnmarkedSide {
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
