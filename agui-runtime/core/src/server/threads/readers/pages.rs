//! Log pages in memory: readers at the same cursor share one copy.

use std::sync::Arc;

use bytes::Bytes;
use tokio::sync::OnceCell;
use tokio::time::Instant;

use super::copies::{CopyBudget, HeldCopy, NO_MEMORY, SMALL_COPY};
use super::shared_cells::SharedCells;
use crate::thread::{LogError, LogPage, LogPosition, LogReadError, ThreadKey, ThreadLog};

/// The byte limit for the first read, which a client waits for, and for later reads.
pub(in crate::server::threads) const FIRST: usize = 32 * 1024;
const NEXT: usize = 256 * 1024;

/// The log pages that this server's readers hold.
#[derive(Debug)]
pub(crate) struct PageCache {
    budget: Arc<CopyBudget>,
    held: SharedCells<PageKey, HeldPage>,
}

/// A page in a thread. `born` distinguishes the thread from an earlier thread with the same name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct PageKey {
    key: ThreadKey,
    born: u64,
    after: u64,
    bytes: usize,
}

#[derive(Debug)]
struct HeldPage {
    page: LogPage,
    /// `None` for a client that began a run while readers hold all memory.
    _held: Option<HeldCopy>,
}

/// The page that a reader wants.
pub(in crate::server::threads) struct PageRequest<'k> {
    pub(in crate::server::threads) key: &'k ThreadKey,
    /// 0 for a thread that is not known yet.
    pub(in crate::server::threads) born: u64,
    pub(in crate::server::threads) after: u64,
    pub(in crate::server::threads) is_first: bool,
    pub(in crate::server::threads) kind: ReaderKind,
}

/// How the client came to read the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReaderKind {
    /// The client began the run, and never waits for memory that other readers hold.
    BeganRun,
    Other,
}

/// Iterates over records with sequence numbers. All records stay in memory until the value is dropped.
#[derive(Debug)]
pub(crate) struct RecordBatch {
    cell: Option<Arc<OnceCell<HeldPage>>>,
    own: Vec<(u64, Bytes)>,
    next: usize,
}

impl RecordBatch {
    fn shared(cell: Arc<OnceCell<HeldPage>>) -> Self {
        Self { cell: Some(cell), own: Vec::new(), next: 0 }
    }

    fn records(&self) -> &[(u64, Bytes)] {
        match self.cell.as_ref().and_then(|cell| cell.get()) {
            Some(held) => &held.page.records,
            None => &self.own,
        }
    }

    /// Returns the first record's sequence number, taken or not.
    pub(in crate::server::threads) fn first_seq(&self) -> Option<u64> {
        self.records().first().map(|(seq, _)| *seq)
    }

    /// Returns the last record's sequence number, taken or not.
    pub(in crate::server::threads) fn last_seq(&self) -> Option<u64> {
        self.records().last().map(|(seq, _)| *seq)
    }
}

impl From<Vec<(u64, Bytes)>> for RecordBatch {
    fn from(own: Vec<(u64, Bytes)>) -> Self {
        Self { cell: None, own, next: 0 }
    }
}

impl Iterator for RecordBatch {
    type Item = (u64, Bytes);

    fn next(&mut self) -> Option<(u64, Bytes)> {
        let record = self.records().get(self.next).cloned();
        self.next += 1;
        record
    }
}

impl PageCache {
    pub(crate) fn new(budget: Arc<CopyBudget>) -> Self {
        Self { budget, held: SharedCells::default() }
    }

    /// Reads the records after `after`, and the log's end.
    pub(in crate::server::threads) async fn read(
        &self,
        log: &dyn ThreadLog,
        wanted: PageRequest<'_>,
    ) -> Result<(RecordBatch, LogPosition), LogReadError> {
        let since = Instant::now();
        let PageRequest { key, born, after, is_first, kind } = wanted;
        let bytes = if is_first || self.budget.is_scarce() { FIRST } else { NEXT };
        // A client that began its run must not wait for others that wait for the page.
        let (cell, place) = if born == 0 || kind == ReaderKind::BeganRun {
            (Arc::default(), None)
        } else {
            let place = PageKey { key: key.clone(), born, after, bytes };
            (self.held.cell(&place), Some(place))
        };
        // One reader reads for all that wait for the same.
        let load = async || {
            let page = log.read(key, after, bytes).await?;
            match (self.budget.hold(size_of(&page)), kind) {
                (Some(held), _) => Ok(HeldPage { page, _held: Some(held) }),
                (None, ReaderKind::Other) => {
                    drop(page);
                    self.load_later(log, key, after, since).await
                }
                // The limit of runs bounds the number of such pages. They take no room of readers.
                (None, ReaderKind::BeganRun) => {
                    drop(page);
                    Ok(HeldPage { page: log.read(key, after, SMALL_COPY / 2).await?, _held: None })
                }
            }
        };
        let held = cell.get_or_try_init(load).await?;
        let at = held.page.at;
        if held.page.last() >= at.seq
            && let Some(place) = place
        {
            // The log goes on behind it: who comes later reads more.
            self.held.forget(&place);
        }
        Ok((RecordBatch::shared(cell), at))
    }

    /// Reads the smallest page as soon as other readers have returned enough memory.
    async fn load_later(
        &self,
        log: &dyn ThreadLog,
        key: &ThreadKey,
        after: u64,
        since: Instant,
    ) -> Result<HeldPage, LogReadError> {
        let size = size_of(&log.read(key, after, SMALL_COPY / 2).await?);
        let scarce = || LogReadError::Unavailable(LogError::new(NO_MEMORY));
        let mut held = self.budget.hold_later(size, since).await.ok_or_else(scarce)?;
        let page = log.read(key, after, SMALL_COPY / 2).await?;
        // The log may go on meanwhile.
        let is_held = held.grow(size_of(&page).saturating_sub(size));
        if is_held { Ok(HeldPage { page, _held: Some(held) }) } else { Err(scarce()) }
    }
}

fn size_of(page: &LogPage) -> usize {
    page.records.iter().map(|(_, record)| record.len()).sum()
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::thread::{LogAppend, Memory};

    #[tokio::test]
    async fn the_client_that_began_a_run_waits_for_no_memory_of_others() {
        let (log, key) = (Memory::new(), ThreadKey::new("", "/", "t"));
        let records = vec![Bytes::from(vec![b'x'; 3 * SMALL_COPY])];
        let append = LogAppend { at: LogPosition::default(), epoch: 1, records, note: None, lease: None };
        log.append(&key, append).await.unwrap();
        let budget = CopyBudget::new(4 * SMALL_COPY, |_| ());
        let _all = budget.hold(4 * SMALL_COPY).unwrap();
        let pages = PageCache::new(budget);
        let wanted = |kind| PageRequest { key: &key, born: 1, after: 0, is_first: true, kind };
        let mut other = Box::pin(pages.read(&log, wanted(ReaderKind::Other)));
        assert!((&mut other).now_or_never().is_none(), "others have all memory");
        let (records, _) = pages.read(&log, wanted(ReaderKind::BeganRun)).await.unwrap();
        assert_eq!(records.count(), 1);
    }

    #[tokio::test]
    async fn a_reader_that_waits_for_memory_holds_no_page() {
        let (log, key) = (Memory::new(), ThreadKey::new("", "/", "t"));
        let record = Bytes::from(vec![b'x'; 3 * SMALL_COPY]);
        let records = vec![record.clone()];
        let append = LogAppend { at: LogPosition::default(), epoch: 1, records, note: None, lease: None };
        let at = log.append(&key, append).await.unwrap();
        let budget = CopyBudget::new(4 * SMALL_COPY, |_| ());
        let _all = budget.hold(4 * SMALL_COPY).unwrap();
        let pages = PageCache::new(budget);
        let wanted = PageRequest { key: &key, born: 1, after: 0, is_first: true, kind: ReaderKind::Other };
        let mut reader = Box::pin(pages.read(&log, wanted));
        assert!((&mut reader).now_or_never().is_none(), "others have all memory");
        log.delete(&key, Some(at)).await.unwrap();
        assert!(record.is_unique(), "the reader holds the record");
    }
}
