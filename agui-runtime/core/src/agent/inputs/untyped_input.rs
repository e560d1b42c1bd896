//! The input part that does not depend on the agent type: compiled once, not for each agent.

use std::sync::{Arc, OnceLock};

use crate::agent::interrupts::index::ConversationIndex;
use crate::consent::RunConsent;
use crate::emit::RunShared;
use crate::kernel::TypedInterruptId;
use crate::protocol::any_json::allowance::MemoryAllowance;
use crate::protocol::{Message, ResumeEntry, RunAgentInput};

pub(crate) struct UntypedInput {
    pub(in crate::agent) sent: Arc<RunAgentInput>,
    shared: Arc<RunShared>,
    path: String,
    index: OnceLock<ConversationIndex>,
}

impl UntypedInput {
    pub(in crate::agent) fn new(sent: Arc<RunAgentInput>, shared: Arc<RunShared>, path: String) -> Self {
        Self { sent, shared, path, index: OnceLock::new() }
    }

    /// Returns this run's interrupts and resume entries.
    pub(crate) fn consent(&self) -> &RunConsent {
        self.shared.consent()
    }

    /// Returns the memory allowance for this run's values.
    pub(in crate::agent) fn allowance(&self) -> &MemoryAllowance {
        self.shared.allowance()
    }

    pub(in crate::agent) fn messages(&self) -> &[Message] {
        &self.sent.messages
    }

    /// Returns the conversation's index.
    pub(in crate::agent) fn index(&self) -> &ConversationIndex {
        self.index.get_or_init(|| ConversationIndex::from_messages(&self.sent.messages))
    }

    /// Returns the resume entries for typed interrupts, for all agents in the run.
    pub(in crate::agent) fn typed_entries(
        &self,
    ) -> impl Iterator<Item = (&ResumeEntry, TypedInterruptId<'_>)> {
        self.sent
            .resume()
            .iter()
            .filter_map(|entry| Some((entry, TypedInterruptId::from_id(&entry.interrupt_id)?)))
    }

    /// Returns this agent's path among the run's subagents.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// True if this agent, not a subagent, sent the interrupt.
    pub(in crate::agent) fn is_own(&self, question: TypedInterruptId<'_>) -> bool {
        question.agent == self.path
    }
}
