use std::future::Future;
use std::sync::Arc;

use super::{Predictions, Tool, ToolCtx};
use crate::agent::Agent;
use crate::emit::{Emit, Run};
use crate::protocol::ToolCallId;
use crate::state::StateHandle;

/// What a backend tool may borrow while it runs: the agent that calls it, the run and its request, the call itself.
#[derive(Debug)]
pub struct Scope<'a, A: Agent> {
    run: &'a Run<A>,
    ctx: ToolCtx,
}

impl<'a, A: Agent> Scope<'a, A> {
    pub(crate) fn new(run: &'a Run<A>, id: ToolCallId, tool: &'static str) -> Self {
        Self { run, ctx: ToolCtx::new(id, tool, Arc::clone(run.input_of_agent())) }
    }

    /// The agent, with its dependencies.
    #[must_use]
    pub fn agent(&self) -> &A {
        self.run.agent()
    }

    /// What came with the request of the run.
    #[must_use]
    pub fn request(&self) -> &A::Request {
        self.run.request()
    }
}

/// Says that the agent can lend a `T` to its tools: what a tool's parameter `&T` needs.
///
/// `#[agent]` implements it for each parameter of the agent function after `input`, for what the agent holds and for what
/// comes with each request. Every agent lends itself, the [`ToolCtx`] of the call, the run's [`Emit`] and the
/// [`StateHandle`] of its state.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{T}` for its tools",
    label = "this tool wants a `&{T}`",
    note = "give the agent one, as a parameter behind `input`: `name: &{T}` of the `#[agent]` function for what the agent \
            holds (in an `#[agent]` block, take `&self` and use its field), `#[request] name: &{T}` of the function or of the \
            block's `run` for what comes with each request; a tool that can do without takes `Option<&{T}>`"
)]
pub trait Inject<T>: Agent {
    #[doc(hidden)]
    fn inject<'a>(scope: &'a Scope<'_, Self>) -> &'a T;
}

/// The same of a value that a request may lack: what a tool's parameter `Option<&T>` needs.
///
/// `#[agent]` implements it for each parameter `#[request] name: Option<&T>`; what an agent always has it can lend in this
/// way, too.
pub trait InjectOption<T>: Agent {
    #[doc(hidden)]
    fn inject_option<'a>(scope: &'a Scope<'_, Self>) -> Option<&'a T>;
}

impl<A: Inject<T>, T: 'static> InjectOption<T> for A {
    fn inject_option<'a>(scope: &'a Scope<'_, Self>) -> Option<&'a T> {
        Some(A::inject(scope))
    }
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
