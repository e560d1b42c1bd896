//! Dependencies: a tool's by-reference parameters.

use std::future::Future;
use std::sync::Arc;

use super::kept::KeptValues;
use super::{HandoffFn, PolicyFn, PrivateTool, StatePredictions, Tool, ToolCtx};
use crate::agent::{Agent, Run};
use crate::bundle::{Nothing, Unmet};
use crate::emit::{ActivityListOf, Emit, EventListOf, StateHandle, TypedEmit};
use crate::kernel::Timer;
use crate::manifest::AgentSource;
use crate::protocol::ToolCallId;
use crate::state::State;

/// Values that a backend tool may borrow while it runs: agent, run, request, and the call itself.
///
/// A tool borrows them by parameter type:
///
/// ```
/// use agui_runtime::prelude::*;
///
/// struct Shop {
///     rice: u32,
/// }
///
/// /// Looks up what rice costs.
/// #[tool]
/// async fn price(shop: &Shop, run: &Emit, call: &ToolCtx) -> u32 {
///     run.say(format!("This is call {}.", call.tool_call_id())).await;
///     shop.rice
/// }
///
/// /// Sells rice.
/// #[agent(tools = [price])]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, shop: &Shop) -> Result<u32, Stop> {
///     Ok(run.call(price {}).await?.run().await) // with all three values
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(Shop { rice: 180 }), agui_runtime::testing::input("Rice?")));
/// # assert_eq!(agui_runtime::testing::texts(&events), ["This is call test-call-1."]);
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[derive(Debug)]
pub struct InjectScope<'a, A: Agent> {
    run: &'a Run<A>,
    ctx: ToolCtx,
    kept: KeptValues,
}

impl<'a, A: Agent> InjectScope<'a, A> {
    pub(crate) fn new(run: &'a Run<A>, id: ToolCallId, tool: &'static str) -> Self {
        let ctx = ToolCtx::new(id, tool, Arc::clone(run.input_of_agent()));
        Self { run, ctx, kept: KeptValues::default() }
    }

    /// Returns the agent, with its dependencies.
    #[must_use]
    pub fn agent(&self) -> &A {
        self.run.agent()
    }

    pub(crate) fn run(&self) -> &'a Run<A> {
        self.run
    }

    pub(crate) fn call_id(&self) -> &ToolCallId {
        self.ctx.tool_call_id()
    }

    /// Returns the run's timer, if any.
    pub(crate) fn timer(&self) -> Option<&dyn Timer> {
        self.run.shared().timer()
    }

    /// Returns the values that came with the run's request.
    #[must_use]
    pub fn request(&self) -> &A::Request {
        self.run.request()
    }
}

/// Declares that the agent can provide a `T` to its tools, for a tool parameter `&T`.
///
/// `#[agent]` implements the trait for each parameter after `input` in the agent function: the agent's own values and each
/// request's values. Every agent provides itself, the call's [`ToolCtx`], the run's [`Emit`], a [`TypedEmit`] for its listed
/// events and activities, and its state's [`StateHandle`].
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::InjectValue;
///
/// /// The prices of today.
/// struct Shop {
///     rice: u32,
/// }
///
/// /// Looks up what rice costs.
/// #[tool]
/// async fn price(shop: &Shop) -> u32 {
///     shop.rice
/// }
///
/// /// Sells rice.
/// #[agent(tools = [price])]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, shop: &Shop) -> Result<u32, Stop> {
///     Ok(run.call(price {}).await?.run().await)
/// }
///
/// /// Only agents that have a shop can be hired.
/// fn hire<A: InjectValue<Shop>>(_: &A) {}
/// hire(&Clerk::new(Shop { rice: 180 }));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{T}` for its tools",
    label = "this tool needs a `&{T}`",
    note = "if `{T}` is the state of the agent, take `&StateHandle<{T}>`: its `read` shows the state, and its `update` changes it",
    note = "give the agent one, as a parameter behind `input`: `name: &{T}` of the `#[agent]` function for a value of the \
            agent (in an `#[agent]` block, take `&self` and use its field), `#[request] name: &{T}` of the function or of the \
            block's `run` for a value of each request"
)]
pub trait InjectValue<T>: Agent {
    #[doc(hidden)]
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a T;
}

/// Declares that the agent can provide a `T` that a request may lack, for a tool parameter `Option<&T>`.
///
/// `#[agent]` implements the trait for each parameter `#[request] name: Option<&T>`, and for all values that the agent always has.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::InjectOption;
///
/// #[derive(Clone)]
/// struct Customer {
///     discount: u32,
/// }
///
/// /// Looks up what rice costs this customer.
/// #[tool]
/// async fn price(customer: Option<&Customer>) -> u32 {
///     180 - customer.map_or(0, |customer| customer.discount)
/// }
///
/// /// Sells rice.
/// #[agent(tools = [price])]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, #[request] customer: Option<&Customer>) -> Result<u32, Stop> {
///     Ok(run.call(price {}).await?.run().await)
/// }
///
/// fn hire<A: InjectOption<Customer>>(_: &A) {}
/// hire(&Clerk::new());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `{T}` for its tools, not even one that a request may lack",
    label = "this tool takes an `Option<&{T}>`",
    note = "give the agent one, as a parameter behind `input`: `#[request] name: Option<&{T}>` for a value that a request may lack, \
            `name: &{T}` for a value of the agent; or leave the parameter out of the tool"
)]
pub trait InjectOption<T>: Agent {
    #[doc(hidden)]
    fn inject_option<'a>(scope: &'a InjectScope<'_, Self>) -> Option<&'a T>;
}

#[diagnostic::do_not_recommend]
impl<A: InjectValue<T>, T: 'static> InjectOption<T> for A {
    fn inject_option<'a>(scope: &'a InjectScope<'_, Self>) -> Option<&'a T> {
        Some(A::inject(scope))
    }
}

impl<A: Agent> InjectValue<Self> for A {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a Self {
        scope.run.agent()
    }
}

// For an agent that lists itself among its tools.
impl<A: Agent> InjectValue<Arc<Self>> for A {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a Arc<Self> {
        scope.run.shared_agent()
    }
}

impl<A: Agent> InjectValue<ToolCtx> for A {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a ToolCtx {
        &scope.ctx
    }
}

impl<A: Agent> InjectValue<Emit> for A {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a Emit {
        scope.run
    }
}

impl<A: Agent, E, T> InjectValue<TypedEmit<E, T>> for A
where
    E: EventListOf<A> + 'static,
    T: ActivityListOf<A> + 'static,
{
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a TypedEmit<E, T> {
        scope.kept.get(|| TypedEmit::new(scope.run.same()))
    }
}

/// Declares that `S` is the agent's state. A trait, so that another state is an error with a message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{S}` is not the state of `{Self}`",
    label = "this tool takes the `StateHandle<{S}>` of its agent",
    note = "take the handle of the agent's own state, or declare the state: `#[agent(state = {S})]`"
)]
pub trait SharesState<S: State>: Agent {
    fn handle<'a>(scope: &'a InjectScope<'_, Self>) -> &'a StateHandle<S>;
}

#[diagnostic::do_not_recommend]
impl<A: Agent> SharesState<A::State> for A {
    fn handle<'a>(scope: &'a InjectScope<'_, Self>) -> &'a StateHandle<A::State> {
        scope.run.state_handle()
    }
}

// Without a second impl, the compiler would report that the types of the only impl differ.
#[doc(hidden)]
impl<A: Agent, S: State> SharesState<S> for A
where
    for<'never> Nothing: Unmet<&'never ()>,
    A: SharesState<S>,
{
    #[expect(clippy::only_used_in_recursion, reason = "the bounds of this impl never hold")]
    fn handle<'a>(scope: &'a InjectScope<'_, Self>) -> &'a StateHandle<S> {
        <A as SharesState<S>>::handle(scope)
    }
}

impl<A: SharesState<S>, S: State> InjectValue<StateHandle<S>> for A {
    fn inject<'a>(scope: &'a InjectScope<'_, Self>) -> &'a StateHandle<S> {
        A::handle(scope)
    }
}

/// Declares that agent `A` can provide all parameters for this tool, and runs the tool. Implemented by `#[tool]`.
///
/// The bound is checked once, where the tool is in the agent's list: a missing dependency is one error, however often the tool is
/// called.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::tools::InvokeTool;
///
/// /// Looks up what something costs.
/// #[tool]
/// async fn price(name: String) -> u32 {
///     180
/// }
///
/// /// Sells rice.
/// #[agent(tools = [price])]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// /// The agent can provide all parameters of the tool.
/// fn fits<T: InvokeTool<Clerk>>() {}
/// fits::<price>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "write `#[tool]` on the function of that name"
)]
pub trait InvokeTool<A: Agent>: Tool {
    /// Calls the function with the agent's values and the model's arguments. Never called for a frontend tool, which has no
    /// function.
    fn invoke(self, scope: &InjectScope<'_, A>) -> impl Future<Output = Self::Returns> + Send;

    /// The function that decides if the user must approve a call; `None` for a tool without approval.
    #[doc(hidden)]
    const APPROVAL: Option<PolicyFn<A, Self>> = None;

    /// Describes the agent that a call runs, which may interrupt and continue in a later run.
    #[doc(hidden)]
    const AGENT: Option<fn() -> AgentSource> = None;

    /// True if a call waits for an agent that has frontend tools.
    #[doc(hidden)]
    const NEEDS_PAGE: bool = false;

    /// Runs the agent that takes the conversation over, if the tool is a handoff.
    #[doc(hidden)]
    const HANDOFF: Option<HandoffFn<A>> = None;

    /// Runs a call that is the model's alone, if the tool is private.
    #[doc(hidden)]
    const PRIVATE: Option<PrivateTool<A>> = None;

    /// Returns the arguments that are written into the state while the model writes them.
    #[doc(hidden)]
    const PREDICTIONS: Option<fn() -> Box<StatePredictions<A>>> = None;
}
