//! Proof that an answer belongs to a question that was asked.
//!
//! A client holds the conversation, so it can write a call that was never made and an answer that was never asked for.
//! An answer therefore counts only with proof of its question. Without a thread store the proof travels with the
//! question: its id ends in a token that only this server can make ([`signed`]).
//!
//! ```text
//! the run that asks:  agent's id ─▶ Consent::sign ─▶ id.token ─▶ client
//! the next run:       client ─▶ id.token ─▶ Consent::admit ─▶ agent's id, and the calls that may be taken up
//!                     just before the agent is called: Consent::use_up, for an answer counts once
//! ```
//!
//! All of this happens outside of the kernel: the kernel and the agent see only the ids that the agent gave.

mod call_step;
mod field;
mod proof;
mod resumed_error;
#[cfg(feature = "signed-interrupts")]
mod signed;
#[cfg(any(test, not(feature = "signed-interrupts")))]
mod unavailable;

use std::collections::HashSet;

#[cfg(feature = "signed-interrupts")]
use self::signed::{Questions, UnaskedError};
#[cfg(not(feature = "signed-interrupts"))]
use self::unavailable::{Questions, UnaskedError};
use crate::kernel::Clock;
use crate::manifest::AgentSource;
use crate::protocol::{Interrupt, InterruptId, RunAgentInput, ToolCall, ToolCallId};

pub(crate) use call_step::{call_step, step_below, step_of};
pub(crate) use proof::Proof;
pub use resumed_error::ResumedError;
#[cfg(feature = "signed-interrupts")]
pub use signed::{InterruptKey, InterruptKeyError};

/// The questions of one run: those that it answers, and those that it asks.
#[derive(Debug)]
pub(crate) struct Consent {
    proof: Proof,
    /// The calls that a lost server of this run left without results, if it is run again. They need no answer.
    lost: Option<HashSet<ToolCallId>>,
    questions: Questions,
}

impl Consent {
    /// `agent` returns the source of the run's agent. It is called only if there is a question, because building a source
    /// is not free.
    pub(crate) fn new(proof: Proof, agent: fn() -> AgentSource, clock: Clock) -> Self {
        Self { proof, lost: None, questions: Questions::new(agent, clock) }
    }

    /// Removes the proof from each answer: `resume` then holds the valid answers, under the ids that the agent gave.
    ///
    /// A refusal removes all answers, because partial consent is no consent. A cancelled question without proof is only
    /// ignored: a cancellation allows nothing, and a client must be able to abandon a question whose proof is no longer
    /// valid (AG-UI 1.0, section "Interrupt and `ResumeEntry`": an entry for an unknown interrupt is ignored).
    pub(crate) fn admit(
        proof: Proof,
        agent: fn() -> AgentSource,
        input: &mut RunAgentInput,
        clock: Clock,
    ) -> (Self, Result<(), ResumedError>) {
        let mut consent = Self::new(proof, agent, clock);
        if consent.proof.is_unsigned() || input.resume().is_empty() {
            return (consent, Ok(()));
        }
        let admitted = consent.questions.admit(&consent.proof, input);
        if admitted.is_err() {
            input.resume = None;
        }
        (consent, admitted)
    }

    /// Uses up the answers of this run, at the last moment before the agent may act on them: a run that is refused
    /// leaves them to another run.
    pub(crate) fn use_up(&self) -> Result<(), ResumedError> {
        self.questions.use_up(&self.proof)
    }

    /// Records a call that is left to a question, with the text of its arguments as the client has it.
    pub(crate) fn leave(&self, id: &ToolCallId, tool: &str, arguments: &str) {
        if !self.proof.is_unsigned() {
            self.questions.leave(id, tool, arguments);
        }
    }

    /// Signs a question: sets the id and the expiry that go out. An expiry that the agent gave is kept.
    pub(crate) fn sign(&self, input: &RunAgentInput, question: &mut Interrupt) -> Result<(), UnaskedError> {
        if self.proof.is_unsigned() { Ok(()) } else { self.questions.sign(&self.proof, input, question) }
    }

    /// Returns the id that the run gives the question. A question that cannot be asked keeps its own id: the run then
    /// fails, or its agent does not ask it.
    pub(crate) fn asked_as(&self, input: &RunAgentInput, question: &Interrupt) -> InterruptId {
        let signed = match self.proof.is_unsigned() {
            true => None,
            false => self.questions.wire_id(&self.proof, input, question).ok(),
        };
        signed.unwrap_or_else(|| question.id.clone())
    }

    /// Returns the ids of the calls that the answers of this run are about. Without signatures there are none.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &ToolCallId> {
        self.questions.answered_calls()
    }

    /// Returns true if an answer of this run is about the call as it is in the conversation, or if a lost server of this
    /// run made it.
    pub(crate) fn is_about(&self, call: &ToolCall) -> bool {
        self.proof.is_unsigned() || self.is_lost(call) || self.questions.is_about(call)
    }

    /// Returns true if a lost server of this run made the call, and left it without a result.
    pub(crate) fn is_lost(&self, call: &ToolCall) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost.contains(&call.id))
    }

    /// Returns true if the run is run again, after its server was lost.
    pub(crate) fn is_restarted(&self) -> bool {
        self.lost.is_some()
    }

    pub(crate) fn with_lost_calls(mut self, lost: Option<HashSet<ToolCallId>>) -> Self {
        self.lost = lost;
        self
    }

    /// Returns the name of the run's agent, and the party that the run is for, if it names one.
    #[cfg(feature = "a2a")]
    pub(crate) fn parties(&self) -> (&'static str, Option<&str>) {
        (self.questions.agent(), self.proof.subject())
    }
}
