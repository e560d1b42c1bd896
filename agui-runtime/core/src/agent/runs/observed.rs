//! The operation `invoke_agent`: a run, or a subagent's part, as traces and metrics see it.

use std::sync::Arc;

use crate::agent::INTERNAL;
use crate::agent::ends::stop::{Stop, StopReason};
use crate::emit::RunShared;
use crate::kernel::{ROOT, SpanSlot, TerminalOutcome};
use crate::telemetry::Operation;

/// An agent's run. If dropped before its end, the operation says why, as far as the reason is known.
pub(super) struct ObservedRun {
    shared: Arc<RunShared>,
    operation: Operation,
    is_over: bool,
}

impl ObservedRun {
    pub(super) fn begin(shared: &Arc<RunShared>, name: fn() -> &'static str) -> Self {
        let operation = Operation::invoke_agent(name, shared.input());
        Self { shared: Arc::clone(shared), operation, is_over: false }
    }

    pub(super) fn span(&self) -> tracing::Span {
        self.operation.span()
    }

    pub(in crate::agent) fn end(mut self, terminal: &TerminalOutcome) {
        self.is_over = true;
        match terminal {
            TerminalOutcome::Failed { code, .. } => self.operation.fail(code.clone().unwrap_or_else(other)),
            TerminalOutcome::Cancelled => {}
            TerminalOutcome::Success { .. }
            | TerminalOutcome::AwaitFrontend
            | TerminalOutcome::Interrupt { .. } => {
                self.operation.succeed();
            }
        }
    }
}

impl Drop for ObservedRun {
    fn drop(&mut self) {
        if let Some(code) = self.shared.ended_by().filter(|_| !self.is_over) {
            self.operation.fail(code.to_owned());
        }
        self.operation.counted(self.shared.counts(ROOT));
    }
}

/// A subagent's part. Counts are recorded even if dropped early.
pub(in crate::agent) struct ObservedSubagent {
    shared: Arc<RunShared>,
    agent: SpanSlot,
    operation: Operation,
}

impl ObservedSubagent {
    pub(in crate::agent) fn new(shared: &Arc<RunShared>, agent: SpanSlot, operation: Operation) -> Self {
        Self { shared: Arc::clone(shared), agent, operation }
    }

    pub(in crate::agent) fn end(mut self, stop: Option<&Stop>) {
        match stop.map(|stop| &stop.0) {
            Some(StopReason::Error(failure)) => {
                let code = failure.code.clone();
                self.operation.fail(code.unwrap_or_else(|| match failure.text {
                    Some(_) => other(),
                    None => INTERNAL.to_owned(),
                }));
            }
            Some(StopReason::Cancelled) => {}
            Some(StopReason::AwaitFrontend(_) | StopReason::Interrupt { .. }) | None => {
                self.operation.succeed();
            }
        }
    }
}

impl Drop for ObservedSubagent {
    fn drop(&mut self) {
        self.operation.counted(self.shared.counts(self.agent));
    }
}

/// Class for errors without a code (OpenTelemetry, attribute `error.type`).
fn other() -> String {
    "_OTHER".to_owned()
}
