//! Signs a run's interrupts: the id and the expiry under which each goes out.

use std::sync::PoisonError;
use std::time::SystemTime;

use super::Questions;
use super::call::CallDigest;
use super::token::{self, Claims, RunDigest};
use super::unasked_error::UnaskedError;
use crate::consent::Proof;
use crate::date;
use crate::protocol::{Interrupt, InterruptId, RunAgentInput, ToolCallId};

impl Questions {
    pub(in crate::consent) fn leave(&self, id: &ToolCallId, tool: &str, arguments: &str) {
        let call = CallDigest::of_parts(id, tool, arguments);
        self.left.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), call);
    }

    pub(in crate::consent) fn sign(
        &self,
        proof: &Proof,
        input: &RunAgentInput,
        question: &mut Interrupt,
    ) -> Result<(), UnaskedError> {
        let id = self.wire_id(proof, input, question)?;
        if question.expires_at.is_none() {
            question.expires_at = self.default_expiry(proof).and_then(date::write);
        }
        question.id = id;
        Ok(())
    }

    /// Returns the id under which an interrupt goes out. The same interrupt in the same run always has the same id.
    pub(in crate::consent) fn wire_id(
        &self,
        proof: &Proof,
        input: &RunAgentInput,
        question: &Interrupt,
    ) -> Result<InterruptId, UnaskedError> {
        let expires_at = match &question.expires_at {
            None => self.default_expiry(proof),
            Some(text) => Some(date::read(text).ok_or_else(|| UnaskedError::expiry(question))?),
        };
        let call = question.tool_call_id.as_ref().and_then(|id| self.call(id));
        // The time only distinguishes used answers from new ones. Tests leave it out, so that they sign alike each
        // time.
        let asked_at = self.asked_at().filter(|_| !proof.is_repeatable());
        let run = *self.run.get_or_init(|| RunDigest::of(&input.run_id));
        let claims = Claims::new(run, call, asked_at, expires_at);
        proof.warn_before_asking().map_err(UnaskedError::key)?;
        let codes = self.codes(proof, &input.thread_id).map_err(UnaskedError::key)?;
        Ok(token::sign(codes, &question.id, &claims))
    }

    fn asked_at(&self) -> Option<SystemTime> {
        *self.asked_at.get_or_init(|| self.clock.now())
    }

    /// Returns the expiry for interrupts to which the agent gave none; `None` on a target without a clock.
    fn default_expiry(&self, proof: &Proof) -> Option<SystemTime> {
        self.asked_at().and_then(|asked_at| proof.expiry(asked_at))
    }

    /// Returns the digest for a call that this run left or may resume. Other calls are not proven to be the agent's.
    fn call(&self, id: &ToolCallId) -> Option<CallDigest> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        left.or_else(|| self.answered.get(id)?.first().copied())
    }
}
