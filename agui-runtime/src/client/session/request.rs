//! What the next run is asked with.

use super::Session;
use crate::protocol::{NonNull, ResumeEntry, RunAgentInput};

impl<S> Session<S> {
    /// AG-UI 1.0, section "Agent object".
    pub(super) fn input(&mut self, resume: Option<Vec<ResumeEntry>>) -> RunAgentInput {
        let mut input = RunAgentInput::new(&self.thread_id, self.ids.run(), self.messages());
        input.tools = Some(self.tools.declared());
        input.context = Some(self.context.clone());
        input.forwarded_props.clone_from(&self.forwarded_props);
        input.state = self.sent_state();
        input.resume = resume;
        input
    }

    pub(super) fn sent_state(&self) -> Option<NonNull> {
        NonNull::new(self.state_value().clone())
    }
}
