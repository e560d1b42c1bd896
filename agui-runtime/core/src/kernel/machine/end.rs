//! Run end.

use std::collections::HashSet;

use super::{LeftCall, Peer, ROOT, RunKernel, SpanSlot};
use crate::protocol::{
    Event, InterruptId, InterruptList, Message, NonNull, RunErrorEvent, RunFinishedCancelledOutcome,
    RunFinishedEvent, RunFinishedInterruptOutcome, RunFinishedOutcome, RunFinishedSuccessOutcome, TokenUsage,
    ToolCallId,
};

/// How a run ends; only the driver decides.
#[derive(Clone, Debug)]
pub(crate) enum TerminalOutcome {
    Success { result: Option<NonNull> },
    AwaitFrontend,
    Interrupt { interrupts: InterruptList, messages: Option<Vec<Message>> },
    Cancelled,
    Failed { message: String, code: Option<String> },
}

impl RunKernel {
    /// Adds spent tokens. Entries are kept per provider and model, in first-report order; a count that was never reported stays
    /// absent.
    pub(crate) fn report_usage(&mut self, by: SpanSlot, spent: TokenUsage) {
        if !self.accepts(by) {
            return;
        }
        let same = |known: &&mut TokenUsage| known.provider == spent.provider && known.model == spent.model;
        match self.usage.iter_mut().find(same) {
            Some(known) => known.add(&spent),
            None => self.usage.push(spent),
        }
    }

    /// Closes all open spans, newest first, then writes the terminal event; nothing follows. A state that the client needs goes
    /// out before the terminal event.
    pub(crate) fn end(&mut self, terminal: TerminalOutcome, state: Option<Event>) {
        if self.ended {
            return;
        }
        if matches!(terminal, TerminalOutcome::Failed { .. }) && self.peer != Peer::Legacy {
            for slot in std::mem::take(&mut self.broken_off) {
                self.take(slot);
            }
        }
        while let Some((&slot, _)) = self.spans.last_key_value() {
            self.close(slot, None);
        }
        if let TerminalOutcome::Interrupt { messages: Some(messages), .. } = &terminal {
            self.conversation.learn_calls(messages);
        }
        let terminal = match (terminal, self.cut_off.first()) {
            (failed @ TerminalOutcome::Failed { .. }, _) => failed,
            (TerminalOutcome::Cancelled, _) => {
                self.end_cut_off();
                TerminalOutcome::Cancelled
            }
            (_, Some(cut_off)) => TerminalOutcome::Failed {
                message: format!("the arguments of the frontend tool `{}` were cut off", cut_off.tool),
                code: Some("tool_call_cut_off".to_owned()),
            },
            (TerminalOutcome::Interrupt { interrupts, .. }, None)
                if self.interrupts_client_call(&interrupts) =>
            {
                TerminalOutcome::Failed {
                    message: "an interrupt asks about a frontend call, which only the client answers"
                        .to_owned(),
                    code: Some("interrupt_about_frontend_call".to_owned()),
                }
            }
            (other, None) => match &self.claimed {
                Some(tool) => TerminalOutcome::Failed {
                    message: format!("the client declares a tool `{tool}`, and so does the agent"),
                    code: Some("tool_declared_twice".to_owned()),
                },
                None => other,
            },
        };
        // When a page loads a thread, CopilotKit's runtime closes open spans after RUN_ERROR, and its 0.x client then
        // refuses the whole thread.
        if matches!(terminal, TerminalOutcome::Failed { .. }) && self.peer == Peer::Legacy {
            self.end_cut_off();
        }
        // Only the calls that are asked about stay unanswered.
        let asked: HashSet<&ToolCallId> = match &terminal {
            TerminalOutcome::Interrupt { interrupts, .. } => interrupted_calls(interrupts).collect(),
            _ => HashSet::new(),
        };
        let questions: HashSet<&InterruptId> = match &terminal {
            TerminalOutcome::Interrupt { interrupts, .. } => {
                interrupts.iter().map(|question| &question.id).collect()
            }
            _ => HashSet::new(),
        };
        let is_asked = |call: &LeftCall| match &call.of_subagent {
            None => asked.contains(&call.owed.id),
            Some(its) => its.iter().any(|question| questions.contains(question)),
        };
        let left = std::mem::take(&mut self.left).into_values();
        let abandoned: Vec<_> = left.filter(|call| !is_asked(call)).collect();
        for call in abandoned {
            self.settle_abandoned(call.owed, None);
        }
        if let Some(state) = state {
            self.send(ROOT, state, None);
        }
        let event = self.terminal_event(terminal);
        self.put(event, None, None);
        self.ended = true;
    }

    fn terminal_event(&mut self, terminal: TerminalOutcome) -> Event {
        let usage = std::mem::take(&mut self.usage);
        let usage = (!usage.is_empty()).then_some(usage);
        let (outcome, result) = match terminal {
            TerminalOutcome::Failed { message, code } => {
                let mut error = RunErrorEvent::new(message);
                error.code = code;
                error.usage = usage;
                return error.into();
            }
            TerminalOutcome::Success { result } => (self.success(), result),
            TerminalOutcome::AwaitFrontend => (self.success(), None),
            TerminalOutcome::Interrupt { interrupts, messages } => {
                if let Some(messages) = messages {
                    self.send_restated(messages, None);
                }
                (RunFinishedOutcome::Interrupt(RunFinishedInterruptOutcome::new(interrupts)), None)
            }
            TerminalOutcome::Cancelled => {
                (RunFinishedOutcome::Cancelled(RunFinishedCancelledOutcome::new()), None)
            }
        };
        let mut finished =
            RunFinishedEvent::new(self.thread_id.clone(), self.run_id.clone()).with_outcome(outcome);
        finished.result = result;
        finished.usage = usage;
        finished.into()
    }

    fn interrupts_client_call(&self, interrupts: &InterruptList) -> bool {
        let pending: HashSet<_> =
            self.pending.values().filter(|call| call.frontend).map(|call| &call.id).collect();
        interrupted_calls(interrupts)
            .any(|asked| self.conversation.is_client_call(asked) || pending.contains(asked))
    }

    fn success(&mut self) -> RunFinishedOutcome {
        let mut success = RunFinishedSuccessOutcome::new();
        if !self.pending.is_empty() {
            let pending = std::mem::take(&mut self.pending);
            success.pending_tool_call_ids = Some(pending.into_values().map(|call| call.id).collect());
        }
        RunFinishedOutcome::Success(success)
    }
}

/// Returns the calls that the interrupts are about.
fn interrupted_calls(interrupts: &InterruptList) -> impl Iterator<Item = &ToolCallId> {
    interrupts.iter().filter_map(|interrupt| interrupt.tool_call_id.as_ref())
}
