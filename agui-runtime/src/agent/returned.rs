//! What the function under `#[agent]` may return.

use super::{Agent, Stop};
use crate::emit::{Finished, Run};

/// What an agent's function returns: a `Result` whose error can end a run.
#[diagnostic::on_unimplemented(
    message = "an agent cannot return `{Self}`",
    label = "not a `Result` with an error that ends a run",
    note = "return `Result<T, Stop>`: `Ok(value)` is RUN_FINISHED, `Err(stop)` whatever the `Stop` says"
)]
pub trait AgentReturn {
    /// What RUN_FINISHED carries.
    type Output;

    /// The same with the one error that the driver knows.
    ///
    /// # Errors
    /// What the function returned.
    fn into_result(self) -> Result<Self::Output, Stop>;
}

impl<T, E: Into<Stop>> AgentReturn for Result<T, E> {
    type Output = T;

    fn into_result(self) -> Result<T, Stop> {
        self.map_err(Into::into)
    }
}

/// The same under `#[agent(strict)]`, where the function ends the run itself.
#[diagnostic::on_unimplemented(
    message = "an agent with `strict` cannot return `{Self}`",
    label = "not a `Result` with a `Finished`",
    note = "return `Result<Finished<'r, T>, Stop>`, made by `run.finish(value)`, or leave out `strict`"
)]
pub trait StrictReturn {
    /// What RUN_FINISHED carries.
    type Output;
}

impl<T, E: Into<Stop>> StrictReturn for Result<Finished<'_, T>, E> {
    type Output = T;
}

/// Ends the run with what the function returned. Nothing the function opened is alive any more.
///
/// # Errors
/// What the function returned.
pub fn finish<A: Agent, R: AgentReturn>(
    run: &mut Run<A>,
    returned: R,
) -> Result<Finished<'_, R::Output>, Stop> {
    returned.into_result().map(|output| run.finish(output))
}

/// Passes on what a `strict` function returned.
///
/// # Errors
/// The same.
pub fn finished<T, E: Into<Stop>>(returned: Result<Finished<'_, T>, E>) -> Result<Finished<'_, T>, Stop> {
    returned.map_err(Into::into)
}
