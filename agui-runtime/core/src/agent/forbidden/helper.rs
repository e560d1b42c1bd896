//! Forbidden operations for helpers that take an [`Emit`], which does not know the agent and its tools.
//!
//! Each method returns the same type as the run's method, so that the lines below the call type-check.

use std::future::{Pending, pending};

use crate::agent::here::ForbiddenCall;
use crate::agent::tool::{
    Call, CallError, DispatchOutcome, ExecutionSide, NoCall, OpenPhase, Tool, ToolSet, UnknownTool,
};
use crate::agent::{Agent, FinishedRun, Input, Run, StateBaseline, Stop};
use crate::emit::{Emit, OpenActivity};
use crate::manifest::AgentSource;
use crate::state::State;

#[diagnostic::on_unimplemented(
    message = "an `Emit` calls no tools, because it does not know its agent",
    label = "the run of the agent is needed here",
    note = "take the run, `run: &Run<Chef>`; a helper for every agent with this tool is `async fn helper<A: Agent>(run: &Run<A>) \
            where price: ToolOf<A>`, with `agui_runtime::tools::ToolOf`"
)]
pub trait CallsTools<T: ?Sized> {}

#[diagnostic::on_unimplemented(
    message = "there is no list of tools to choose from",
    label = "not the run of an agent that lists its tools",
    note = "take the run of such an agent, `run: &Run<Chef>`, or of any, `run: &Run<A>` where `A: ToolSet`; an agent whose \
            `Agent` is written by hand names its tools itself: `run.tool::<price>()`, `run.call(price {{ .. }})`"
)]
pub trait ChoosesTools<T: ?Sized> {}

#[diagnostic::on_unimplemented(
    message = "an `Emit` sends no custom events, because it does not know its agent",
    label = "a handle that names the event is needed here",
    note = "in a tool, take a handle that names the event, `emit: &TypedEmit<Sizzle>`; in a helper of an agent take the run, `run: &Run<Chef>`; a helper for every agent with this event is `async fn helper<A: Agent>(run: &Run<A>) \
            where Sizzle: EventOf<A>`, with `agui_runtime::events::EventOf`"
)]
pub trait SendsEvents<T: ?Sized> {}

#[diagnostic::on_unimplemented(
    message = "an `Emit` shows no activities, because it does not know its agent",
    label = "a handle that names the activity is needed here",
    note = "in a tool, take a handle that names the activity, `emit: &TypedEmit<(), Plan>`; in a helper of an agent take the run, `run: &Run<Chef>`; a helper for every agent with this activity is `async fn helper<A: Agent>(run: \
            &Run<A>) where Plan: ActivityOf<A>`, with `agui_runtime::events::ActivityOf`"
)]
pub trait ShowsActivities<T: ?Sized> {}

#[diagnostic::on_unimplemented(
    message = "an `Emit` has no state, because it does not know its agent",
    label = "the run of the agent is needed here",
    note = "take the run, `run: &Run<Chef>`; or the handle, `state: &StateHandle<Recipe>`, which \
            `run.state().adopt_or_snapshot(&input).await?` gives"
)]
pub trait HasState<T: ?Sized> {}

/// An [`Emit`]'s agent, which could be any.
pub enum UnknownAgent {}

impl Agent for UnknownAgent {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, _: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        match *self {}
    }

    fn source() -> AgentSource {
        AgentSource::new("unknown")
    }
}

impl ToolSet for UnknownAgent {
    const NAMES: &'static [&'static str] = &[];
    type Open<'w> = NoCall;
    type Ready<'w> = NoCall;
}

/// A ready call, as `run.call(..)` returns.
type ReadyCallOf<'w, T> = <<T as Tool>::Side as ExecutionSide>::After<'w, UnknownAgent, T>;

#[allow(private_bounds, private_interfaces, clippy::unused_self, clippy::needless_pass_by_value)]
impl Emit {
    #[doc(hidden)]
    pub fn call<T: Tool>(&self, _: T) -> Pending<Result<ReadyCallOf<'_, T>, CallError>>
    where
        ForbiddenCall: CallsTools<T>,
    {
        pending()
    }

    #[doc(hidden)]
    pub fn tool<T: Tool>(&self) -> Pending<Call<'_, UnknownAgent, T, OpenPhase>>
    where
        ForbiddenCall: CallsTools<T>,
    {
        pending()
    }

    #[doc(hidden)]
    pub fn open_call<N>(&self, _: N) -> Pending<Result<NoCall, UnknownTool>>
    where
        ForbiddenCall: ChoosesTools<N>,
    {
        pending()
    }

    #[doc(hidden)]
    pub fn dispatch<C>(&self, _: Vec<C>) -> Pending<DispatchOutcome>
    where
        ForbiddenCall: ChoosesTools<C>,
    {
        pending()
    }

    #[doc(hidden)]
    pub fn state<S: State>(&self) -> StateBaseline<'_, S>
    where
        for<'here> ForbiddenCall: HasState<&'here ()>,
    {
        unreachable()
    }

    #[doc(hidden)]
    pub fn custom<E>(&self, _: E) -> Pending<Result<(), Stop>>
    where
        ForbiddenCall: SendsEvents<E>,
    {
        pending()
    }

    #[doc(hidden)]
    pub fn activity<T>(&self, _: T) -> OpenActivity<'_, T>
    where
        ForbiddenCall: ShowsActivities<T>,
    {
        unreachable()
    }
}

/// Value for a function that cannot be called.
#[expect(clippy::empty_loop, reason = "its callers have bounds that no type meets")]
fn unreachable<T>() -> T {
    loop {}
}
