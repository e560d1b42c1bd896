//! The newest records from this server's runs: local readers get them without asking the store.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_channel::oneshot;

use super::pages::RecordBatch;
use super::tail::ThreadEpochs;
use crate::thread::{LogPosition, ThreadKey};

/// The maximum bytes of records kept for one run. A reader that falls back further asks the store.
const FEED_BYTES: usize = 64 * 1024;

/// This server's runs. A run is registered until its owner drops the claim.
#[derive(Debug, Default)]
pub(crate) struct LiveRecords(Mutex<HashMap<ThreadKey, RunFeed>>);

#[derive(Debug)]
struct RunFeed {
    /// The log's end as the run's owner knows it.
    at: LogPosition,
    /// The epoch of the thread's first claim; the thread may have been deleted since.
    born: u64,
    /// The last records up to `at`. The store acknowledged all of them.
    records: VecDeque<(u64, Bytes)>,
    bytes: usize,
    /// Wakes readers when the end moves and when the value is dropped.
    waiting: Vec<oneshot::Sender<()>>,
}

/// Where the records after a sequence number come from.
pub(crate) enum RecordSource {
    /// The records are in memory.
    Records {
        records: RecordBatch,
        /// The thread facts that belong to the run.
        of: ThreadEpochs,
    },
    /// No records yet. Resolves on new records and when the run is over.
    Pending(oneshot::Receiver<()>),
    /// Only the store has the records.
    StoreOnly,
}

/// A run's owner, which publishes what the run has written.
#[derive(Debug)]
pub(crate) struct FeedOwner {
    live: Arc<LiveRecords>,
    key: ThreadKey,
    epoch: u64,
}

impl LiveRecords {
    /// Registers a run on this server that owns a thread from `at` on.
    pub(crate) fn own(self: &Arc<Self>, key: &ThreadKey, at: LogPosition, born: u64) -> FeedOwner {
        let feed = RunFeed { at, born, records: VecDeque::new(), bytes: 0, waiting: Vec::new() };
        self.lock().insert(key.clone(), feed);
        FeedOwner { live: Arc::clone(self), key: key.clone(), epoch: at.epoch }
    }

    /// Returns where the records after a sequence number come from. `born` is the epoch of the thread's first claim; 0 stands
    /// for any thread with this key. A run may still be registered here although the thread was deleted.
    pub(crate) fn after(&self, key: &ThreadKey, after: u64, born: u64) -> RecordSource {
        let mut feeds = self.lock();
        let feed = feeds.get_mut(key).filter(|feed| after <= feed.at.seq && [0, feed.born].contains(&born));
        let Some(feed) = feed else { return RecordSource::StoreOnly };
        if after == feed.at.seq {
            let (waits, woken) = oneshot::channel();
            feed.waiting.retain(|waiting| !waiting.is_canceled());
            feed.waiting.push(waits);
            return RecordSource::Pending(woken);
        }
        let first = feed.records.front().map_or(u64::MAX, |(seq, _)| *seq);
        match (after + 1).checked_sub(first).map(usize::try_from) {
            Some(Ok(known)) => {
                let records = feed.records.iter().skip(known).cloned().collect::<Vec<_>>().into();
                RecordSource::Records { records, of: ThreadEpochs { born: feed.born, epoch: feed.at.epoch } }
            }
            _ => RecordSource::StoreOnly,
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<ThreadKey, RunFeed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FeedOwner {
    /// Publishes acknowledged records. They are the log's last ones; the log ends at `end`.
    pub(crate) fn publish(&self, records: &[Bytes], end: u64) {
        self.with_feed(|feed| {
            let first = end + 1 - records.len() as u64;
            if first != feed.at.seq + 1 {
                feed.forget();
            }
            for (seq, record) in (first..).zip(records) {
                feed.bytes += record.len();
                feed.records.push_back((seq, record.clone()));
            }
            while feed.bytes > FEED_BYTES
                && let Some((_, record)) = feed.records.pop_front()
            {
                feed.bytes -= record.len();
            }
            feed.moves_to(end);
        });
    }

    /// Records that the log ends elsewhere; readers get the new records from the store.
    pub(crate) fn moved(&self, end: u64) {
        self.with_feed(|feed| {
            if end != feed.at.seq {
                feed.forget();
                feed.moves_to(end);
            }
        });
    }

    fn with_feed(&self, change: impl FnOnce(&mut RunFeed)) {
        // A later claim of this server may have taken the place.
        if let Some(feed) = self.live.lock().get_mut(&self.key).filter(|feed| feed.at.epoch == self.epoch) {
            change(feed);
        }
    }
}

impl RunFeed {
    fn forget(&mut self) {
        self.records.clear();
        self.bytes = 0;
    }

    fn moves_to(&mut self, end: u64) {
        self.at.seq = end;
        for waiting in self.waiting.drain(..) {
            // The reader may have gone.
            let _ = waiting.send(());
        }
    }
}

impl Drop for FeedOwner {
    fn drop(&mut self) {
        let mut feeds = self.live.lock();
        if feeds.get(&self.key).is_some_and(|feed| feed.at.epoch == self.epoch) {
            feeds.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(next: RecordSource) -> Option<Vec<u64>> {
        match next {
            RecordSource::Records { records, .. } => Some(records.into_iter().map(|(seq, _)| seq).collect()),
            RecordSource::Pending(_) => Some(Vec::new()),
            RecordSource::StoreOnly => None,
        }
    }

    fn owned(seq: u64) -> (Arc<LiveRecords>, ThreadKey, FeedOwner) {
        let (live, key) = (Arc::new(LiveRecords::default()), ThreadKey::new("", "/", "t"));
        let owner = live.own(&key, LogPosition { epoch: 1, seq }, 1);
        (live, key, owner)
    }

    #[test]
    fn readers_get_what_was_published_after_their_place() {
        let (live, key, owner) = owned(2);
        let after = |seq| records(live.after(&key, seq, 0));
        assert_eq!((after(1), after(2), after(3)), (None, Some(vec![]), None));
        owner.publish(&["a".into(), "b".into()], 4);
        assert_eq!((after(1), after(2), after(3)), (None, Some(vec![3, 4]), Some(vec![4])));
        drop(owner);
        assert_eq!(after(3), None);
    }

    #[test]
    fn records_of_others_and_those_before_them_come_from_the_store() {
        let (live, key, owner) = owned(2);
        owner.publish(&["a".into()], 3);
        owner.moved(4);
        assert_eq!((records(live.after(&key, 2, 0)), records(live.after(&key, 3, 0))), (None, None));
        // One more record of another came before these.
        owner.publish(&["b".into()], 6);
        assert_eq!((records(live.after(&key, 4, 0)), records(live.after(&key, 5, 0))), (None, Some(vec![6])));
    }

    #[test]
    fn only_the_newest_records_are_kept() {
        let (live, key, owner) = owned(0);
        let large = Bytes::from(vec![b'x'; FEED_BYTES / 2]);
        owner.publish(&[large.clone(), large.clone(), large], 3);
        assert_eq!(
            (records(live.after(&key, 0, 0)), records(live.after(&key, 1, 0))),
            (None, Some(vec![2, 3]))
        );
        owner.publish(&[vec![b'x'; FEED_BYTES + 1].into()], 4);
        assert_eq!((records(live.after(&key, 3, 0)), records(live.after(&key, 4, 0))), (None, Some(vec![])));
    }

    #[test]
    fn a_run_of_an_earlier_thread_is_not_read() {
        let (live, key, owner) = owned(0);
        owner.publish(&["a".into()], 1);
        assert_eq!(records(live.after(&key, 0, 1)), Some(vec![1]));
        assert_eq!((records(live.after(&key, 0, 2)), records(live.after(&key, 1, 2))), (None, None));
    }

    #[test]
    fn readers_that_wait_are_woken_by_records_and_by_the_end() {
        let (live, key, owner) = owned(2);
        let wait = |seq| match live.after(&key, seq, 0) {
            RecordSource::Pending(woken) => woken,
            _ => panic!("not at the end"),
        };
        let mut first = wait(2);
        assert_eq!(first.try_recv(), Ok(None));
        owner.publish(&["a".into()], 3);
        assert_eq!(first.try_recv(), Ok(Some(())));
        let mut second = wait(3);
        let later = live.own(&key, LogPosition { epoch: 2, seq: 5 }, 1);
        assert!(second.try_recv().is_err());
        // The owner before has no say any more.
        owner.publish(&["zombie".into()], 6);
        drop(owner);
        assert_eq!(records(live.after(&key, 5, 0)), Some(vec![]));
        drop(later);
        assert_eq!(records(live.after(&key, 5, 0)), None);
    }
}
