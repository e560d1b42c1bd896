//! Proof that a resume entry belongs to an interrupt that was raised.
//!
//! A client holds the conversation, so the client can write a call that was never made and resume an interrupt that was never
//! raised. A resume entry therefore counts only with proof of its interrupt. Without a thread store the proof travels with the
//! interrupt: the interrupt id ends in a token that only this server can make ([`signed`]).
//!
//! ```text
//! the run that asks:  agent's id ─▶ RunConsent::sign ─▶ id.token ─▶ client
//! the next run:       client ─▶ id.token ─▶ RunConsent::admit ─▶ agent's id, and the calls that may be taken up
//!                     just before the agent is called: RunConsent::use_up, for an entry counts once
//! ```
//!
//! All this happens outside the kernel: kernel and agent see only the ids that the agent gave.

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
use self::signed::{SignedInterrupts, UnsignedInterruptError};
#[cfg(not(feature = "signed-interrupts"))]
use self::unavailable::{SignedInterrupts, UnsignedInterruptError};
use crate::kernel::Clock;
use crate::manifest::AgentSource;
#[cfg(all(feature = "model", feature = "signed-interrupts"))]
use crate::protocol::MessageId;
#[cfg(feature = "tool-servers")]
use crate::protocol::ThreadId;
use crate::protocol::{Interrupt, InterruptId, RunAgentInput, ToolCall, ToolCallId};

pub(crate) use call_step::{call_step, step_below, step_of};
pub(crate) use proof::InterruptProof;
pub use resumed_error::ResumedError;
#[cfg(feature = "tool-servers")]
pub(crate) use signed::InterruptedCall;
#[cfg(feature = "signed-interrupts")]
pub use signed::{InterruptKey, InterruptKeyError};

/// One run's interrupts: resumed ones and raised ones.
#[derive(Debug)]
pub(crate) struct RunConsent {
    proof: InterruptProof,
    /// Calls that a lost server left without results, if the run is run again. These calls need no resume entry.
    lost: Option<HashSet<ToolCallId>>,
    questions: SignedInterrupts,
}

impl RunConsent {
    /// `agent` returns the source of the run's agent. Called only if the run has an interrupt, because building a source has a
    /// cost.
    pub(crate) fn new(proof: InterruptProof, agent: fn() -> AgentSource, clock: Clock) -> Self {
        Self { proof, lost: None, questions: SignedInterrupts::new(agent, clock) }
    }

    /// Removes the proof from each resume entry: `resume` then holds the valid entries, under the ids that the agent gave.
    ///
    /// A refusal removes all entries, because partial consent is no consent. A cancelled interrupt without proof is only ignored:
    /// a cancellation allows nothing, and a client must be able to abandon an interrupt whose proof is no longer valid (AG-UI 1.0,
    /// section "Interrupt and `ResumeEntry`": an entry for an unknown interrupt is ignored). A lone call refuses such an entry.
    pub(crate) fn admit(
        proof: InterruptProof,
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

    /// Uses up this run's resume entries at the last moment before the agent may act on them: a refused run leaves the entries to
    /// another run.
    pub(crate) fn use_up(&self) -> Result<(), ResumedError> {
        self.questions.use_up(&self.proof)
    }

    /// Returns the ids of this run's admitted resume entries, as the client has them. Without signatures the iterator is empty.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn wire_ids(&self) -> impl Iterator<Item = &InterruptId> {
        self.questions.wire_ids()
    }

    /// Records a call that is left to an interrupt, with the arguments text as the client has it.
    pub(crate) fn leave(&self, id: &ToolCallId, tool: &str, arguments: &str) {
        if !self.proof.is_unsigned() {
            self.questions.leave(id, tool, arguments);
        }
    }

    /// Signs an interrupt: sets the id and the expiry that go out. An expiry from the agent is kept.
    pub(crate) fn sign(
        &self,
        input: &RunAgentInput,
        question: &mut Interrupt,
    ) -> Result<(), UnsignedInterruptError> {
        if self.proof.is_unsigned() { Ok(()) } else { self.questions.sign(&self.proof, input, question) }
    }

    /// Returns the wire id that the run gives the interrupt. An interrupt that cannot be signed keeps its own id: the run then
    /// fails, or the agent does not raise the interrupt.
    pub(crate) fn asked_as(&self, input: &RunAgentInput, question: &Interrupt) -> InterruptId {
        let signed = match self.proof.is_unsigned() {
            true => None,
            false => self.questions.wire_id(&self.proof, input, question).ok(),
        };
        signed.unwrap_or_else(|| question.id.clone())
    }

    /// Returns the ids of calls that this run's resume entries are about. Without signatures the iterator is empty.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &ToolCallId> {
        self.questions.resumed_call_ids()
    }

    /// True if one of this run's resume entries is about the call as the conversation has it, or if a lost server of this run made
    /// the call.
    pub(crate) fn is_about(&self, call: &ToolCall) -> bool {
        self.proof.is_unsigned() || self.is_lost(call) || self.questions.is_about(call)
    }

    /// True if a lost server of this run made the call and left it without a result.
    pub(crate) fn is_lost(&self, call: &ToolCall) -> bool {
        self.lost.as_ref().is_some_and(|lost| lost.contains(&call.id))
    }

    /// True if the run is run again after losing its server.
    pub(crate) fn is_restarted(&self) -> bool {
        self.lost.is_some()
    }

    pub(crate) fn with_lost_calls(mut self, lost: Option<HashSet<ToolCallId>>) -> Self {
        self.lost = lost;
        self
    }

    /// True if the run can seal values for its client to keep: there is a key that outlives the process.
    #[cfg(all(feature = "model", feature = "signed-interrupts"))]
    pub(crate) fn can_seal(&self) -> bool {
        SignedInterrupts::can_seal(&self.proof)
    }

    /// Encrypts a text that the client keeps with a message; `None` if the run [cannot](Self::can_seal).
    #[cfg(all(feature = "model", feature = "signed-interrupts"))]
    pub(crate) fn seal(&self, input: &RunAgentInput, message: &MessageId, text: &str) -> Option<String> {
        self.questions.seal(&self.proof, (&input.thread_id, message), text)
    }

    /// Decrypts a text that a run of this agent sealed for this message of this thread; `None` for everything else.
    #[cfg(all(feature = "model", feature = "signed-interrupts"))]
    pub(crate) fn open_sealed(
        &self,
        input: &RunAgentInput,
        message: &MessageId,
        sealed: &str,
    ) -> Option<String> {
        self.questions.open_sealed(&self.proof, (&input.thread_id, message), sealed)
    }

    /// Encrypts a text that a caller keeps until the call is resumed, under the key that signs interrupts; `None` without a key or
    /// random numbers.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn seal_for_call(
        &self,
        thread: &ThreadId,
        call: InterruptedCall<'_>,
        text: &str,
    ) -> Option<String> {
        self.questions.seal_for_call(&self.proof, (thread, call), text)
    }

    /// Decrypts a text that was sealed for this interrupted call of this agent, on this thread; `None` for everything else.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn open_for_call(
        &self,
        thread: &ThreadId,
        call: InterruptedCall<'_>,
        sealed: &str,
    ) -> Option<String> {
        self.questions.open_for_call(&self.proof, (thread, call), sealed)
    }

    /// Returns the name of the run's agent, and the party that the run is for, if named.
    #[cfg(feature = "a2a")]
    pub(crate) fn parties(&self) -> (&'static str, Option<&str>) {
        (self.questions.agent(), self.proof.subject())
    }
}

/// Without signed interrupts there is no key, and nothing can be sealed.
#[cfg(all(feature = "model", not(feature = "signed-interrupts")))]
#[expect(clippy::unused_self, reason = "the other feature reads the key")]
impl RunConsent {
    pub(crate) fn can_seal(&self) -> bool {
        false
    }

    pub(crate) fn seal(&self, _: &RunAgentInput, _: &crate::protocol::MessageId, _: &str) -> Option<String> {
        None
    }

    pub(crate) fn open_sealed(
        &self,
        _: &RunAgentInput,
        _: &crate::protocol::MessageId,
        _: &str,
    ) -> Option<String> {
        None
    }
}
