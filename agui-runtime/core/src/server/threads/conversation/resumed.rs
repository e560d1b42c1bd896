//! The interrupts that a run resumes, and their place in the run's last event.

use super::fold::FoldedThread;
use crate::protocol::{Event, Interrupt, InterruptId, RunFinishedOutcome, ToolCallId, ToolCallResultEvent};

/// The tool result for a call that is abandoned.
pub(super) const ABANDONED: &str = r#"{"error":"abandoned"}"#;

/// The interrupts that a run resumes.
#[derive(Debug, Default)]
pub(crate) struct ResumedInterrupts {
    /// Calls that wait for the run's resume entries, and have no result.
    calls: Vec<ToolCallId>,
    /// Interrupts that stay open besides; `None` if the run resumes nothing, so that the client holds no others.
    open: Option<Vec<Interrupt>>,
}

impl ResumedInterrupts {
    /// `thread` is the thread before the entries are used up.
    pub(super) fn from_thread(thread: &FoldedThread, resumed_ids: &[InterruptId], is_resuming: bool) -> Self {
        let (resumed, open): (Vec<_>, Vec<_>) =
            thread.open_interrupts().cloned().partition(|asked| resumed_ids.contains(&asked.id));
        Self { calls: thread.unsettled_calls(&resumed), open: is_resuming.then_some(open) }
    }

    /// `thread` is the thread whose run lost its owner.
    pub(crate) fn from_lost_run(thread: &FoldedThread) -> Self {
        let resumed = thread.resumed_interrupts();
        let open = (!resumed.is_empty()).then(|| thread.open_interrupts().cloned().collect());
        Self { calls: thread.unsettled_calls(resumed), open }
    }

    /// Adds the calls of a lost run that no server goes on with: of the tools that `is_of_agent` names, but for those that wait
    /// for a person.
    pub(super) fn with_lost_calls(
        mut self,
        thread: &FoldedThread,
        is_of_agent: impl Fn(&str) -> bool,
    ) -> Self {
        for call in thread.calls_without_result().filter(|call| is_of_agent(&call.function.name)) {
            let is_asked =
                thread.open_interrupts().any(|asked| asked.tool_call_id.as_ref() == Some(&call.id));
            if !is_asked && !self.calls.contains(&call.id) {
                self.calls.push(call.id.clone());
            }
        }
        self
    }

    /// Records an event that the run emitted.
    pub(crate) fn observe(&mut self, event: &Event) {
        if let Event::ToolCallResult(result) = event {
            self.calls.retain(|call| *call != result.tool_call_id);
        }
    }

    /// Completes the event that ends the run, and returns the events that come before. If the run did not settle a resumed call,
    /// the call gets an abandoned result: model providers refuse a history with an unsettled call.
    pub(crate) fn close(&mut self, end: &mut Event, nonce: &str) -> Vec<Event> {
        match end {
            Event::RunError(error) => {
                if let Some(open) = &self.open {
                    error.restate_interrupts(open);
                }
            }
            Event::RunFinished(finished)
                if matches!(finished.outcome, Some(RunFinishedOutcome::Cancelled(_))) => {}
            _ => return Vec::new(),
        }
        self.calls.drain(..).map(|call| abandoned_result(call, nonce)).collect()
    }
}

/// Returns the result for an abandoned call.
pub(super) fn abandoned_result(call: ToolCallId, nonce: &str) -> Event {
    let message = format!("abandoned-{nonce}-{call}");
    ToolCallResultEvent::new(message, call, ABANDONED).into()
}
