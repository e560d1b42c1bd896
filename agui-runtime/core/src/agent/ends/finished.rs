//! Proof that an agent's function is done, with no span open.

use std::marker::PhantomData;

#[cfg(doc)]
use crate::agent::Run;

/// Proof that an agent's function is done with no span open, and the run's value: RUN_FINISHED follows. Only [`Run::finish`] creates
/// one.
///
/// ```
/// use agui_runtime::{Agent, FinishedRun, Run};
///
/// /// Ends any run with a text.
/// async fn goodbye<A: Agent>(run: &mut Run<A>) -> FinishedRun<'_, String> {
///     run.say("Goodbye!").await;
///     run.finish("said goodbye".to_owned())
/// }
/// ```
#[must_use = "return it from `Agent::run`"]
#[derive(Debug)]
pub struct FinishedRun<'r, T> {
    value: T,
    run: PhantomData<&'r mut ()>,
}

impl<T> FinishedRun<'_, T> {
    /// Only [`Run::finish`] calls this: the mutable borrow proves that no span is open.
    pub(in crate::agent) fn new(value: T) -> Self {
        Self { value, run: PhantomData }
    }

    pub(crate) fn into_value(self) -> T {
        self.value
    }
}
