//! Return values under `#[agent]`.

use crate::agent::{Agent, FinishedRun, Run, Stop};

/// An agent function's return type: a `Result`. The bound on the error is on the method, so that the compiler reports the error
/// once, and by name.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an agent cannot return `{Self}`",
    label = "not a `Result`",
    note = "return `Result<T, Stop>`: `Ok(value)` is RUN_FINISHED, and `Err(stop)` the end that the `Stop` describes"
)]
pub trait AgentReturn {
    /// RUN_FINISHED's result.
    type Output;
    /// The error that ends the run.
    type Error;

    /// Turns the function's returned value into the proof that the run may finish. At this point no span from the function is open.
    ///
    /// # Errors
    /// The error that the function returned.
    fn finish<A: Agent>(self, run: &mut Run<A>) -> Result<FinishedRun<'_, Self::Output>, Stop>
    where
        Stop: From<Self::Error>;
}

impl<T, E> AgentReturn for Result<T, E> {
    type Output = T;
    type Error = E;

    fn finish<A: Agent>(self, run: &mut Run<A>) -> Result<FinishedRun<'_, T>, Stop>
    where
        Stop: From<E>,
    {
        self.map(|output| run.finish(output)).map_err(Stop::from)
    }
}

/// Return type under `#[agent(strict)]`, where the function ends the run itself.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an agent with `strict` cannot return `{Self}`",
    label = "not a `Result` with a `FinishedRun`",
    note = "return `Result<FinishedRun<'r, T>, Stop>`, made by `run.finish(value)`, or leave out `strict`"
)]
pub trait StrictReturn {
    /// RUN_FINISHED's result.
    type Output;
    /// The value as returned.
    type Finished;
    /// The error that ends the run.
    type Error;

    /// Passes on the value that the function returned.
    ///
    /// # Errors
    /// The error that the function returned.
    fn finished(self) -> Result<Self::Finished, Stop>
    where
        Stop: From<Self::Error>;
}

impl<'r, T, E> StrictReturn for Result<FinishedRun<'r, T>, E> {
    type Output = T;
    type Finished = FinishedRun<'r, T>;
    type Error = E;

    fn finished(self) -> Result<FinishedRun<'r, T>, Stop>
    where
        Stop: From<E>,
    {
        self.map_err(Stop::from)
    }
}
