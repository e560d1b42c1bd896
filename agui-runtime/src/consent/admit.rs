//! The admission of a run's answers: each must prove its question, and counts once.

use std::collections::{HashMap, HashSet};
use std::mem;

use super::call::{CallDigest, IdDigest, id_digest};
use super::token::{self, Signed};
use super::used::{self, Answer, Refused};
use super::{Consent, Proof, ResumedError};
use crate::kernel::Clock;
use crate::manifest::AgentSource;
use crate::protocol::{Message, ResumeStatus, RunAgentInput, ToolCall, ToolCallId};

impl Consent {
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
        let admitted = consent.read(input);
        if admitted.is_err() {
            input.resume = None;
        }
        (consent, admitted)
    }

    fn read(&mut self, input: &mut RunAgentInput) -> Result<(), ResumedError> {
        let codes = self.codes(&input.thread_id).ok();
        let place = self.place(&input.thread_id).digest();
        let now = self.clock.now();
        let mut answers = Vec::new();
        let mut questions = HashSet::new();
        let mut about = Vec::new();
        let mut ignored = 0_usize;
        let mut admitted = Vec::new();
        for mut entry in mem::take(&mut input.resume).iter().flat_map(|resume| resume.iter()).cloned() {
            let signed = codes.and_then(|codes| token::read(codes, &entry.interrupt_id));
            let Some(Signed { id, claims, code }) = signed else {
                if entry.status == ResumeStatus::Cancelled {
                    ignored += 1;
                    continue;
                }
                return Err(ResumedError::NotAsked { id: entry.interrupt_id });
            };
            let answer = Answer {
                place,
                code,
                asked_at: claims.asked_at.unwrap_or(i64::MIN),
                expires_at: claims.expires_at,
                allows: entry.status == ResumeStatus::Resolved,
            };
            if !self.proof.is_repeatable() && used::is_used(&answer) {
                if answer.allows {
                    return Err(ResumedError::Answered { id });
                }
                ignored += 1;
                continue;
            }
            if answer.allows && answer.is_expired(now) {
                return Err(ResumedError::Expired { id });
            }
            if !questions.insert(id.clone()) {
                return Err(ResumedError::Twice { id });
            }
            about.extend(claims.call.map(|call| (id.clone(), entry.status, call)));
            answers.push((id.clone(), answer));
            entry.interrupt_id = id;
            if entry.status == ResumeStatus::Cancelled {
                // A cancellation carries no payload (AG-UI 1.0, section "Interrupt utilities"): an agent that forgets
                // to look at the status must not find consent in it.
                entry.payload = None;
            }
            admitted.push(entry);
        }
        if ignored > 0 {
            tracing::warn!(
                ignored,
                "cancelled interrupts are ignored if this server did not ask them or they are answered already"
            );
        }
        if !about.is_empty() {
            self.answered = found(input, &about.iter().map(|(_, _, call)| *call).collect());
            let told: HashSet<_> = self.answered.values().flatten().collect();
            let lost = |(_, status, call): &(_, _, CallDigest)| {
                *status == ResumeStatus::Resolved && !told.contains(call)
            };
            if let Some((id, ..)) = about.into_iter().find(lost) {
                return Err(ResumedError::CallChanged { id });
            }
        }
        self.answers = answers;
        input.resume = Some(admitted.into());
        Ok(())
    }

    /// Uses up the answers of this run, at the last moment before the agent may act on them: a run that is refused
    /// leaves them to another run.
    pub(crate) fn use_up(&self) -> Result<(), ResumedError> {
        if self.answers.is_empty() || self.proof.is_repeatable() {
            return Ok(());
        }
        let answers: Vec<_> = self.answers.iter().map(|(_, answer)| *answer).collect();
        used::use_up(&answers, &self.clock).map_err(|refused| {
            let (Refused::Used(index) | Refused::Expired(index)) = refused;
            let id = self.answers.get(index).map_or_else(|| "".into(), |(id, _)| id.clone());
            match refused {
                Refused::Used(_) => ResumedError::Answered { id },
                Refused::Expired(_) => ResumedError::Expired { id },
            }
        })
    }

    /// Returns the ids of the calls that the answers of this run are about. Without signatures there are none.
    pub(crate) fn calls(&self) -> impl Iterator<Item = &ToolCallId> {
        self.answered.keys()
    }

    /// Returns true if an answer of this run is about the call as it is in the conversation, or if a lost server of this
    /// run made it.
    pub(crate) fn is_about(&self, call: &ToolCall) -> bool {
        let is_asked = |asked: &Vec<CallDigest>| asked.contains(&CallDigest::of(call));
        self.proof.is_unsigned() || self.is_lost(call) || self.answered.get(&call.id).is_some_and(is_asked)
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
}

/// The number of calls with one id that are compared with a question. An id belongs to one call, but stores of messages
/// may repeat a call.
const OF_ONE_ID: usize = 16;

/// Returns the calls of the conversation that are in `asked`, by their ids, oldest first.
fn found(input: &RunAgentInput, asked: &HashSet<CallDigest>) -> HashMap<ToolCallId, Vec<CallDigest>> {
    let mut found: HashMap<ToolCallId, Vec<CallDigest>> = HashMap::new();
    let mut left: HashMap<IdDigest, usize> = asked.iter().map(|call| (call.id, OF_ONE_ID)).collect();
    for call in input.messages.iter().flat_map(Message::tool_calls) {
        // Arguments may be long, so only the arguments of possible calls are read.
        let Some(left) = left.get_mut(&id_digest(&call.id)).filter(|left| **left > 0) else { continue };
        *left -= 1;
        let digest = CallDigest::of(call);
        if asked.contains(&digest) {
            let same_id = found.entry(call.id.clone()).or_default();
            if !same_id.contains(&digest) {
                same_id.push(digest);
            }
        }
    }
    found
}
