//! The append with which a run becomes a thread's owner.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::claim::{RunClaim, size_of};
use super::fold::{FoldedThread, PAGE};
use super::input::CompletedInput;
use super::last_message::LastMessage;
use super::note::{NotedRun, ThreadNote};
use super::record::{ControlRecord, control_record, event_record, read_control};
use crate::protocol::{RunAgentInput, RunId};
use crate::server::threads::readers::live::LiveRecords;
use crate::thread::{
    AppendError, LogAppend, LogError, LogHead, LogPosition, LogReadError, ThreadKey, ThreadLog,
};

/// A claim that is not acknowledged yet.
pub(crate) struct ClaimAttempt {
    log: Arc<dyn ThreadLog>,
    key: ThreadKey,
    run: RunId,
    append: LogAppend,
    note: ThreadNote,
    /// The first readable record.
    first: u64,
    nonce: String,
    /// True if the log may already have the claim.
    is_sent: bool,
}

/// The claim parameters that do not come from the thread.
pub(crate) struct ClaimParameters {
    /// The request digest, which recognises a repeated request.
    pub(crate) request: String,
    /// The tie-breaker, different for each claim.
    pub(crate) nonce: String,
    /// A unique number that grows with time: an epoch is never used twice, also if the thread was deleted meanwhile.
    pub(crate) new_epoch: u64,
    /// The lease duration after each append.
    pub(crate) lease: Duration,
    /// True if another server may run the agent again.
    pub(crate) restarts: bool,
}

/// The records that restart a lost run.
pub(super) struct RestartRecords {
    pub(super) run: RunId,
    pub(in crate::server::threads) note: ThreadNote,
    /// The claim and the records that follow.
    pub(super) records: Vec<Bytes>,
}

/// A claim that failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// The thread changed meanwhile: fold the thread again.
    #[error("another run claimed the thread")]
    Lost,
    /// The log may have the claim: the next attempt finds out.
    #[error("it is unknown whether the claim was made: {0}")]
    Unknown(LogError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error(transparent)]
    Read(#[from] LogReadError),
    #[error("a record cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl ClaimAttempt {
    /// Prepares a claim at the folded end, with the run's first events.
    pub(crate) fn new(
        log: Arc<dyn ThreadLog>,
        key: ThreadKey,
        thread: &FoldedThread,
        filled: &CompletedInput,
        claimant: ClaimParameters,
    ) -> Result<Self, ClaimError> {
        let ClaimParameters { request, nonce, new_epoch, lease, restarts } = claimant;
        let (at, run) = (thread.at(), filled.input.run_id.clone());
        let epoch = new_epoch.max(at.epoch + 1);
        let mut note = thread.note.clone();
        if note.runs.is_empty() {
            note.born = epoch;
        }
        let claimed = ControlRecord::Claimed {
            run: run.clone(),
            nonce: nonce.clone(),
            resumed: filled.resumed_ids.clone(),
            request: restarts.then(|| Box::new(without_conversation(&filled.input))),
        };
        let mut records = vec![control_record(&claimed)?];
        records.extend(filled.opening.iter().map(event_record));
        let begun = NotedRun {
            id: run.clone(),
            request,
            first: at.seq + 1,
            last: None,
            restarts: 0,
            bytes: size_of(&records),
            steered: Vec::new(),
            rest: serde_json::Map::new(),
        };
        note.begin(begun, thread.head.first);
        note.asked.retain(|asked| !filled.resumed_ids.contains(asked));
        note.last_message = LastMessage::from_messages(&filled.input.messages);
        let append = LogAppend { at, epoch, records, note: Some(note.to_bytes()), lease: Some(lease) };
        Ok(Self { log, key, run, append, note, first: thread.head.first, nonce, is_sent: false })
    }

    /// Prepares a claim that restarts a lost run.
    pub(super) fn restart(
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        head: &LogHead,
        again: RestartRecords,
        claimant: ClaimParameters,
    ) -> Self {
        let RestartRecords { run, mut note, records } = again;
        if let Some(run) = note.runs.last_mut() {
            run.bytes += size_of(&records);
        }
        let ClaimParameters { nonce, new_epoch, lease, .. } = claimant;
        let (log, key, first) = (Arc::clone(log), key.clone(), head.first);
        let (epoch, lease) = (new_epoch.max(head.at.epoch + 1), Some(lease));
        let append = LogAppend { at: head.at, epoch, records, note: Some(note.to_bytes()), lease };
        Self { log, key, run, append, note, first, nonce, is_sent: false }
    }

    /// Appends the claim. After [`ClaimError::Unknown`] the caller must try again: an unacknowledged claim may have consumed
    /// resume entries, and nothing would run.
    pub(crate) async fn attempt(&mut self) -> Result<(), ClaimError> {
        let Self { log, key, append, nonce, is_sent, .. } = self;
        commit(&**log, key, append, nonce, is_sent).await
    }

    /// Returns the acknowledged claim, and publishes the claim's records to this server's readers.
    pub(crate) fn into_claim(self, live: &Arc<LiveRecords>) -> RunClaim {
        let Self { log, key, run, append, note, first, .. } = self;
        let (at, lease) = (end_of(&append), append.lease.unwrap_or_default());
        let owner = live.own(&key, LogPosition { epoch: at.epoch, seq: append.at.seq }, note.born);
        owner.publish(&append.records, at.seq);
        RunClaim {
            log,
            key,
            run,
            at,
            first,
            note,
            lease,
            is_stop_asked: false,
            steered: Vec::new(),
            readers_asked: None,
            uncounted: 0,
            has_found_own: false,
            is_note_stale: false,
            owner,
        }
    }
}

fn end_of(append: &LogAppend) -> LogPosition {
    LogPosition { epoch: append.epoch, seq: append.at.seq + append.records.len() as u64 }
}

/// Appends a claim. `is_sent` is true if an earlier attempt may have arrived or may still arrive; after an acknowledged attempt
/// the log shows whose claim won.
pub(super) async fn commit(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    append: &LogAppend,
    nonce: &str,
    is_sent: &mut bool,
) -> Result<(), ClaimError> {
    match log.append(key, append.clone()).await {
        Ok(_) => Ok(()),
        Err(AppendError::Conflict { .. }) if *is_sent => {
            let page = match log.read(key, append.at.seq, PAGE).await {
                Ok(page) => page,
                Err(LogReadError::Unavailable(error)) => return Err(ClaimError::Unknown(error)),
                Err(LogReadError::Trimmed { .. }) => return Err(ClaimError::Lost),
            };
            let first = page.records.first().and_then(|(_, record)| read_control(record).ok());
            match first {
                Some(ControlRecord::Claimed { nonce: found, .. }) if found == nonce => Ok(()),
                _ => Err(ClaimError::Lost),
            }
        }
        Err(AppendError::Conflict { .. }) => Err(ClaimError::Lost),
        Err(AppendError::Unknown(error)) => {
            *is_sent = true;
            Err(ClaimError::Unknown(error))
        }
        Err(AppendError::Unavailable(error)) if *is_sent => Err(ClaimError::Unknown(error)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the input without what the thread stores.
fn without_conversation(input: &RunAgentInput) -> RunAgentInput {
    RunAgentInput { messages: Vec::new(), state: None, ..input.clone() }
}
