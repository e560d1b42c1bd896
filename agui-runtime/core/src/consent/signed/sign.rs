//! Signs a run's interrupts: the id and the expiry under which each goes out.

use std::sync::PoisonError;
use std::time::SystemTime;

use super::SignedInterrupts;
use super::call::CallDigest;
use super::token::{self, RunDigest, TokenClaims};
use super::unasked_error::UnsignedInterruptError;
use crate::consent::InterruptProof;
use crate::date;
use crate::protocol::{Interrupt, InterruptId, RunAgentInput, ToolCallId};

impl SignedInterrupts {
    pub(in crate::consent) fn leave(&self, id: &ToolCallId, tool: &str, arguments: &str) {
        let call = CallDigest::from_parts(id, tool, arguments);
        self.left.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), call);
    }

    pub(in crate::consent) fn sign(
        &self,
        proof: &InterruptProof,
        input: &RunAgentInput,
        question: &mut Interrupt,
    ) -> Result<(), UnsignedInterruptError> {
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
        proof: &InterruptProof,
        input: &RunAgentInput,
        question: &Interrupt,
    ) -> Result<InterruptId, UnsignedInterruptError> {
        let expires_at = match &question.expires_at {
            None => self.default_expiry(proof),
            Some(text) => Some(date::read(text).ok_or_else(|| UnsignedInterruptError::expiry(question))?),
        };
        let call = question.tool_call_id.as_ref().and_then(|id| self.call(id));
        // The time only distinguishes used answers from new ones. Tests leave it out, so that they sign alike each
        // time.
        let asked_at = self.asked_at().filter(|_| !proof.is_repeatable());
        let run = *self.run.get_or_init(|| RunDigest::from_run(&input.run_id));
        let claims = TokenClaims::new(run, call, asked_at, expires_at);
        proof.warn_before_asking().map_err(UnsignedInterruptError::key)?;
        let codes = self.codes(proof, &input.thread_id).map_err(UnsignedInterruptError::key)?;
        Ok(token::append_token(codes, &question.id, &claims))
    }

    fn asked_at(&self) -> Option<SystemTime> {
        *self.asked_at.get_or_init(|| self.clock.now())
    }

    /// Returns the expiry for interrupts to which the agent gave none; `None` on a target without a clock.
    fn default_expiry(&self, proof: &InterruptProof) -> Option<SystemTime> {
        self.asked_at().and_then(|asked_at| proof.expiry(asked_at))
    }

    /// Returns the digest for a call that this run left or may resume. Other calls are not proven to be the agent's.
    fn call(&self, id: &ToolCallId) -> Option<CallDigest> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        left.or_else(|| self.resumed_calls.get(id)?.first().copied())
    }
}
