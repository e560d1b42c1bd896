//! The events of a thread for a client from before 1.0: a thread is kept as 1.0 says it, whichever client began the run.

use crate::kernel::Peer;
use crate::protocol::allowance::Allowance;
use crate::protocol::{Event, NonNull, SubagentRunId};
use crate::server::client_state::ClientState;

/// The state that a client holds where its response begins.
pub(super) enum Holds {
    /// The one that it sent, if it sent any.
    Sent(Option<NonNull>, Allowance),
    /// That of the events which it has received so far: every delta applies to it.
    Received,
}

/// The conversion of one response.
pub(super) struct Older {
    state: Option<ClientState>,
    steps: Vec<Step>,
}

/// An open step.
struct Step {
    author: Option<SubagentRunId>,
    name: String,
    /// Its name for a client that attributes all steps to one author.
    sent: String,
}

impl Older {
    pub(super) fn new(holds: Holds) -> Self {
        let state = match holds {
            Holds::Sent(sent, allowance) => Some(ClientState::new(sent, allowance)),
            Holds::Received => None,
        };
        Self { state, steps: Vec::new() }
    }

    /// Returns the events that the client gets instead of one.
    pub(super) fn convert(&mut self, mut event: Event) -> [Option<Event>; 2] {
        self.name_step(&mut event);
        if let Event::RunStarted(started) = &mut event {
            // These clients know no echo of an input, and no metadata.
            (started.input, started.metadata) = (None, None);
        }
        let Some(event) = Peer::Legacy.readable(event) else { return [None, None] };
        match &mut self.state {
            Some(state) => state.admit(event),
            None => [None, Some(event)],
        }
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
