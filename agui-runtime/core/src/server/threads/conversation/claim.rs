//! A run's claim on a thread: the only event writer until a later claim.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::fold::{PAGE, user_messages};
use super::last_message::LastMessage;
use super::note::{NotedSteering, ThreadNote};
use super::record;
use super::record::ControlRecord;
use crate::protocol::{Event, InterruptId, RunFinishedOutcome, RunId, UserMessage};
use crate::server::threads::readers::live::FeedOwner;
use crate::server::threads::readers::tail::ThreadEpochs;
use crate::thread::{AppendError, LogAppend, LogError, LogPosition, LogReadError, ThreadKey, ThreadLog};

/// Bytes that a run may write before the note is written again. Readers reserve memory by the note, which does not count records
/// that came later.
const UNCOUNTED: u64 = 256 * 1024;

/// A run that owns a thread.
pub(crate) struct RunClaim {
    pub(in crate::server::threads) log: Arc<dyn ThreadLog>,
    pub(in crate::server::threads) key: ThreadKey,
    pub(in crate::server::threads) run: RunId,
    pub(in crate::server::threads) at: LogPosition,
    /// The first readable record.
    pub(in crate::server::threads) first: u64,
    pub(in crate::server::threads) note: ThreadNote,
    pub(in crate::server::threads) lease: Duration,
    pub(in crate::server::threads) is_stop_asked: bool,
    /// User messages for this run that the inbox may not have yet.
    pub(in crate::server::threads) steered: Vec<UserMessage>,
    /// When another run last asked for readers; `None` once a reader was found.
    pub(in crate::server::threads) readers_asked: Option<Instant>,
    /// Bytes in run records that the note does not count yet.
    pub(in crate::server::threads) uncounted: u64,
    /// True if [`Self::catch_up`] read events that an unacknowledged append had written.
    pub(in crate::server::threads) has_found_own: bool,
    /// True if another writer changed the note since this claim read the note.
    pub(in crate::server::threads) is_note_stale: bool,
    /// Publishes the records to this server's readers.
    pub(in crate::server::threads) owner: FeedOwner,
}

/// A run's append that did not happen.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// Another claim owns the thread: the run must end silently.
    #[error("another run claimed the thread")]
    Fenced,
    /// The store cannot be written now; a retry may work.
    #[error(transparent)]
    Unavailable(LogError),
    #[error("an event of {bytes} bytes is larger than {most}, the limit of the thread log")]
    TooLarge { bytes: usize, most: usize },
}

impl RunClaim {
    /// Returns the log facts that the run's readers need.
    pub(crate) fn epochs(&self) -> ThreadEpochs {
        ThreadEpochs { born: self.note.born, epoch: self.at.epoch }
    }

    /// True if a client asked the run to stop.
    pub(crate) fn is_stop_requested(&self) -> bool {
        self.is_stop_asked
    }

    /// Returns when another run asked for this run's readers; `None` if a reader was found since.
    pub(crate) fn readers_requested_at(&self) -> Option<Instant> {
        self.readers_asked
    }

    /// Records that a client on this server reads the run. A later request may find no reader.
    pub(crate) fn record_reader(&mut self) {
        self.readers_asked = None;
    }

    /// Returns the user messages that came since the last call.
    pub(crate) fn take_steered(&mut self) -> Vec<UserMessage> {
        std::mem::take(&mut self.steered)
    }

    /// Sets the excerpt that the run's last append writes.
    pub(crate) fn set_last_message(&mut self, last: Option<LastMessage>) {
        self.note.last_message = last;
    }

    /// Appends run events. After [`WriteError::Unavailable`] the next call must bring the same records again.
    pub(crate) async fn append(&mut self, records: &[Bytes]) -> Result<(), WriteError> {
        self.write(records, None).await
    }

    /// Appends the run's last events and releases the thread.
    pub(crate) async fn finish(&mut self, records: &[Bytes], end: &Event) -> Result<(), WriteError> {
        let asked = match end {
            Event::RunFinished(finished) => Some(requested_interrupts(finished.outcome.as_ref())),
            // A run that fails leaves the interrupts open that it did not resume.
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
            if is_written || self.is_note_stale {
                // The rest may not have been read yet.
                self.catch_up().await?;
            }
            if is_written {
                self.has_found_own = false;
            }
            // The records that were found are counted already.
            let (new, size) = if is_written { (0, 0) } else { (records.len() as u64, size_of(records)) };
            let uncounted = self.uncounted + size;
            let note = (end.is_some() || uncounted >= UNCOUNTED).then(|| {
                let mut note = self.note.clone();
                if let Some(run) = note.runs.last_mut() {
                    run.bytes += uncounted;
                }
                note.is_stopping |= self.is_stop_asked;
                if let Some(asked) = &end {
                    note.end(self.at.seq + new);
                    note.asked = asked.clone().unwrap_or(note.asked);
                }
                note
            });
            if is_written {
                self.note_written(note, uncounted);
                return Ok(());
            }
            let append = LogAppend {
                at: self.at,
                epoch: self.at.epoch,
                records: records.to_vec(),
                note: note.as_ref().map(ThreadNote::to_bytes),
                lease: end.is_none().then_some(self.lease),
            };
            match self.log.append(&self.key, append).await {
                Ok(at) => {
                    self.at = at;
                    self.owner.publish(records, at.seq);
                    self.note_written(note, uncounted);
                    return Ok(());
                }
                Err(AppendError::TooLarge { bytes, most }) => {
                    return Err(WriteError::TooLarge { bytes, most });
                }
                Err(AppendError::Unavailable(error)) => return Err(WriteError::Unavailable(error)),
                Err(AppendError::Conflict { at }) if !self.is_log_at(at) => return Err(WriteError::Fenced),
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

    /// Records that the log has a note, or that the note lacks `uncounted` bytes.
    fn note_written(&mut self, note: Option<ThreadNote>, uncounted: u64) {
        match note {
            Some(note) => (self.note, self.uncounted) = (note, 0),
            None => self.uncounted = uncounted,
        }
    }

    /// Reads the records that others appended. Events among them come from the append whose acknowledgement was lost: only the
    /// owner appends events, and an append writes all records or none.
    pub(crate) async fn catch_up(&mut self) -> Result<(), WriteError> {
        loop {
            let head = self.log.head(&self.key).await.map_err(WriteError::Unavailable)?;
            if !self.is_log_at(head.at) {
                return Err(WriteError::Fenced);
            }
            let page = match self.log.read(&self.key, self.at.seq, PAGE).await {
                Ok(page) => page,
                Err(LogReadError::Unavailable(error)) => return Err(WriteError::Unavailable(error)),
                Err(LogReadError::Trimmed { .. }) => return Err(WriteError::Fenced),
            };
            if page.records.is_empty() {
                if self.is_note_stale {
                    // The head was read after all records that were found, so the note is not older than they are.
                    let newer = ThreadNote::read(&head.note).map_err(WriteError::Unavailable)?;
                    self.note.take_description(newer);
                    self.is_note_stale = false;
                }
                self.owner.moved(self.at.seq);
                return Ok(());
            }
            for (seq, record) in page.records {
                self.at.seq = seq;
                if record::is_event(&record) {
                    self.has_found_own = true;
                    self.uncounted += record.len() as u64;
                } else if let Ok(control) = record::read_control(&record) {
                    match control {
                        ControlRecord::CancelAsked { run } if run == self.run => self.is_stop_asked = true,
                        ControlRecord::ReadersAsked { run } if run == self.run => {
                            self.readers_asked = Some(Instant::now());
                        }
                        ControlRecord::ReaderFound { run } if run == self.run => self.readers_asked = None,
                        ControlRecord::Steered { digest, request, .. } => {
                            self.note.steer(NotedSteering { id: request.run_id.clone(), request: digest });
                            self.steered.extend(user_messages(*request));
                        }
                        ControlRecord::NoteChanged => self.is_note_stale = true,
                        ControlRecord::Claimed { .. } => return Err(WriteError::Fenced),
                        // Only the run's owner writes one.
                        ControlRecord::Private { .. } => {
                            self.has_found_own = true;
                            self.uncounted += record.len() as u64;
                        }
                        ControlRecord::CancelAsked { .. }
                        | ControlRecord::ReadersAsked { .. }
                        | ControlRecord::ReaderFound { .. }
                        | ControlRecord::Snapshot { .. } => {}
                    }
                }
            }
        }
    }

    /// True if this claim's log can end at `end`. A log that ends earlier is another log: the thread was deleted, and a late
    /// append, for example the claim, began the thread anew under the same epoch.
    fn is_log_at(&self, end: LogPosition) -> bool {
        end.epoch == self.at.epoch && end.seq >= self.at.seq
    }

    /// Extends the lease.
    pub(crate) async fn renew(&self) -> Result<(), WriteError> {
        match self.log.renew(&self.key, self.at.epoch, self.lease).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(WriteError::Fenced),
            Err(error) => Err(WriteError::Unavailable(error)),
        }
    }

    /// Waits until others may have appended a record.
    pub(crate) async fn changed(&self) {
        self.log.changed(&self.key, self.at.seq).await;
    }
}

pub(in crate::server::threads) fn size_of(records: &[Bytes]) -> u64 {
    records.iter().map(|record| record.len() as u64).sum()
}

fn requested_interrupts(outcome: Option<&RunFinishedOutcome>) -> Vec<InterruptId> {
    match outcome {
        Some(RunFinishedOutcome::Interrupt(outcome)) => {
            outcome.interrupts.iter().map(|interrupt| interrupt.id.clone()).collect()
        }
        _ => Vec::new(),
    }
}
