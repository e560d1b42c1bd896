//! Which answers count: those to questions that were really asked.
//!
//! A client holds the conversation, so it can write a call that was never made and an answer that was never asked for. An answer
//! therefore counts only with proof of its question. Without a thread store the proof travels with the question: its id ends in a
//! token that only this server can make ([`token`]).
//!
//! ```text
//! the run that asks:  agent's id ─▶ Consent::wire_id ─▶ id.token ─▶ client
//! the next run:       client ─▶ id.token ─▶ Consent::admit ─▶ agent's id, and the calls that may be taken up
//! ```
//!
//! Both happen outside of the kernel: it and the agent only see the agent's own ids.

mod arguments;
mod call;
mod key;
mod proof;
mod refused;
mod token;

use std::collections::{HashMap, HashSet};
use std::mem;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use self::call::CallDigest;
use self::token::{Claims, Place};
use super::ResumedError;
use super::index::calls;
use crate::date;
use crate::manifest::AgentSource;
use crate::protocol::{Interrupt, InterruptId, ResumeStatus, RunAgentInput, ToolCall, ToolCallId};

pub use key::{InterruptKey, InterruptKeyError};
pub(crate) use proof::Proof;
use refused::UnaskedError;

/// The questions of one run: those it answers, and those it asks.
#[derive(Debug)]
pub(crate) struct Consent {
    proof: Proof,
    /// The run's own agent. Asked for its name only when there is a question, because a source is not free.
    agent: fn() -> AgentSource,
    /// The calls that the answers of this run are about, as they were when the questions were asked.
    answered: HashSet<CallDigest>,
    /// The calls that this run leaves to questions.
    left: Mutex<HashMap<ToolCallId, CallDigest>>,
}

impl Consent {
    pub(crate) fn new(proof: Proof, agent: fn() -> AgentSource) -> Self {
        Self { proof, agent, answered: HashSet::new(), left: Mutex::default() }
    }

    /// Takes the proof off each answer: `resume` then holds the answers that count, under the ids that the agent gave.
    ///
    /// A refusal leaves no answer at all: consent that is half read is none. A cancelled question without proof is only ignored,
    /// because giving up allows nothing, and a client must be able to leave a question behind whose proof has become worthless
    /// (AG-UI 1.0, section "Interrupt and `ResumeEntry`": an entry for an unknown interrupt is ignored).
    pub(crate) fn admit(
        proof: Proof,
        agent: fn() -> AgentSource,
        input: &mut RunAgentInput,
        now: impl FnOnce() -> Option<SystemTime>,
    ) -> (Self, Result<(), ResumedError>) {
        let mut consent = Self::new(proof, agent);
        if matches!(consent.proof, Proof::Unsigned) || input.resume().is_empty() {
            return (consent, Ok(()));
        }
        let admitted = consent.read(input, now());
        if admitted.is_err() {
            input.resume = None;
        }
        (consent, admitted)
    }

    fn read(&mut self, input: &mut RunAgentInput, now: Option<SystemTime>) -> Result<(), ResumedError> {
        let key = self.proof.key().ok();
        let place = Place { agent: (self.agent)().name, thread: &input.thread_id };
        let mut questions = HashSet::new();
        let mut about = Vec::new();
        let mut ignored = 0_usize;
        let mut admitted = Vec::new();
        for mut entry in mem::take(&mut input.resume).into_iter().flatten() {
            let signed = key.as_ref().and_then(|key| token::read(key, &place, &entry.interrupt_id));
            let Some((id, claims)) = signed else {
                if entry.status == ResumeStatus::Cancelled {
                    ignored += 1;
                    continue;
                }
                return Err(ResumedError::NotAsked { id: entry.interrupt_id });
            };
            if entry.status == ResumeStatus::Resolved && claims.is_expired(now) {
                return Err(ResumedError::Expired { id });
            }
            if !questions.insert(id.clone()) {
                return Err(ResumedError::Twice { id });
            }
            about.extend(claims.call.map(|call| (id.clone(), entry.status, call)));
            entry.interrupt_id = id;
            if entry.status == ResumeStatus::Cancelled {
                // Giving up says nothing else (AG-UI 1.0, section "Interrupt utilities"): an agent that forgets to look at the
                // status must not find consent behind it.
                entry.payload = None;
            }
            admitted.push(entry);
        }
        if ignored > 0 {
            tracing::warn!(
                ignored,
                "cancelled interrupts that were not asked, or not by this server, are ignored"
            );
        }
        if !about.is_empty() {
            let told: HashSet<_> = calls(&input.messages).map(CallDigest::of).collect();
            for (id, status, call) in about {
                if told.contains(&call) {
                    self.answered.insert(call);
                } else if status == ResumeStatus::Resolved {
                    return Err(ResumedError::CallChanged { id });
                }
            }
        }
        input.resume = Some(admitted);
        Ok(())
    }

    /// Whether an answer of this run is about the call as it stands in the conversation.
    pub(crate) fn is_about(&self, call: &ToolCall) -> bool {
        match self.proof {
            Proof::Unsigned => true,
            _ => !self.answered.is_empty() && self.answered.contains(&CallDigest::of(call)),
        }
    }

    /// Notes a call that is left to a question, with the text of its arguments as the client has it.
    pub(crate) fn leave(&self, id: &ToolCallId, tool: &str, arguments: &str) {
        if !matches!(self.proof, Proof::Unsigned) {
            let call = CallDigest::of_parts(id, tool, arguments);
            self.left.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), call);
        }
    }

    /// The id under which a question goes out. The same question of the same run has the same id each time.
    pub(crate) fn wire_id(
        &self,
        input: &RunAgentInput,
        question: &Interrupt,
    ) -> Result<InterruptId, UnaskedError> {
        if matches!(self.proof, Proof::Unsigned) {
            return Ok(question.id.clone());
        }
        let expires_at = match &question.expires_at {
            None => None,
            Some(text) => Some(date::read(text).ok_or_else(|| UnaskedError::expiry(question))?),
        };
        let call = question.tool_call_id.as_ref().and_then(|id| self.call(input, id));
        let claims = Claims::new(&input.run_id, call, expires_at);
        let key = self.proof.key_to_ask().map_err(UnaskedError::key)?;
        let place = Place { agent: (self.agent)().name, thread: &input.thread_id };
        Ok(token::sign(&key, &place, &question.id, &claims))
    }

    /// A call that this run left, or that it may take up. No other call is proven to be the agent's.
    fn call(&self, input: &RunAgentInput, id: &ToolCallId) -> Option<CallDigest> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner).get(id).copied();
        left.or_else(|| {
            let told = calls(&input.messages).filter(|call| call.id == *id);
            told.map(CallDigest::of).find(|call| self.answered.contains(call))
        })
    }
}
