//! The requirement that a delegated agent has no state.

/// A subagent's state: none. Only `()` implements this trait.
///
/// ```
/// use std::sync::Arc;
///
/// use agui_runtime::prelude::*;
/// use agui_runtime::runs::NoState;
///
/// /// Asks any agent that has no state.
/// async fn consult<C>(run: &Emit, agent: &Arc<C>) -> Result<C::Output, Stop>
/// where
///     C: Agent,
///     C::State: NoState,
/// {
///     run.delegate("expert", agent, []).await
/// }
///
/// # /// Knows the weather.
/// # #[agent]
/// # async fn weather(run: &mut Run<Weather>, input: Input<Weather>) -> Result<u32, Stop> { Ok(21) }
/// /// Plans a picnic.
/// #[agent]
/// async fn planner(run: &mut Run<Planner>, _: Input<Planner>, weather: &Arc<Weather>) -> Result<u32, Stop> {
///     consult(run, weather).await
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Planner::new(Arc::new(Weather::new())), agui_runtime::testing::input("A picnic?")));
/// # assert!(matches!(agui_runtime::testing::end(&events), agui_runtime::testing::RunEnd::Success { .. }), "{events:#?}");
/// ```
#[diagnostic::on_unimplemented(
    message = "an agent that shares state cannot be a subagent, and this one shares `{Self}`",
    label = "this agent shares state",
    note = "list the agent among the tools, `#[agent(tools = [..])]`, where it shares a part of this agent's state; or pass the \
            needed values in its messages, and write its result with `run.state()`"
)]
pub trait NoState: state::Sealed {}

impl NoState for () {}

mod state {
    pub trait Sealed {}
    impl Sealed for () {}
}
