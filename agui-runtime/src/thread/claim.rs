//! The claim of a run on its thread: the only writer of the thread's events, until a later claim.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;

use super::fold::{FoldError, Folded, PAGE};
use super::input::Filled;
use super::live::{Live, Owner};
use super::log::{Append, AppendError, LogError, Position, ReadError, ThreadKey, ThreadLog};
use super::note::{Note, NotedRun};
use super::record::{self, Control, of_control, of_event};
use crate::order::OpenSpan;
use crate::protocol::{Event, InterruptId, RunErrorEvent, RunFinishedOutcome, RunId};

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
    /// True if events were read that an append without an acknowledgement has written.
    has_found_own: bool,
    /// Gives the records to the readers of this server.
    owner: Owner,
}

/// The parts of a claim that do not come from the thread.
pub(crate) struct Claimant {
    /// The digest of the request, to recognise it if it is repeated.
    pub(crate) request: String,
    /// The tie-breaker, different for each claim.
    pub(crate) nonce: String,
    /// Milliseconds since the Unix epoch: an epoch is never used twice, also if the thread was deleted meanwhile.
    pub(crate) now: u64,
    /// The time for which the thread is owned after each append.
    pub(crate) lease: Duration,
}

/// A claim that was not made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClaimError {
    /// The thread changed meanwhile: fold it again.
    #[error("another run claimed the thread")]
    Lost,
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

impl Claim {
    /// Claims a thread at the end that was folded, with the first events of the run.
    pub(crate) async fn take(
        log: Arc<dyn ThreadLog>,
        live: &Arc<Live>,
        key: ThreadKey,
        thread: &Folded,
        filled: &Filled,
        claimant: Claimant,
    ) -> Result<Self, ClaimError> {
        let Claimant { request, nonce, now, lease } = claimant;
        let (at, run) = (thread.at(), filled.input.run_id.clone());
        let mut note = thread.note.clone();
        note.begin(NotedRun { id: run.clone(), request, first: at.seq + 1, last: None });
        note.asked.retain(|asked| !filled.answers.contains(asked));
        let claimed =
            Control::Claimed { run: run.clone(), nonce: nonce.clone(), answers: filled.answers.clone() };
        let mut records = vec![of_control(&claimed)?];
        records.extend(filled.opening.iter().map(of_event));
        let epoch = now.max(at.epoch + 1);
        let append =
            Append { at, epoch, records: records.clone(), note: Some(note.to_bytes()), lease: Some(lease) };
        let end = Position { epoch, seq: at.seq + append.records.len() as u64 };
        let at = commit(&*log, &key, append, end, &nonce).await?;
        let first = thread.head.first;
        let owner = live.own(&key, Position { epoch, seq: thread.at().seq });
        owner.publish(&records, at.seq);
        Ok(Self { log, key, run, at, first, note, lease, is_stop_asked: false, has_found_own: false, owner })
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
            let last = self.at.seq + if is_written { 0 } else { records.len() as u64 };
            let note = end.as_ref().map(|asked| {
                let mut note = self.note.clone();
                note.end(last);
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
                Err(AppendError::Conflict { .. } | AppendError::Unknown(_)) => self.catch_up().await?,
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
    pub(crate) async fn trim(&self, keep: u64) -> Result<(), RecoverError> {
        let most = keep.saturating_mul(2).max(1);
        if self.at.seq.saturating_sub(self.first) < most {
            return Ok(());
        }
        let ends = || self.note.runs.iter().filter_map(|run| run.last).filter(|last| *last < self.at.seq);
        // If even the oldest run that the note knows ended late enough, all before its end can be folded: no cursor of an
        // older run can be resolved.
        let Some(last) = ends().rev().find(|last| last + keep <= self.at.seq).or_else(|| ends().next())
        else {
            return Ok(());
        };
        let point = Folded::load_until(&self.log, &self.key, last).await?;
        if let Some(snapshot) = point.snapshot() {
            let snapshot = of_control(&snapshot).map_err(ClaimError::from)?;
            let upto = Position { epoch: self.at.epoch, seq: last };
            self.log.trim(&self.key, upto, snapshot).await.map_err(FoldError::from)?;
        }
        Ok(())
    }

    /// Waits until others may have appended a record.
    pub(crate) async fn changed(&self) {
        self.log.changed(&self.key, self.at.seq).await;
    }
}

/// Appends a claim. If the acknowledgement is lost, the log knows whose claim it is.
async fn commit(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    append: Append,
    end: Position,
    nonce: &str,
) -> Result<Position, ClaimError> {
    let before = append.at;
    match log.append(key, append).await {
        Ok(at) => Ok(at),
        Err(AppendError::Conflict { .. }) => Err(ClaimError::Lost),
        Err(AppendError::Unknown(_)) => {
            let page = log.read(key, before.seq, PAGE).await?;
            let first = page.records.first().and_then(|(_, record)| serde_json::from_slice(record).ok());
            match first {
                Some(Control::Claimed { nonce: found, .. }) if found == nonce => Ok(end),
                _ => Err(ClaimError::Lost),
            }
        }
        Err(error) => Err(error.into()),
    }
}

fn asked_by(outcome: Option<&RunFinishedOutcome>) -> Vec<InterruptId> {
    match outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => {
            outcome.interrupts.iter().map(|interrupt| interrupt.id.clone()).collect()
        }
        _ => Vec::new(),
    }
}

/// Asks the owner of a thread to stop its run, wherever it is. Returns false if the run does not go on.
pub(crate) async fn ask_to_stop(
    log: &dyn ThreadLog,
    key: &ThreadKey,
    wanted: impl Fn(&RunId) -> bool,
) -> Result<bool, ClaimError> {
    loop {
        let head = log.head(key).await.map_err(AppendError::from)?;
        let note = Note::read(&head.note).map_err(AppendError::from)?;
        let Some(open) = note.open().filter(|open| wanted(&open.id)) else { return Ok(false) };
        if note.is_stopping {
            return Ok(true);
        }
        let record = of_control(&Control::CancelAsked { run: open.id.clone() })?;
        let stopping = Note { is_stopping: true, ..note.clone() };
        let append =
            // The lease stays as it is: its owner may be lost.
            Append {
                at: head.at,
                epoch: head.at.epoch,
                records: vec![record],
                note: Some(stopping.to_bytes()),
                lease: head.lease,
            };
        match log.append(key, append).await {
            // Asked twice is as good as once.
            Err(AppendError::Conflict { .. } | AppendError::Unknown(_)) => {}
            appended => return appended.map(|_| true).map_err(Into::into),
        }
    }
}

/// Ends the run of a thread whose owner is lost: closes what is open, with RUN_ERROR and code `node_lost`. Returns false
/// if there is no such run.
pub(crate) async fn end_lost_run(
    log: &Arc<dyn ThreadLog>,
    key: &ThreadKey,
    nonce: String,
    now: u64,
) -> Result<bool, RecoverError> {
    let head = log.head(key).await.map_err(FoldError::from)?;
    let (at, mut note) = (head.at, Note::read(&head.note).map_err(FoldError::from)?);
    let Some(open) = note.open().filter(|_| head.lease == Some(Duration::ZERO)) else {
        return Ok(false);
    };
    let claimed = Control::Claimed { run: open.id.clone(), nonce: nonce.clone(), answers: Vec::new() };
    let mut records = vec![of_control(&claimed).map_err(ClaimError::from)?];
    let spans = match Folded::load_until(log, key, at.seq).await {
        Ok(thread) => thread.open(),
        // The run of a thread that cannot be read must end too.
        Err(FoldError::Refused { .. } | FoldError::Record(_)) => Vec::new(),
        Err(error) => return Err(error.into()),
    };
    let error = RunErrorEvent::new("the server that ran the agent was lost").with_code("node_lost").into();
    let ends = spans.into_iter().rev().filter_map(OpenSpan::closing).chain([error]);
    records.extend(ends.map(|event| of_event(&event)));
    let end = Position { epoch: now.max(at.epoch + 1), seq: at.seq + records.len() as u64 };
    note.end(end.seq);
    let append = Append { at, epoch: end.epoch, records, note: Some(note.to_bytes()), lease: None };
    match commit(&**log, key, append, end, &nonce).await {
        Ok(_) => Ok(true),
        // The owner came back, or another node was faster.
        Err(ClaimError::Lost) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// A lost run that could not be ended.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecoverError {
    #[error(transparent)]
    Fold(#[from] FoldError),
    #[error(transparent)]
    Claim(#[from] ClaimError),
}
