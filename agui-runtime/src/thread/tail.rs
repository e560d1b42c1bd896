//! The records of a thread after one, as they come.

use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures::Stream;
use futures::stream;

use super::fold::PAGE;
use super::live::{Live, Next};
use super::log::{ReadError, ThreadKey, ThreadLog};

/// The bytes of the first read, which a client waits for.
const FIRST: usize = 32 * 1024;

struct Tail {
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
) -> impl Stream<Item = Result<(u64, Bytes), ReadError>> + Send {
    let tail = Tail { log, live, key, after, page: VecDeque::new(), bytes: FIRST, is_at_end: false };
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
                Next::Records(records) => self.page = records,
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
        if page.head < self.after {
            // The thread was deleted, and may have begun again.
            return Err(ReadError::Trimmed { first: page.head + 1 });
        }
        if let Some((first, _)) = page.records.first().filter(|(first, _)| *first != self.after + 1) {
            // A snapshot stands for the first records, and is no event that a client could read.
            return Err(ReadError::Trimmed { first: *first });
        }
        self.is_at_end = page.last().max(self.after) == page.head;
        self.page = page.records.into();
        Ok(())
    }
}
