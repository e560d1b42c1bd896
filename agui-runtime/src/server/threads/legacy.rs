//! The events of a thread for a legacy client: a thread is stored as 1.0 says it, whichever client began the run.

use super::store::Threads;
use crate::kernel::Peer;
use crate::protocol::allowance::Allowance;
use crate::protocol::{Event, NonNull, SubagentRunId};
use crate::server::client_state::ClientState;
use crate::server::rejection::Rejection;
use crate::thread::{Folded, Head, NotedRun, ThreadKey};

/// The position from which events are converted. It is before the response of a client that continues in the middle of a run: the
/// names of steps, and whether a delta needs a snapshot, depend on the events that the client has received.
#[derive(Default)]
pub(super) struct Since {
    /// The record before the first that is converted.
    pub(super) after: u64,
    /// The state at this position, or the one that the client sent.
    pub(super) state: Option<NonNull>,
    pub(super) allowance: Allowance,
}

impl Since {
    /// Returns the position for a client that continues after a record of a run.
    pub(super) async fn begin_of(
        run: &NotedRun,
        threads: &Threads,
        key: &ThreadKey,
        head: &Head,
        cursor: u64,
    ) -> Result<Self, Rejection> {
        // A run whose beginning is trimmed has only its end left, where nothing is open.
        let after = if run.first < head.first { cursor } else { run.first };
        let thread = Folded::load_until(&threads.log, key, after).await?;
        let state = thread.state().cloned().and_then(NonNull::new);
        Ok(Self { after, state, allowance: Allowance::default() })
    }
}

/// The conversion of one response.
pub(super) struct LegacyEvents {
    state: ClientState,
    steps: Vec<Step>,
}

/// An open step.
struct Step {
    author: Option<SubagentRunId>,
    name: String,
    /// Its name for a client that attributes all steps to one author.
    sent: String,
}

impl LegacyEvents {
    pub(super) fn new(state: Option<NonNull>, allowance: Allowance) -> Self {
        Self { state: ClientState::new(state, allowance), steps: Vec::new() }
    }

    /// Returns the events that the client gets instead of one.
    pub(super) fn convert(&mut self, mut event: Event) -> [Option<Event>; 2] {
        self.name_step(&mut event);
        if let Event::RunStarted(started) = &mut event {
            // These clients know no echo of an input, and no metadata.
            (started.input, started.metadata) = (None, None);
        }
        let Some(event) = Peer::Legacy.readable(event) else { return [None, None] };
        self.state.admit(event)
    }

    /// Gives steps of several authors different names while they are open.
    fn name_step(&mut self, event: &mut Event) {
        match event {
            Event::StepStarted(step) => {
                let mut sent = step.step_name.clone();
                let mut number = 1;
                while self.steps.iter().any(|open| open.sent == sent) {
                    number += 1;
                    sent = format!("{}#{number}", step.step_name);
                }
                let name = std::mem::replace(&mut step.step_name, sent.clone());
                self.steps.push(Step { author: step.subagent_run_id.clone(), name, sent });
            }
            Event::StepFinished(step) => {
                let is_it = |open: &Step| open.author == step.subagent_run_id && open.name == step.step_name;
                if let Some(place) = self.steps.iter().position(is_it) {
                    step.step_name = self.steps.remove(place).sent;
                }
            }
            Event::RunStarted(_) => self.steps.clear(),
            _ => {}
        }
    }
}
