use std::future::Future;

use super::{Predictions, Tool};
use crate::agent::Agent;
use crate::emit::{Emit, Run};
use crate::protocol::ToolCallId;
use crate::state::StateHandle;

/// What a backend tool may borrow while it runs: the agent that calls it, the run, the call itself.
#[derive(Debug)]
pub struct Scope<'a, A: Agent> {
    run: &'a Run<A>,
    ctx: ToolCtx,
}

impl<'a, A: Agent> Scope<'a, A> {
    pub(crate) fn new(run: &'a Run<A>, ctx: ToolCtx) -> Self {
        Self { run, ctx }
    }

    /// The agent, with its dependencies.
    #[must_use]
    pub fn agent(&self) -> &A {
        self.run.agent()
    }
}

/// The call a tool is running for. Take it as a parameter `&ToolCtx`.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Orders an ingredient.
/// #[tool]
/// async fn order(call: &ToolCtx, name: String) -> String {
///     assert_eq!(call.tool(), "order");
///     format!("{name}, under number {}", call.tool_call_id())
/// }
///
/// /// Cooks with you.
/// #[agent(tools = [order])]
/// async fn chef(run: &mut Run<Chef>, input: Input<Chef>) -> Result<String, Stop> {
///     Ok(run.call(order { name: "rice".to_owned() }).await?.run().await)
/// }
/// ```
#[derive(Clone, Debug)]
pub struct ToolCtx {
    tool_call_id: ToolCallId,
    tool: &'static str,
}

impl ToolCtx {
    pub(crate) fn new(tool_call_id: ToolCallId, tool: &'static str) -> Self {
        Self { tool_call_id, tool }
    }

    /// The id of the call on the wire.
    #[must_use]
    pub fn tool_call_id(&self) -> &ToolCallId {
        &self.tool_call_id
    }

    /// The name of the tool.
    #[must_use]
    pub fn tool(&self) -> &'static str {
        self.tool
    }
}

/// Says that the agent can lend a `T` to its tools: what a tool's parameter `&T` needs.
///
/// `#[agent]` implements it for each parameter of the agent function after `input`. Every agent lends itself, the
/// [`ToolCtx`] of the call, the run's [`Emit`] and the [`StateHandle`] of its state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{T}` for its tools",
    label = "this tool wants a `&{T}`",
    note = "give the agent one: add a parameter `name: &{T}` behind `input` of the `#[agent]` function; in an `#[agent]` \
            block, take `&self` and use its field"
)]
pub trait Inject<T>: Agent {
    #[doc(hidden)]
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a T;
}

impl<A: Agent> Inject<Self> for A {
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a Self {
        scope.run.agent()
    }
}

impl<A: Agent> Inject<ToolCtx> for A {
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a ToolCtx {
        &scope.ctx
    }
}

impl<A: Agent> Inject<Emit> for A {
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a Emit {
        scope.run
    }
}

impl<A: Agent> Inject<StateHandle<A::State>> for A {
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a StateHandle<A::State> {
        scope.run.state_handle()
    }
}

/// Says that agent `A` can lend everything this tool borrows, and runs it. Written by `#[tool]`.
///
/// Asked once, where the tool stands in the agent's list: a dependency that is missing is one error, however often the
/// tool is called.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "write `#[tool]` on the function of that name"
)]
pub trait Invoke<A: Agent>: Tool {
    /// Calls the function with what the agent lends and what the model wrote. There is none behind a frontend tool, and
    /// nobody asks for it.
    fn invoke(self, scope: &Scope<'_, A>) -> impl Future<Output = Self::Returns> + Send;

    /// What is written into the state while the model still writes the arguments.
    #[doc(hidden)]
    #[must_use]
    fn predictions() -> Option<Box<Predictions<A>>> {
        None
    }
}
