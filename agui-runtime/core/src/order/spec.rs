//! Specification rules for a stream's runs that the client does not check.

use std::collections::HashSet;

use super::OrderRule;
use super::error::{OrderRefusal, OrderVerdict};
use super::table::IdMap;
use crate::protocol::{Event, EventEffect, RunAgentInput, RunFinishedOutcome, RunId, ThreadId};

/// A stream's runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct StreamRuns {
    /// The requested thread and run.
    requested: Option<(ThreadId, RunId)>,
    thread: Option<ThreadId>,
    current: Option<RunId>,
    seen: IdMap<()>,
}

impl StreamRuns {
    pub(super) fn expect(&mut self, input: &RunAgentInput) {
        self.requested = Some((input.thread_id.clone(), input.run_id.clone()));
    }

    pub(super) fn check(&self, event: &Event) -> OrderVerdict {
        match event.event_type().effect() {
            EventEffect::StartRun => self.start(event),
            EventEffect::FinishRun => self.finish(event),
            _ => Ok(()),
        }
    }

    pub(super) fn apply(&mut self, event: &Event) {
        if event.event_type().effect() == EventEffect::StartRun {
            let operands = event.operands();
            self.thread = operands.thread.cloned();
            self.current = operands.run.cloned();
            self.seen.extend(operands.run.map(|run| (run.clone_shared(), ())));
        }
    }

    fn start(&self, event: &Event) -> OrderVerdict {
        let operands = event.operands();
        let (Some(thread), Some(run)) = (operands.thread, operands.run) else { return Ok(()) };
        if let Some(known) = self.thread.as_ref().filter(|known| *known != thread) {
            return Err(OrderRefusal::new(OrderRule::ThreadChanged)
                .about(thread.as_str())
                .expected(format!("`{known}`")));
        }
        if self.seen.contains_key(run.as_str()) {
            return Err(OrderRefusal::new(OrderRule::RunIdReused).about(run.as_str()));
        }
        match &self.requested {
            // Later runs of a stream have their own ids.
            Some((asked, first)) if asked != thread || (self.seen.is_empty() && first != run) => {
                let refusal = OrderRefusal::new(OrderRule::NotTheRequest).about(run.as_str());
                Err(refusal.expected(format!("run `{first}` on thread `{asked}`")))
            }
            _ => Ok(()),
        }
    }

    fn finish(&self, event: &Event) -> OrderVerdict {
        let operands = event.operands();
        if let (Some(known), Some(thread)) =
            (&self.thread, operands.thread.filter(|id| self.thread.as_ref() != Some(*id)))
        {
            let refusal = OrderRefusal::new(OrderRule::ThreadIdMismatch).about(thread.as_str());
            return Err(refusal.expected(format!("`{known}`")));
        }
        if let (Some(known), Some(run)) =
            (&self.current, operands.run.filter(|id| self.current.as_ref() != Some(*id)))
        {
            return Err(OrderRefusal::new(OrderRule::RunIdMismatch)
                .about(run.as_str())
                .expected(format!("`{known}`")));
        }
        if let Some(RunFinishedOutcome::Interrupt(outcome)) = operands.outcome {
            let mut ids = HashSet::new();
            for interrupt in outcome.interrupts.iter() {
                if !ids.insert(interrupt.id.as_str()) {
                    return Err(OrderRefusal::new(OrderRule::DuplicateInterrupt).about(interrupt.id.as_str()));
                }
            }
        }
        Ok(())
    }
}
