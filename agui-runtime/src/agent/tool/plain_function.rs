//! Stand-in for a function without `#[tool]` in an agent's tool list, so that the mistake is one error with advice.
//!
//! No type has such a function's name, and the compiler would only say that it expected a type. `#[agent]` looks the name up with
//! [`PlainFunction`] as the fallback, and then requires [`ToolFunction`].

use std::future::ready;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Approved, Backend, Call, Called, Decided, Frontend, InjectScope, Invoke, Outcome, Side, Streaming, Tool,
    value_outcome,
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
pub enum Unmarked {}

/// Function for a tool that runs on side `S`: any function, if a tool can run there.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a plain function is not a tool: write `#[tool]` on it",
    label = "this function has no `#[tool]`"
)]
pub trait ToolFunction<S: Side> {
    /// Accepts the function.
    #[doc(hidden)]
    fn accept(&self) {}
}

impl<F> ToolFunction<Approved> for F {}
impl<F> ToolFunction<Backend> for F {}
impl<F> ToolFunction<Frontend> for F {}

impl<const N: usize> Tool for PlainFunction<N> {
    const NAME: &'static str = "";
    const DESCRIPTION: &'static str = "";
    type Side = Unmarked;
    type Returns = ();

    fn outcome() -> Outcome<()> {
        value_outcome()
    }
}

impl<A: Agent, const N: usize> Invoke<A> for PlainFunction<N> {
    fn invoke(self, _: &InjectScope<'_, A>) -> impl Future<Output = ()> + Send {
        ready(())
    }
}

impl Side for Unmarked {
    const SIDE: ToolSide = ToolSide::Backend;
    type After<'w, A: Agent, T: Tool<Side = Self>> = Call<'w, A, T, Called>;

    fn after<'w, A: Agent, T: Tool<Side = Self>>(
        call: Call<'w, A, T, Streaming>,
        arguments: T,
        fields: Option<Box<EventFields>>,
    ) -> Self::After<'w, A, T> {
        call.called(arguments, fields)
    }

    fn id<'c, A: Agent, T: Tool<Side = Self>>(call: &'c Self::After<'_, A, T>) -> &'c ToolCallId {
        call.id()
    }

    fn decide<'w, A: Agent, T: Tool<Side = Self>>(call: Self::After<'w, A, T>) -> Decided<'w> {
        Decided::Now(call.settle())
    }
}
