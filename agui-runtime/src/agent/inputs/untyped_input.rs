//! The part of an input that does not depend on the type of its agent: compiled once, and not for each agent.

use std::sync::{Arc, OnceLock};

use crate::agent::interrupts::index::Index;
use crate::consent::Consent;
use crate::emit::RunShared;
use crate::kernel::QuestionId;
use crate::protocol::any_json::allowance::Allowance;
use crate::protocol::{Message, ResumeEntry, RunAgentInput};

pub(crate) struct UntypedInput {
    pub(in crate::agent) sent: Arc<RunAgentInput>,
    shared: Arc<RunShared>,
    path: String,
    index: OnceLock<Index>,
}

impl UntypedInput {
    pub(in crate::agent) fn new(sent: Arc<RunAgentInput>, shared: Arc<RunShared>, path: String) -> Self {
        Self { sent, shared, path, index: OnceLock::new() }
    }

    /// Returns the questions and answers of this run.
    pub(crate) fn consent(&self) -> &Consent {
        self.shared.consent()
    }

    /// Returns the memory that values of this run may take.
    pub(in crate::agent) fn allowance(&self) -> &Allowance {
        self.shared.allowance()
    }

    pub(in crate::agent) fn messages(&self) -> &[Message] {
        &self.sent.messages
    }

    /// Returns the index of the calls and answers of the conversation.
    pub(in crate::agent) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.sent.messages))
    }

    /// Returns the answers to typed questions of all agents of the run.
    pub(in crate::agent) fn typed_answers(&self) -> impl Iterator<Item = (&ResumeEntry, QuestionId<'_>)> {
        self.sent.resume().iter().filter_map(|entry| Some((entry, QuestionId::of(&entry.interrupt_id)?)))
    }

    /// Returns the path of this agent among the subagents of the run.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Returns true if this agent asked the question, and not a subagent.
    pub(in crate::agent) fn is_own(&self, question: QuestionId<'_>) -> bool {
        question.agent == self.path
    }
}
