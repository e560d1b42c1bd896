//! The requirement that a delegated agent has no state.

/// A subagent's state: none. Only `()` implements this trait; see [`Emit::delegate`](crate::Emit::delegate).
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
