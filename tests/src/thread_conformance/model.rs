//! Random operations on an engine and on a model of a few lines, which must agree.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agui_runtime::thread::{
    AppendError, LogAppend, LogHead, LogPosition, LogReadError, ThreadKey, ThreadLog,
};
use bytes::Bytes;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use super::{LIMIT, Store, all, within};

const LONG: Duration = Duration::from_secs(3_600);

/// A thread as the documentation describes it.
#[derive(Clone, Debug, Default)]
struct Thread {
    at: LogPosition,
    records: BTreeMap<u64, Bytes>,
    trimmed: bool,
    note: Bytes,
    lease: Option<Duration>,
}

/// An operation on one of a few threads, on one of two nodes. Positions are relative to the end of the log, so that many
/// of them fit.
#[derive(Clone, Debug)]
enum Operation {
    Append { off: (i8, i8), claim: u8, sizes: Vec<usize>, note: Option<Vec<u8>>, lease: Option<Duration> },
    Read { after: u64, bytes: usize },
    Head,
    Renew { off: i8, time: Duration },
    Trim { off: i8, upto: u64, snapshot: Vec<u8> },
    Delete,
    Changed { after: u64 },
    Lists { page: usize },
}

fn operation() -> impl Strategy<Value = Operation> {
    let lease = || prop_oneof![Just(Duration::ZERO), Just(LONG)];
    // Most conditions are right.
    let off = || prop_oneof![6 => Just(0_i8), 1 => -2..=2_i8];
    let append = (
        (off(), off()),
        prop_oneof![3 => Just(0), 1 => 1..4_u8],
        vec(prop_oneof![0..40_usize, Just(3_000)], 0..4),
        prop::option::of(vec(any::<u8>(), 0..9)),
        prop::option::of(lease()),
    );
    prop_oneof![
        8 => append.prop_map(|(off, claim, sizes, note, lease)| Operation::Append { off, claim, sizes, note, lease }),
        4 => (0..24_u64, prop_oneof![0..200_usize, Just(usize::MAX)])
            .prop_map(|(after, bytes)| Operation::Read { after, bytes }),
        2 => Just(Operation::Head),
        2 => (off(), lease()).prop_map(|(off, time)| Operation::Renew { off, time }),
        2 => (off(), 0..24_u64, vec(any::<u8>(), 0..20))
            .prop_map(|(off, upto, snapshot)| Operation::Trim { off, upto, snapshot }),
        1 => Just(Operation::Delete),
        1 => (0..24_u64).prop_map(|after| Operation::Changed { after }),
        1 => (1..4_usize).prop_map(|page| Operation::Lists { page }),
    ]
}

fn moved(number: u64, by: i8) -> u64 {
    number.wrapping_add_signed(by.into())
}

/// The engine beside the model.
struct Pair {
    nodes: [Arc<dyn ThreadLog>; 2],
    owner: String,
    model: BTreeMap<String, Thread>,
    written: u64,
}

impl Pair {
    fn key(&self, thread: &str) -> ThreadKey {
        ThreadKey::new(&self.owner, "/", thread)
    }

    fn record(&mut self, size: usize) -> Bytes {
        self.written += 1;
        let mut record = self.written.to_string().into_bytes();
        record.resize(size, b'.');
        record.into()
    }

    async fn step(&mut self, log: &dyn ThreadLog, name: &str, operation: Operation) {
        let key = self.key(name);
        let known = self.model.get(name).cloned();
        let thread = known.clone().unwrap_or_default();
        match operation {
            Operation::Append { off, claim, sizes, note, lease } => {
                let at =
                    LogPosition { epoch: moved(thread.at.epoch, off.0), seq: moved(thread.at.seq, off.1) };
                let records: Vec<_> = sizes.into_iter().map(|size| self.record(size)).collect();
                let note = note.map(Bytes::from);
                let epoch = at.epoch.wrapping_add(claim.into());
                let append = LogAppend { at, epoch, records, note, lease };
                let appended = log.append(&key, append.clone()).await;
                let expected = self.append(name, append);
                match (appended, expected) {
                    (Ok(end), Ok(expected)) => assert_eq!(end, expected),
                    (Err(AppendError::Conflict { at }), Err(expected)) => assert_eq!(at, expected),
                    (appended, expected) => panic!("{appended:?} instead of {expected:?}"),
                }
            }
            Operation::Read { after, bytes } => match (log.read(&key, after, bytes).await, known) {
                (Ok(page), None) => assert_eq!((page.records.len(), page.at.seq), (0, 0)),
                (Ok(page), Some(thread)) => {
                    assert!(!thread.trimmed || after == 0 || after >= thread.first());
                    assert_eq!((page.records, page.at), (thread.page(after, bytes), thread.at));
                }
                (Err(LogReadError::Trimmed { first }), Some(thread)) => {
                    assert!(thread.trimmed && first == thread.first() && (1..first).contains(&after));
                }
                (Err(other), _) => panic!("{other}"),
            },
            Operation::Head => self.assert_head(log, name).await,
            Operation::Renew { off, time } => {
                let epoch = moved(thread.at.epoch, off);
                let renewed = log.renew(&key, epoch, time).await.unwrap();
                assert_eq!(renewed, known.is_some() && epoch == thread.at.epoch && thread.lease.is_some());
                if let Some(thread) = self.model.get_mut(name).filter(|_| renewed) {
                    thread.lease = Some(time);
                }
            }
            Operation::Trim { off, upto, snapshot } => {
                let upto = LogPosition { epoch: moved(thread.at.epoch, off), seq: upto };
                log.trim(&key, upto, snapshot.clone().into()).await.unwrap();
                if let Some(thread) = self.model.get_mut(name) {
                    thread.trim(upto, snapshot.into());
                }
            }
            Operation::Delete => {
                assert_eq!(log.delete(&key, None).await.unwrap(), self.model.remove(name).is_some());
            }
            Operation::Changed { after } => {
                if after != thread.at.seq {
                    assert!(within(LIMIT, log.changed(&key, after)).await.is_some());
                }
            }
            Operation::Lists { page } => self.assert_lists(log, page).await,
        }
    }

    fn append(&mut self, name: &str, append: LogAppend) -> Result<LogPosition, LogPosition> {
        let found = self.model.get(name).map(|thread| thread.at).unwrap_or_default();
        if append.at != found {
            return Err(found);
        }
        if append.records.is_empty() && !self.model.contains_key(name) {
            return Ok(found);
        }
        let thread = self.model.entry(name.to_owned()).or_default();
        thread.at.epoch = append.epoch;
        for record in append.records {
            thread.at.seq += 1;
            thread.records.insert(thread.at.seq, record);
        }
        thread.note = append.note.unwrap_or(thread.note.clone());
        thread.lease = append.lease;
        Ok(thread.at)
    }

    async fn assert_head(&self, log: &dyn ThreadLog, name: &str) {
        let head = log.head(&self.key(name)).await.unwrap();
        let Some(thread) = self.model.get(name) else {
            assert_eq!(head, LogHead::default());
            return;
        };
        assert_eq!((head.at, head.first, &head.note), (thread.at, thread.first(), &thread.note));
        match thread.lease {
            Some(Duration::ZERO) | None => assert_eq!(head.lease, thread.lease),
            Some(long) => assert!(head.lease <= thread.lease && head.lease > Some(long / 2), "{head:?}"),
        }
    }

    async fn assert_lists(&self, log: &dyn ThreadLog, page: usize) {
        let mut listed = Vec::new();
        loop {
            let more = log.list(&self.owner, "/", listed.last(), page).await.unwrap();
            if more.is_empty() {
                break;
            }
            listed.extend(more);
        }
        assert!(listed.is_sorted_by_key(|listed| (std::cmp::Reverse(listed.changed), listed.thread.clone())));
        let listed: BTreeMap<_, _> = listed.into_iter().map(|listed| (listed.thread, listed.note)).collect();
        let expected: BTreeMap<_, _> =
            self.model.iter().map(|(name, thread)| (name.clone(), thread.note.clone())).collect();
        assert_eq!(listed, expected);
        self.assert_keys(log.expired(usize::MAX).await.unwrap(), Some(Duration::ZERO));
        self.assert_keys(log.idle(Duration::ZERO, usize::MAX).await.unwrap(), None);
    }

    fn assert_keys(&self, mut found: Vec<ThreadKey>, lease: Option<Duration>) {
        found.sort();
        let with_lease = self.model.iter().filter(|(_, thread)| thread.lease == lease);
        let expected: Vec<_> = with_lease.map(|(name, _)| self.key(name)).collect();
        assert_eq!(found, expected);
    }
}

impl Thread {
    fn first(&self) -> u64 {
        self.records.first_key_value().map_or(1, |(seq, _)| *seq)
    }

    fn page(&self, after: u64, bytes: usize) -> Vec<(u64, Bytes)> {
        let mut taken = 0;
        let later = self.records.range(after.saturating_add(1)..).enumerate();
        let fits = later.take_while(|(number, (_, record))| {
            taken += record.len();
            *number == 0 || taken <= bytes
        });
        fits.map(|(_, (seq, record))| (*seq, record.clone())).collect()
    }

    fn trim(&mut self, upto: LogPosition, snapshot: Bytes) {
        if upto.epoch == self.at.epoch && upto.seq > self.first() && upto.seq <= self.at.seq {
            self.records = self.records.split_off(&upto.seq);
            self.records.insert(upto.seq, snapshot);
            self.trimmed = true;
        }
    }
}

async fn run(nodes: [Arc<dyn ThreadLog>; 2], operations: Vec<(u8, bool, Operation)>) {
    // The store is the same for all cases.
    static CASE: AtomicU64 = AtomicU64::new(0);
    let owner = format!("case {}", CASE.fetch_add(1, Ordering::Relaxed));
    let mut pair = Pair { nodes, owner, model: BTreeMap::new(), written: 0 };
    for (thread, second, operation) in operations {
        let log = Arc::clone(&pair.nodes[usize::from(second)]);
        pair.step(&*log, ["a", "b"][usize::from(thread)], operation).await;
    }
    for log in &pair.nodes {
        for (name, thread) in &pair.model {
            pair.assert_head(&**log, name).await;
            let records: Vec<_> = thread.records.clone().into_iter().collect();
            assert_eq!(all(&**log, &pair.key(name)).await, records);
        }
        pair.assert_lists(&**log, 1).await;
    }
    for name in pair.model.keys() {
        assert!(pair.nodes[0].delete(&pair.key(name), None).await.unwrap());
    }
}

/// `PROPTEST_CASES` runs more of them.
pub fn any_operations_do_what_the_model_does(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    // A case that panics leaves its threads in the store, so it is not made smaller: the steps would fail for them.
    let config = Config { cases, max_shrink_iters: 0, failure_persistence: None, ..Config::default() };
    let operations = vec((0..2_u8, any::<bool>(), operation()), 1..60);
    let outcome = TestRunner::new(config).run(&operations, |operations| {
        store.block_on(run(nodes.clone(), operations));
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
}
