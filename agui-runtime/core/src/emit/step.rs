//! The step guard, and the write that opens a step.

use std::fmt;

use super::emitter::SpanGuard;
use super::{Emit, RunWrite, WriteFuture};
use crate::kernel::{EventFields, WriteFields};

/// A step about to be opened; awaiting it sends STEP_STARTED. Returned by [`Emit::step`].
pub type OpenStep<'w> = WriteFuture<'w, StartStep>;

/// The write behind [`Emit::step`].
#[derive(Debug)]
pub struct StartStep {
    name: String,
}

impl StartStep {
    pub(super) fn new(name: String) -> Self {
        Self { name }
    }
}

impl<'w> RunWrite<'w> for StartStep {
    type Output = Step<'w>;

    fn act(self, emit: &'w Emit, fields: WriteFields) -> Step<'w> {
        Step(SpanGuard::new(emit, emit.act(|kernel, author| kernel.open_step(author, self.name, fields))))
    }
}

/// An open step (AG-UI 1.0, section "Runs and steps"): shows the user which part of the work is in progress.
///
/// Dropping the step sends STEP_FINISHED, as [`finish`](Self::finish) does.
///
/// ```
/// # async fn example(run: &agui_runtime::Emit) {
/// let plan = run.step("plan").await;
/// run.say("First the rice.").await;
/// plan.finish();
/// # }
/// ```
#[must_use = "a step that is dropped at once contains nothing"]
#[diagnostic::on_move(
    message = "a step has one STEP_FINISHED",
    label = "this step was finished or given away",
    note = "`step.finish()` once, or drop it"
)]
pub struct Step<'w>(SpanGuard<'w>);

impl Step<'_> {
    /// Closes the step: STEP_FINISHED, at once.
    pub fn finish(self) {
        drop(self);
    }

    /// Closes the step with extra fields on STEP_FINISHED.
    pub fn finish_with(self, fields: EventFields) {
        self.0.close_with(fields);
    }
}

impl fmt::Debug for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Step").field(&self.0.slot()).finish()
    }
}
