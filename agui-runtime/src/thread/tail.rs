//! The records of a thread after one, as they come.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use futures::stream;

use super::fold::PAGE;
use super::live::{Live, Next};
use super::log::{ReadError, ThreadKey, ThreadLog};
use super::note::Note;

/// The bytes of the first read, which a client waits for.
const FIRST: usize = 32 * 1024;

/// The facts by which a reader notices that its thread was deleted, and begun again under its name.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The epoch of the first claim; 0 for a thread that has none yet.
    pub(crate) born: u64,
    /// The epoch in which it was looked at: while it lasts, no other thread has begun.
    pub(crate) epoch: u64,
}

struct Tail {
    known: Known,
    log: Arc<dyn ThreadLog>,
    live: Arc<Live>,
    key: ThreadKey,
    after: u64,
    page: VecDeque<(u64, Bytes)>,
    /// The bytes of the next read.
    bytes: usize,
    /// True if the log had no records after `after` when it was read.
    is_at_end: bool,
}

/// Returns the records after a sequence number: those that exist, then those that are appended, without end. It ends
/// after an error.
pub(crate) fn tail(
    log: Arc<dyn ThreadLog>,
    live: Arc<Live>,
    key: ThreadKey,
    after: u64,
    known: Known,
) -> impl Stream<Item = Result<(u64, Bytes), ReadError>> + Send {
    let tail = Tail { known, log, live, key, after, page: VecDeque::new(), bytes: FIRST, is_at_end: false };
    stream::unfold(Some(tail), |tail| async move {
        let mut tail = tail?;
        match tail.next().await {
            Ok(record) => Some((Ok(record), Some(tail))),
            Err(error) => Some((Err(error), None)),
        }
    })
}

impl Tail {
    async fn next(&mut self) -> Result<(u64, Bytes), ReadError> {
        loop {
            if let Some(record) = self.page.pop_front() {
                self.after = record.0;
                return Ok(record);
            }
            match self.live.after(&self.key, self.after) {
                Next::Records { records, epoch } => {
                    self.is_still(epoch).await?;
                    self.page = records;
                }
                Next::Wait(woken) => {
                    // A run that is over wakes its readers too.
                    let _ = woken.await;
                }
                Next::Ask => self.ask().await?,
            }
        }
    }

    /// Reads from the store, or waits until it has more.
    async fn ask(&mut self) -> Result<(), ReadError> {
        if std::mem::take(&mut self.is_at_end) {
            self.log.changed(&self.key, self.after).await;
        }
        let page = self.log.read(&self.key, self.after, self.bytes).await?;
        self.bytes = PAGE;
        if page.at.seq < self.after {
            // The thread was deleted, and may have begun again.
            return Err(ReadError::Trimmed { first: page.at.seq + 1 });
        }
        self.is_still(page.at.epoch).await?;
        self.is_at_end = page.last().max(self.after) == page.at.seq;
        self.page = page.records.into();
        Ok(())
    }

    /// Checks that records of an epoch are those of the thread that is read.
    async fn is_still(&mut self, epoch: u64) -> Result<(), ReadError> {
        if epoch == self.known.epoch {
            return Ok(());
        }
        let head = self.log.head(&self.key).await?;
        let born = Note::read(&head.note)?.born;
        if ![0, born].contains(&self.known.born) {
            return Err(ReadError::Trimmed { first: head.first });
        }
        self.known = Known { born, epoch };
        Ok(())
    }
}
