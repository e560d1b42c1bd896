//! What the function under `#[agent]` may return.

use super::{Agent, Stop};
use crate::emit::{Finished, Run};

/// What an agent's function returns: a `Result`. That its error can end a run is asked by the method, so that the
/// compiler says it once, and by name.
#[diagnostic::on_unimplemented(
    message = "an agent cannot return `{Self}`",
    label = "not a `Result`",
    note = "return `Result<T, Stop>`: `Ok(value)` is RUN_FINISHED, `Err(stop)` whatever the `Stop` says"
)]
pub trait AgentReturn {
    /// What RUN_FINISHED carries.
    type Output;
    /// What ends the run otherwise.
    type Error;

    /// Ends the run with what the function returned. Nothing the function opened is alive any more.
    ///
    /// # Errors
    /// What the function returned.
    fn finish<A: Agent>(self, run: &mut Run<A>) -> Result<Finished<'_, Self::Output>, Stop>
    where
        Stop: From<Self::Error>;
}

impl<T, E> AgentReturn for Result<T, E> {
    type Output = T;
    type Error = E;

    fn finish<A: Agent>(self, run: &mut Run<A>) -> Result<Finished<'_, T>, Stop>
    where
        Stop: From<E>,
    {
        self.map(|output| run.finish(output)).map_err(Stop::from)
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

impl<T, E> StrictReturn for Result<Finished<'_, T>, E> {
    type Output = T;
}

/// Passes on what such a function returned.
///
/// # Errors
/// What the function returned.
pub fn finished<T, E>(returned: Result<Finished<'_, T>, E>) -> Result<Finished<'_, T>, Stop>
where
    Stop: From<E>,
{
    returned.map_err(Stop::from)
}
