/// No shared state: what the state of a subagent is. Only `()` is.
#[diagnostic::on_unimplemented(
    message = "an agent that shares state cannot be a subagent, and this one shares `{Self}`",
    label = "this agent shares state",
    note = "the shared state is one document and belongs to the run: hand the subagent what it needs in its messages, and \
            write what it returns with `run.state()`"
)]
pub trait NoState: state::Sealed {}

impl NoState for () {}

mod state {
    pub trait Sealed {}
    impl Sealed for () {}
}
