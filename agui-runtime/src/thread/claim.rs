//! The claim of a run on its thread: the only writer of the thread's events, until a later claim.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::fold::{FoldError, Folded, PAGE};
use super::input::Filled;
use super::live::{Live, Owner};
use super::log::{Append, AppendError, Head, LogError, Position, ReadError, ThreadKey, ThreadLog};
use super::note::{Note, NotedRun, RUNS};
use super::record::{self, Control, of_control, of_event};
use super::tail::Known;
use super::takeover::RecoverError;
use crate::protocol::{Event, InterruptId, RunAgentInput, RunFinishedOutcome, RunId};

/// A run that owns its thread.
pub(crate) struct Claim {
    log: Arc<dyn ThreadLog>,
    key: ThreadKey,
    run: RunId,
    at: Position,
    /// The first record that can be read.
    first: u64,
    note: Note,
    lease: Duration,
    is_stop_asked: bool,
    /// The bytes of the records of the run.
    bytes: u64,
    /// True if events were read that an append without an acknowledgement has written.
    has_found_own: bool,
    /// Gives the records to the readers of this server.
    owner: Owner,
}

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

/// The records and the bytes of a thread that are kept when it is trimmed, which happens at twice as many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keep {
    pub(crate) records: u64,
    pub(crate) bytes: u64,
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
pub(super) struct Again {
    pub(super) run: RunId,
    pub(super) note: Note,
    /// The claim, and what follows it.
    pub(super) records: Vec<Bytes>,
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

/// An append of a run that did not happen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// Another claim owns the thread: the run must end without a trace.
    #[error("another run claimed the thread")]
    Fenced,
    /// It may work later.
    #[error(transparent)]
    Unavailable(LogError),
    #[error("an event of {bytes} bytes is larger than {most}, the limit of the thread log")]
    TooLarge { bytes: usize, most: usize },
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
        let begun = NotedRun {
            id: run.clone(),
            request,
            first: at.seq + 1,
            last: None,
            restarts: 0,
            bytes: 0,
            rest: serde_json::Map::new(),
        };
        note.begin(begun, thread.head.first);
        note.asked.retain(|asked| !filled.answers.contains(asked));
        let claimed = Control::Claimed {
            run: run.clone(),
            nonce: nonce.clone(),
            answers: filled.answers.clone(),
            request: restarts.then(|| Box::new(without_conversation(&filled.input))),
        };
        let mut records = vec![of_control(&claimed)?];
        records.extend(filled.opening.iter().map(of_event));
        let append = Append { at, epoch, records, note: Some(note.to_bytes()), lease: Some(lease) };
        Ok(Self { log, key, run, append, note, first: thread.head.first, nonce, is_sent: false })
    }

    /// Prepares the claim of the thread of a run whose owner is lost, which goes on.
    pub(super) fn again(
        log: &Arc<dyn ThreadLog>,
        key: &ThreadKey,
        head: &Head,
        again: Again,
        claimant: Claimant,
    ) -> Self {
        let Again { run, note, records } = again;
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
        let bytes = size_of(&append.records);
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
            bytes,
            has_found_own: false,
            owner,
        }
    }
}

impl Claim {
    /// Returns what the readers of the run know of its thread.
    pub(crate) fn known(&self) -> Known {
        Known { born: self.note.born, epoch: self.at.epoch }
    }

    /// Returns true if the run was asked to stop.
    pub(crate) fn is_stop_asked(&self) -> bool {
        self.is_stop_asked
    }

    /// Appends events of the run. After [`WriteError::Unavailable`] the next call must bring the same records again.
    pub(crate) async fn append(&mut self, records: &[Bytes]) -> Result<(), WriteError> {
        self.write(records, None).await
    }

    /// Appends the last events of the run; the thread has no owner then.
    pub(crate) async fn finish(&mut self, records: &[Bytes], end: &Event) -> Result<(), WriteError> {
        let asked = match end {
            Event::RunFinished(finished) => Some(asked_by(finished.outcome.as_ref())),
            // A run that fails leaves the questions open that it did not answer.
            _ => None,
        };
        self.write(records, Some(asked)).await
    }

    async fn write(
        &mut self,
        records: &[Bytes],
        end: Option<Option<Vec<InterruptId>>>,
    ) -> Result<(), WriteError> {
        loop {
            let is_written = self.has_found_own;
            if is_written {
                // The rest may not have been read yet.
                self.catch_up().await?;
                self.has_found_own = false;
            }
            // The records that were found are counted already.
            let (new, size) = if is_written { (0, 0) } else { (records.len() as u64, size_of(records)) };
            let last = self.at.seq + new;
            let note = end.as_ref().map(|asked| {
                let mut note = self.note.clone();
                note.end(last);
                if let Some(run) = note.runs.last_mut() {
                    run.bytes += self.bytes + size;
                }
                if let Some(asked) = asked {
                    note.asked.clone_from(asked);
                }
                note
            });
            if is_written {
                self.note = note.unwrap_or_else(|| std::mem::take(&mut self.note));
                return Ok(());
            }
            let append = Append {
                at: self.at,
                epoch: self.at.epoch,
                records: records.to_vec(),
                note: note.as_ref().map(Note::to_bytes),
                lease: end.is_none().then_some(self.lease),
            };
            match self.log.append(&self.key, append).await {
                Ok(at) => {
                    self.at = at;
                    self.bytes += size;
                    self.owner.publish(records, at.seq);
                    self.note = note.unwrap_or_else(|| std::mem::take(&mut self.note));
                    return Ok(());
                }
                Err(AppendError::TooLarge { bytes, most }) => {
                    return Err(WriteError::TooLarge { bytes, most });
                }
                Err(AppendError::Unavailable(error)) => return Err(WriteError::Unavailable(error)),
                Err(AppendError::Conflict { at }) if at.epoch != self.at.epoch => {
                    return Err(WriteError::Fenced);
                }
                // Only control records can have come between; or, after a lost acknowledgement, our own.
                Err(AppendError::Conflict { .. }) => self.catch_up().await?,
                Err(AppendError::Unknown(error)) => {
                    self.catch_up().await?;
                    if !self.has_found_own {
                        return Err(WriteError::Unavailable(error));
                    }
                }
            }
        }
    }

    /// Reads the records that others appended. If there are events among them, the append whose acknowledgement was lost
    /// has written them: only the owner appends events, and all of an append or none.
    pub(crate) async fn catch_up(&mut self) -> Result<(), WriteError> {
        loop {
            let head = self.log.head(&self.key).await.map_err(WriteError::Unavailable)?;
            if head.at.epoch != self.at.epoch {
                return Err(WriteError::Fenced);
            }
            let page = match self.log.read(&self.key, self.at.seq, PAGE).await {
                Ok(page) => page,
                Err(ReadError::Unavailable(error)) => return Err(WriteError::Unavailable(error)),
                Err(ReadError::Trimmed { .. }) => return Err(WriteError::Fenced),
            };
            if page.records.is_empty() {
                self.owner.moved(self.at.seq);
                return Ok(());
            }
            for (seq, record) in page.records {
                self.at.seq = seq;
                if record::is_event(&record) {
                    self.has_found_own = true;
                    self.bytes += record.len() as u64;
                } else if let Ok(control) = serde_json::from_slice(&record) {
                    match control {
                        Control::CancelAsked { run } => self.is_stop_asked |= run == self.run,
                        Control::Claimed { .. } => return Err(WriteError::Fenced),
                        Control::Snapshot { .. } => {}
                    }
                }
            }
        }
    }

    /// Extends the lease.
    pub(crate) async fn renew(&self) -> Result<(), WriteError> {
        match self.log.renew(&self.key, self.at.epoch, self.lease).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(WriteError::Fenced),
            Err(error) => Err(WriteError::Unavailable(error)),
        }
    }

    /// Folds the older half of a long thread into one record, up to the end of a run, when no run goes on. This run stays:
    /// its clients may still read it.
    pub(crate) async fn trim(&self, keep: Keep) -> Result<(), RecoverError> {
        let Some(last) = self.trimmed_until(keep) else { return Ok(()) };
        let point = Folded::load_until(&self.log, &self.key, last).await?;
        if let Some(snapshot) = point.snapshot() {
            let snapshot = of_control(&snapshot).map_err(ClaimError::from)?;
            let upto = Position { epoch: self.at.epoch, seq: last };
            self.log.trim(&self.key, upto, snapshot).await.map_err(FoldError::from)?;
        }
        Ok(())
    }

    /// Returns the last record of those that are not worth being kept; `None` if the thread is not long enough.
    fn trimmed_until(&self, keep: Keep) -> Option<u64> {
        let kept = self.note.runs.iter().filter(|run| run.first >= self.first);
        let records = self.at.seq.saturating_sub(self.first);
        if records >= keep.records.saturating_mul(2).max(1) {
            let ends = self.note.runs.iter().filter_map(|run| run.last);
            let mut ends = ends.filter(|last| *last < self.at.seq);
            let enough = ends.clone().rev().find(|last| last + keep.records <= self.at.seq);
            // If even the oldest run that the note knows ended late enough, all before its end can be folded: no cursor of
            // an older run can be resolved.
            return enough.or_else(|| ends.next());
        }
        if kept.clone().map(|run| run.bytes).sum::<u64>() < keep.bytes.saturating_mul(2).max(1) {
            return None;
        }
        let mut bytes = 0;
        let oldest = kept.clone().next().and_then(|run| run.last).filter(|last| *last < self.at.seq);
        let mut newer = kept.rev().skip_while(|run| {
            bytes += run.bytes;
            bytes < keep.bytes
        });
        // The first of the rest is kept: it makes the bytes enough.
        newer.next();
        // All bytes of runs that the note has forgotten count for its oldest: no cursor of theirs can be resolved.
        let forgets = self.note.runs.len() >= RUNS;
        newer.find_map(|run| run.last).or(oldest.filter(|_| forgets))
    }

    /// Waits until others may have appended a record.
    pub(crate) async fn changed(&self) {
        self.log.changed(&self.key, self.at.seq).await;
    }
}

pub(super) fn size_of(records: &[Bytes]) -> u64 {
    records.iter().map(|record| record.len() as u64).sum()
}

fn end_of(append: &Append) -> Position {
    Position { epoch: append.epoch, seq: append.at.seq + append.records.len() as u64 }
}

/// Appends a claim. `is_sent` is true if an earlier attempt may have arrived, or may still arrive: the log knows whose
/// claim is at this place, once an attempt was answered.
pub(super) async fn commit(
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
            let first = page.records.first().and_then(|(_, record)| serde_json::from_slice(record).ok());
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

fn asked_by(outcome: Option<&RunFinishedOutcome>) -> Vec<InterruptId> {
    match outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => {
            outcome.interrupts.iter().map(|interrupt| interrupt.id.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// Asks the owner of a thread to stop its run, wherever it is. Returns false if the run does not go on, and `None` if
/// the store gave no clear answer, and must be asked again.
///
/// The owner may have extended its lease since the head was read, so the lease is at least a whole one of this server, unless it is over: a
/// shorter one would end the run of a server that is well.
pub(crate) async fn ask_to_stop(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    lease: Duration,
    wanted: impl Fn(&RunId) -> bool,
) -> Result<Option<bool>, ClaimError> {
    loop {
        let head = log.head(key).await.map_err(AppendError::from)?;
        let note = Note::read(&head.note).map_err(AppendError::from)?;
        let Some(open) = note.open().filter(|open| wanted(&open.id)) else { return Ok(Some(false)) };
        if note.is_stopping {
            return Ok(Some(true));
        }
        let record = of_control(&Control::CancelAsked { run: open.id.clone() })?;
        let stopping = Note { is_stopping: true, ..note.clone() };
        let append = Append {
            at: head.at,
            epoch: head.at.epoch,
            records: vec![record],
            note: Some(stopping.to_bytes()),
            lease: head.lease.map(|left| if left.is_zero() { left } else { left.max(lease) }),
        };
        match log.append(key, append).await {
            // The run goes on meanwhile.
            Err(AppendError::Conflict { .. }) => {}
            // Asked twice is as good as once.
            Err(AppendError::Unknown(_)) => return Ok(None),
            appended => return appended.map(|_| Some(true)).map_err(Into::into),
        }
    }
}
