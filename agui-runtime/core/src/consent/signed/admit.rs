//! Admits a run's resume entries: each must prove its interrupt, and counts once.

use std::collections::{HashMap, HashSet};
use std::mem;

use super::call::{CallDigest, IdDigest, id_digest};
use super::token::{self, SignedInterrupt};
use super::used::{self, RefusedResumeEntry, SignedResumeEntry};
use super::{AdmittedEntry, SignedInterrupts};
use crate::consent::{InterruptProof, ResumedError};
use crate::protocol::{Message, ResumeStatus, RunAgentInput, ToolCallId};

impl SignedInterrupts {
    /// Removes the proof from each resume entry. After an error, the entries are undefined.
    pub(in crate::consent) fn admit(
        &mut self,
        proof: &InterruptProof,
        input: &mut RunAgentInput,
    ) -> Result<(), ResumedError> {
        let codes = self.codes(proof, &input.thread_id).ok();
        let place = self.place(proof, &input.thread_id).digest();
        let now = self.clock.now();
        let mut entries = Vec::new();
        let mut questions = HashSet::new();
        let mut about = Vec::new();
        let mut ignored = 0_usize;
        let mut admitted = Vec::new();
        for mut entry in mem::take(&mut input.resume).iter().flat_map(|resume| resume.iter()).cloned() {
            let is_cancelled = entry.status == ResumeStatus::Cancelled;
            let must_count = !is_cancelled || proof.counts_cancellations();
            let signed = codes.and_then(|codes| token::read(codes, &entry.interrupt_id));
            let Some(SignedInterrupt { id, claims, code }) = signed else {
                if !must_count {
                    ignored += 1;
                    continue;
                }
                return Err(ResumedError::NotAsked { id: entry.interrupt_id });
            };
            let signed_entry = SignedResumeEntry {
                place,
                code,
                asked_at: claims.asked_at.unwrap_or(i64::MIN),
                expires_at: claims.expires_at,
                must_count,
            };
            if !proof.is_repeatable() && used::is_used(&signed_entry) {
                if must_count {
                    return Err(ResumedError::Used { id });
                }
                ignored += 1;
                continue;
            }
            if must_count && signed_entry.is_expired(now) {
                return Err(ResumedError::Expired { id });
            }
            if !questions.insert(id.clone()) {
                return Err(ResumedError::Twice { id });
            }
            about.extend(claims.call.map(|call| (id.clone(), must_count, call)));
            let wire_id = mem::replace(&mut entry.interrupt_id, id.clone());
            entries.push(AdmittedEntry { id, wire_id, signed: signed_entry });
            if is_cancelled {
                // A cancellation carries no payload (AG-UI 1.0, section "Interrupt utilities"): an agent that forgets
                // to look at the status must not find consent in it.
                entry.payload = None;
            }
            admitted.push(entry);
        }
        if ignored > 0 {
            tracing::warn!(
                ignored,
                "cancelled interrupts are ignored if this server did not ask them or they were resumed already"
            );
        }
        if !about.is_empty() {
            self.resumed_calls = asked_calls(input, &about.iter().map(|(_, _, call)| *call).collect());
            let told: HashSet<_> = self.resumed_calls.values().flatten().collect();
            let lost = |(_, must_count, call): &(_, bool, CallDigest)| *must_count && !told.contains(call);
            if let Some((id, ..)) = about.into_iter().find(lost) {
                return Err(ResumedError::CallChanged { id });
            }
        }
        self.entries = entries;
        input.resume = Some(admitted.into());
        Ok(())
    }

    pub(in crate::consent) fn use_up(&self, proof: &InterruptProof) -> Result<(), ResumedError> {
        if self.entries.is_empty() || proof.is_repeatable() {
            return Ok(());
        }
        let entries: Vec<_> = self.entries.iter().map(|entry| entry.signed).collect();
        used::use_up(&entries, &self.clock).map_err(|refused| {
            let (RefusedResumeEntry::Used(index) | RefusedResumeEntry::Expired(index)) = refused;
            let id = self.entries.get(index).map_or_else(|| "".into(), |entry| entry.id.clone());
            match refused {
                RefusedResumeEntry::Used(_) => ResumedError::Used { id },
                RefusedResumeEntry::Expired(_) => ResumedError::Expired { id },
            }
        })
    }
}

/// The number of calls under one id that are compared with an interrupt. An id belongs to one call, but message stores may repeat
/// a call.
const OF_ONE_ID: usize = 16;

/// Returns the conversation's calls that are in `asked`, by id, oldest first.
fn asked_calls(input: &RunAgentInput, asked: &HashSet<CallDigest>) -> HashMap<ToolCallId, Vec<CallDigest>> {
    let mut found: HashMap<ToolCallId, Vec<CallDigest>> = HashMap::new();
    let mut left: HashMap<IdDigest, usize> = asked.iter().map(|call| (call.id, OF_ONE_ID)).collect();
    for call in input.messages.iter().flat_map(Message::tool_calls) {
        // Arguments may be long, so only the arguments of possible calls are read.
        let Some(left) = left.get_mut(&id_digest(&call.id)).filter(|left| **left > 0) else { continue };
        *left -= 1;
        let digest = CallDigest::from_call(call);
        if asked.contains(&digest) {
            let same_id = found.entry(call.id.clone()).or_default();
            if !same_id.contains(&digest) {
                same_id.push(digest);
            }
        }
    }
    found
}
