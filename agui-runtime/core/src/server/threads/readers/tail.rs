//! Follows a thread: stored records after a sequence number, then new ones.

use std::sync::Arc;

use futures_util::Stream;
use futures_util::stream;

use super::live::{LiveRecords, RecordSource};
use super::pages::{PageCache, PageRequest, ReaderKind, RecordBatch};
use crate::server::threads::conversation::note::ThreadNote;
use crate::thread::{LogReadError, ThreadKey, ThreadLog};

/// Identifies a thread among threads with one name: a thread may be deleted and begun again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ThreadEpochs {
    /// The first claim's epoch; 0 for a thread without a claim.
    pub(crate) born: u64,
    /// The epoch at the last check. Records in this epoch need no new check.
    pub(crate) epoch: u64,
}

struct ThreadTail {
    epochs: ThreadEpochs,
    kind: ReaderKind,
    log: Arc<dyn ThreadLog>,
    live: Arc<LiveRecords>,
    pages: Arc<PageCache>,
    key: ThreadKey,
    after: u64,
    /// True until the first store read.
    is_first: bool,
    /// True if the last read found no records beyond `after`.
    is_at_end: bool,
}

/// Follows a thread in batches: stored records after a sequence number, then appended ones, without end. Ends after an error.
pub(crate) fn tail(
    log: Arc<dyn ThreadLog>,
    (live, pages): (Arc<LiveRecords>, Arc<PageCache>),
    key: ThreadKey,
    after: u64,
    epochs: ThreadEpochs,
    kind: ReaderKind,
) -> impl Stream<Item = Result<RecordBatch, LogReadError>> + Send {
    let tail = ThreadTail { epochs, kind, log, live, pages, key, after, is_first: true, is_at_end: false };
    stream::unfold(Some(tail), |tail| async move {
        let mut tail = tail?;
        match tail.next().await {
            Ok(records) => Some((Ok(records), Some(tail))),
            Err(error) => Some((Err(error), None)),
        }
    })
}

impl ThreadTail {
    async fn next(&mut self) -> Result<RecordBatch, LogReadError> {
        loop {
            let records = match self.live.after(&self.key, self.after, self.epochs.born) {
                RecordSource::Records { records, of } if self.is_from_thread(of).await? => records,
                RecordSource::Records { .. } => self.read_store().await?,
                RecordSource::Pending(woken) => {
                    // A run that is over wakes its readers too.
                    let _ = woken.await;
                    continue;
                }
                RecordSource::StoreOnly => self.read_store().await?,
            };
            if let Some(last) = records.last_seq() {
                self.after = last;
                return Ok(records);
            }
        }
    }

    /// Reads from the store, or waits until the store has more.
    async fn read_store(&mut self) -> Result<RecordBatch, LogReadError> {
        if std::mem::take(&mut self.is_at_end) {
            self.log.changed(&self.key, self.after).await;
        }
        let is_first = std::mem::take(&mut self.is_first);
        let (born, after) = (self.epochs.born, self.after);
        let wanted = PageRequest { key: &self.key, born, after, is_first, kind: self.kind };
        let (records, at) = self.pages.read(&*self.log, wanted).await?;
        if at.seq < self.after {
            // The thread was deleted, and may have begun again.
            return Err(LogReadError::Trimmed { first: at.seq + 1 });
        }
        if !self.is_same_thread(at.epoch).await? {
            return Ok(Vec::new().into());
        }
        if let Some(first) = records.first_seq().filter(|first| *first != self.after + 1) {
            // A snapshot stands for the first records, and is no event that a client could read.
            return Err(LogReadError::Trimmed { first });
        }
        self.is_at_end = records.last_seq().unwrap_or_default().max(self.after) == at.seq;
        Ok(records)
    }

    /// True if a local run's records belong to the followed thread: this server may not know yet that the thread was deleted.
    async fn is_from_thread(&mut self, of: ThreadEpochs) -> Result<bool, LogReadError> {
        if self.epochs.born == 0 {
            let head = self.log.head(&self.key).await?;
            if head.at.seq == 0 || ThreadNote::read(&head.note)?.born != of.born {
                return Ok(false);
            }
            self.epochs = of;
        }
        Ok(true)
    }

    /// True if records read in `epoch` belong to the followed thread. False if the thread changed between both reads: read again.
    /// Fails if the thread was deleted or replaced.
    async fn is_same_thread(&mut self, epoch: u64) -> Result<bool, LogReadError> {
        if epoch == self.epochs.epoch {
            return Ok(true);
        }
        let head = self.log.head(&self.key).await?;
        let born = ThreadNote::read(&head.note)?.born;
        if ![0, born].contains(&self.epochs.born) {
            return Err(LogReadError::Trimmed { first: head.first });
        }
        // A thread that was there before and is there after was there meanwhile.
        if self.epochs.born == 0 && head.at.epoch != epoch {
            return Ok(false);
        }
        self.epochs = ThreadEpochs { born, epoch };
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{FutureExt, StreamExt};

    use super::super::copies::CopyBudget;
    use super::*;
    use crate::thread::{LogAppend, LogPosition, Memory};

    #[tokio::test]
    async fn a_run_whose_thread_was_deleted_is_not_read_in_the_next_one() {
        let (log, live, key) =
            (Memory::new(), Arc::new(LiveRecords::default()), ThreadKey::new("", "/", "t"));
        // Its server does not know yet that its thread is gone. Its clock is ahead.
        let owner = live.own(&key, LogPosition { epoch: 9, seq: 0 }, 9);
        owner.publish(&["of the first thread".into()], 1);
        let pages = Arc::new(PageCache::new(CopyBudget::new(0, |_| ())));
        let tail_from = |epochs| {
            let near = (Arc::clone(&live), Arc::clone(&pages));
            tail(Arc::new(log.clone()), near, key.clone(), 0, epochs, ReaderKind::Other)
        };
        let mut early = tail_from(ThreadEpochs::default()).boxed();
        assert!(early.next().now_or_never().is_none(), "there is no thread");
        let append = LogAppend {
            at: LogPosition::default(),
            epoch: 2,
            records: vec!["of the second thread".into()],
            note: Some(r#"{"born":2}"#.into()),
            lease: None,
        };
        log.append(&key, append).await.unwrap();
        let late = tail_from(ThreadEpochs { born: 2, epoch: 2 }).boxed();
        for mut reader in [early, late] {
            let records = reader.next().await.unwrap().unwrap();
            assert_eq!(records.collect::<Vec<_>>(), [(1, "of the second thread".into())]);
        }
    }
}
