//! A run's end and the consequences: frontend tool results, another run, or the turn's end.

use std::collections::VecDeque;

use super::turn::{Ended, Phase, Turn};
use super::{ClientError, RunOutcome, Session};
use crate::receive::pipeline::PipelineEnd;

impl<S> Turn<'_, S> {
    /// Handles the end of a stream that was not refused.
    pub(super) fn end_run(&mut self, end: PipelineEnd) {
        let Phase::Reading { end: ended, .. } = std::mem::replace(&mut self.phase, Phase::Failed) else {
            return;
        };
        let queue = match (&ended, end) {
            (Some(Ended { end: RunOutcome::Success { pending, .. }, .. }), PipelineEnd::Complete)
                if !self.follows =>
            {
                pending.iter().filter(|id| self.session.has_handler(id)).cloned().collect()
            }
            _ => VecDeque::new(),
        };
        self.note_new();
        self.finalize();
        self.phase = match ended {
            Some(ended) if !queue.is_empty() => Phase::Handling { queue: queue.into(), ended },
            Some(Ended { end: how, .. }) if end == PipelineEnd::Complete => Phase::Over(how),
            _ => Phase::Over(RunOutcome::Truncated),
        };
    }

    /// Handles a run that cannot be read to the end.
    pub(super) fn fail(&mut self, error: ClientError) -> Result<(), ClientError> {
        if let Some(index) = error.not_open() {
            self.session.close_interrupt(index);
        }
        let mut stage = self.stage();
        let stopped = stage.ask(|subscriber, now| subscriber.on_run_failed(&error, now));
        if Self::settle(stage) {
            self.session.typed.forget();
        }
        self.phase = if stopped { Phase::Over(RunOutcome::Truncated) } else { Phase::Failed };
        self.note_new();
        self.finalize();
        if stopped { Ok(()) } else { Err(error) }
    }

    /// Handles a run's end after the frames are dropped.
    pub(super) fn finalize(&mut self) {
        let mut stage = self.stage();
        stage.ask(|subscriber, now| subscriber.on_run_finalized(now));
        if Self::settle(stage) {
            self.session.typed.forget();
        }
        self.input = None;
    }
}

impl<S> Session<S> {
    /// Forgets an interrupt that is not open any more, by the resume entry's index: another client was faster, or a failed run has
    /// used the entry.
    fn close_interrupt(&mut self, index: usize) {
        let Some(resume) = self.resume.take() else { return };
        if let Some(entry) = resume.get(index) {
            let reducer = self.pipeline.reducer_mut();
            reducer.keep_interrupts(|interrupt| interrupt.id != entry.interrupt_id);
        }
    }
}
