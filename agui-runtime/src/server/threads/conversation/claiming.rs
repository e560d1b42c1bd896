//! The making of a claim: the append with which a run becomes the owner of its thread.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::claim::{Claim, size_of};
use super::fold::{Folded, PAGE};
use super::input::Filled;
use super::note::{Note, NotedRun};
use super::record::{Control, of_control, of_event, read_control};
use crate::protocol::{RunAgentInput, RunId};
use crate::server::threads::readers::live::Live;
use crate::thread::Head;
use crate::thread::LogError;
use crate::thread::ReadError;
use crate::thread::ThreadKey;
use crate::thread::ThreadLog;
use crate::thread::{Append, AppendError, Position};

/// A claim that is being made.
pub(crate) struct Claiming {
    log: Arc<dyn ThreadLog>,
    key: ThreadKey,
    run: RunId,
    append: Append,
    note: Note,
    /// The first record that can be read.
    first: u64,
    nonce: String,
    /// True if the log may have the claim already.
    is_sent: bool,
}

/// The parts of a claim that do not come from the thread.
pub(crate) struct Claimant {
    /// The digest of the request, to recognise it if it is repeated.
    pub(crate) request: String,
    /// The tie-breaker, different for each claim.
    pub(crate) nonce: String,
    /// A number that grows with time, and that no other claim has: an epoch is never used twice, also if the thread was
    /// deleted meanwhile.
    pub(crate) new_epoch: u64,
    /// The time for which the thread is owned after each append.
    pub(crate) lease: Duration,
    /// True if another server may run the agent again.
    pub(crate) restarts: bool,
}

/// The records with which a lost run goes on.
pub(in crate::server::threads) struct Again {
    pub(in crate::server::threads) run: RunId,
    pub(in crate::server::threads) note: Note,
    /// The claim, and what follows it.
    pub(in crate::server::threads) records: Vec<Bytes>,
}

/// A claim that was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// The thread changed meanwhile: fold it again.
    #[error("another run claimed the thread")]
    Lost,
    /// The log may have the claim: the next attempt tells.
    #[error("it is unknown whether the claim was made: {0}")]
    Unknown(LogError),
    #[error(transparent)]
    Append(#[from] AppendError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("a record cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
}

impl Claiming {
    /// Prepares the claim of a thread at the end that was folded, with the first events of the run.
    pub(crate) fn new(
        log: Arc<dyn ThreadLog>,
        key: ThreadKey,
        thread: &Folded,
        filled: &Filled,
        claimant: Claimant,
    ) -> Result<Self, ClaimError> {
        let Claimant { request, nonce, new_epoch, lease, restarts } = claimant;
        let (at, run) = (thread.at(), filled.input.run_id.clone());
        let epoch = new_epoch.max(at.epoch + 1);
        let mut note = thread.note.clone();
        if note.runs.is_empty() {
            note.born = epoch;
        }
        let claimed = Control::Claimed {
            run: run.clone(),
            nonce: nonce.clone(),
            answers: filled.answers.clone(),
            request: restarts.then(|| Box::new(without_conversation(&filled.input))),
        };
        let mut records = vec![of_control(&claimed)?];
        records.extend(filled.opening.iter().map(of_event));
        let begun = NotedRun {
            id: run.clone(),
            request,
            first: at.seq + 1,
            last: None,
            restarts: 0,
            bytes: size_of(&records),
            rest: serde_json::Map::new(),
        };
        note.begin(begun, thread.head.first);
        note.asked.retain(|asked| !filled.answers.contains(asked));
        let append = Append { at, epoch, records, note: Some(note.to_bytes()), lease: Some(lease) };
        Ok(Self { log, key, run, append, note, first: thread.head.first, nonce, is_sent: false })
    }

    /// Prepares the claim of the thread of a run whose owner is lost, which goes on.
    pub(in crate::server::threads) fn again(
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        head: &Head,
        again: Again,
        claimant: Claimant,
    ) -> Self {
        let Again { run, mut note, records } = again;
        if let Some(run) = note.runs.last_mut() {
            run.bytes += size_of(&records);
        }
        let Claimant { nonce, new_epoch, lease, .. } = claimant;
        let (log, key, first) = (Arc::clone(log), key.clone(), head.first);
        let (epoch, lease) = (new_epoch.max(head.at.epoch + 1), Some(lease));
        let append = Append { at: head.at, epoch, records, note: Some(note.to_bytes()), lease };
        Self { log, key, run, append, note, first, nonce, is_sent: false }
    }

    /// Appends the claim. After [`ClaimError::Unknown`] the next call tells if the log has it: a claim that is given up
    /// may have used answers up, and nothing would run.
    pub(crate) async fn attempt(&mut self) -> Result<(), ClaimError> {
        let Self { log, key, append, nonce, is_sent, .. } = self;
        commit(&**log, key, append, nonce, is_sent).await
    }

    /// Returns the claim that was made; the readers of this server get its records.
    pub(crate) fn made(self, live: &Arc<Live>) -> Claim {
        let Self { log, key, run, append, note, first, .. } = self;
        let (at, lease) = (end_of(&append), append.lease.unwrap_or_default());
        let owner = live.own(&key, Position { epoch: at.epoch, seq: append.at.seq }, note.born);
        owner.publish(&append.records, at.seq);
        Claim {
            log,
            key,
            run,
            at,
            first,
            note,
            lease,
            is_stop_asked: false,
            readers_asked: None,
            uncounted: 0,
            has_found_own: false,
            owner,
        }
    }
}

fn end_of(append: &Append) -> Position {
    Position { epoch: append.epoch, seq: append.at.seq + append.records.len() as u64 }
}

/// Appends a claim. `is_sent` is true if an earlier attempt may have arrived, or may still arrive: the log knows whose
/// claim is at this place, once an attempt was answered.
pub(in crate::server::threads) async fn commit(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    append: &Append,
    nonce: &str,
    is_sent: &mut bool,
) -> Result<(), ClaimError> {
    match log.append(key, append.clone()).await {
        Ok(_) => Ok(()),
        Err(AppendError::Conflict { .. }) if *is_sent => {
            let page = match log.read(key, append.at.seq, PAGE).await {
                Ok(page) => page,
                Err(ReadError::Unavailable(error)) => return Err(ClaimError::Unknown(error)),
                Err(ReadError::Trimmed { .. }) => return Err(ClaimError::Lost),
            };
            let first = page.records.first().and_then(|(_, record)| read_control(record).ok());
            match first {
                Some(Control::Claimed { nonce: found, .. }) if found == nonce => Ok(()),
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

/// Returns an input without the parts that the thread has.
fn without_conversation(input: &RunAgentInput) -> RunAgentInput {
    RunAgentInput { messages: Vec::new(), state: None, ..input.clone() }
}
