//! The next run's input.

use super::Session;
use crate::protocol::{NonNull, ResumeEntry, RunAgentInput};

impl<S> Session<S> {
    /// Builds the input (AG-UI 1.0, section "Agent object").
    pub(super) fn input(&mut self, resume: Option<Vec<ResumeEntry>>) -> RunAgentInput {
        let mut input = RunAgentInput::new(&self.thread_id, self.ids.run(), self.messages());
        input.tools = Some(self.tools.declared().into());
        input.context = Some(self.context.as_slice().into());
        input.forwarded_props.clone_from(&self.forwarded_props);
        input.state = self.sent_state();
        input.resume = resume.map(Into::into);
        input
    }

    pub(super) fn sent_state(&self) -> Option<NonNull> {
        NonNull::new(self.state_value().clone())
    }
}
