//! Many nodes append, claim and trim at once: each position has one winner, and the order is that of real time.

use std::sync::{Arc, Barrier, Mutex};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use agui_runtime::thread::{AppendError, LogAppend, LogPosition, ThreadLog};
use bytes::Bytes;
use futures::future::join_all;

use super::history::{Operation, Saw, assert_linearizable, past, snapshot};
use super::{Store, all, append, at, claim, conflict, key, texts};

const WRITERS: u64 = 8;

/// The others learn where the log ends.
pub fn one_append_of_many_wins(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    store.block_on(async {
        let mut end = nodes[0].append(&key("t"), claim(1, &["first"])).await.unwrap();
        for round in 0..30 {
            let names: Vec<String> = (0..WRITERS).map(|writer| format!("{round} of {writer}")).collect();
            let appends = names.iter().enumerate().map(|(writer, name)| {
                let node = &nodes[writer % nodes.len()];
                async move { node.append(&key("t"), append(end, &[name])).await }
            });
            let outcomes = join_all(appends).await;
            let winners: Vec<usize> =
                (0..outcomes.len()).filter(|writer| outcomes[*writer].is_ok()).collect();
            assert_eq!(winners.len(), 1, "{outcomes:?}");
            let next = at(1, end.seq + 1);
            for outcome in outcomes {
                match outcome {
                    Ok(end) => assert_eq!(end, next),
                    lost => assert_eq!(conflict(lost), next),
                }
            }
            let last = texts(&*nodes[0], &key("t")).await.pop().unwrap();
            assert_eq!(last, (next.seq, names[winners[0]].clone()));
            end = next;
        }
    });
}

/// Several first appends with different epochs.
pub fn one_first_append_of_many_wins(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    store.block_on(async {
        for round in 0..20 {
            let key = key(&round.to_string());
            let claims = (1..=WRITERS).map(|epoch| {
                let node = &nodes[epoch as usize % nodes.len()];
                let key = &key;
                async move { node.append(key, claim(epoch, &["a", "b"])).await }
            });
            let outcomes = join_all(claims).await;
            let won: Vec<LogPosition> =
                outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).copied().collect();
            assert_eq!(won.len(), 1, "{outcomes:?}");
            for lost in outcomes.into_iter().filter(Result::is_err) {
                assert_eq!(conflict(lost), won[0]);
            }
            assert_eq!(all(&*nodes[0], &key).await.len(), 2);
        }
    });
}

/// Numbers of a writer that only differ between writers (`splitmix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// One of many writers of a thread, who writes down what it did and saw.
struct Writer<'w, 'scope, S> {
    store: &'scope S,
    node: Arc<dyn ThreadLog>,
    scope: &'scope Scope<'scope, 'w>,
    number: u64,
    random: Random,
    history: Vec<Operation>,
}

impl<S: Store> Writer<'_, '_, S> {
    fn note<T>(&mut self, work: impl FnOnce(&Self) -> (T, Option<Saw>)) -> T {
        let began = Instant::now();
        let (value, saw) = work(self);
        let ended = Instant::now();
        self.history.extend(saw.map(|saw| Operation { began, ended, saw }));
        value
    }

    /// The appends that were acknowledged.
    fn appends(&self) -> usize {
        self.history.iter().filter(|operation| matches!(operation.saw, Saw::Appended { .. })).count()
    }

    fn head(&mut self) -> LogPosition {
        self.note(|writer| {
            let head = writer.store.block_on(writer.node.head(&key("t"))).unwrap();
            (head.at, Some(Saw::Head { at: head.at, first: head.first }))
        })
    }

    /// Appends one to three records at an end, as a claim or not.
    fn append(&mut self, end: LogPosition, number: u64) {
        let names =
            (0..=number % 3).map(|part| format!("writer {}, append {number}, part {part}", self.number));
        let records: Vec<Bytes> = names.map(Bytes::from).collect();
        let is_claim = end.epoch == 0 || self.random.below(4) == 0;
        let epoch = if is_claim { end.epoch + 1 + self.number } else { end.epoch };
        let wanted = LogAppend { at: end, epoch, records: records.clone(), note: None, lease: None };
        // The acknowledgement of some is lost, and some of those arrive late, or never.
        let fate = self.random.below(8);
        self.note(|writer| {
            let unknown = Saw::Unknown { from: end, epoch, records: records.clone() };
            match fate {
                0 => ((), Some(unknown)),
                1 => {
                    let (store, node) = (writer.store, Arc::clone(&writer.node));
                    writer.scope.spawn(move || {
                        thread::sleep(Duration::from_millis(3));
                        // The append may be out of date.
                        drop(store.block_on(node.append(&key("t"), wanted)));
                    });
                    ((), Some(unknown))
                }
                _ => {
                    let outcome = writer.store.block_on(writer.node.append(&key("t"), wanted));
                    let saw = match outcome {
                        Ok(_) if fate == 2 => unknown,
                        Ok(to) => Saw::Appended { from: end, to, records },
                        Err(AppendError::Conflict { at }) => {
                            assert_ne!(at, end, "a conflict with the very position that was asked for");
                            Saw::End(at)
                        }
                        Err(other) => panic!("{other}"),
                    };
                    ((), Some(saw))
                }
            }
        });
    }

    /// Reads the thread, and makes one record of a part of it.
    fn trim(&mut self) {
        let texts = self.note(|writer| {
            let texts = writer.store.block_on(past(&*writer.node));
            let saw = Saw::Read(texts.clone());
            (texts, Some(saw))
        });
        let end = self.head();
        let upto = LogPosition { seq: (texts.len() as u64).saturating_sub(self.random.below(4)), ..end };
        let snapshot = snapshot(&texts[..upto.seq as usize]);
        self.note(|writer| {
            writer.store.block_on(writer.node.trim(&key("t"), upto, snapshot)).unwrap();
            ((), Some(Saw::Trimmed(upto)))
        });
    }
}

/// Heads, reads, appends, claims, conflicts and trims of eight writers on two nodes; some acknowledgements are lost, and some
/// appends arrive late.
pub fn appends_claims_and_trims_are_linearizable(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    let (start, histories) = (Barrier::new(WRITERS as usize), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for number in 0..WRITERS {
            let node = Arc::clone(&nodes[number as usize % nodes.len()]);
            let (start, histories) = (&start, &histories);
            scope.spawn(move || {
                let random = Random(number);
                let mut writer = Writer { store, node, scope, number, random, history: Vec::new() };
                start.wait();
                // A store that commits groups may let one of the writers win each time, so each goes on until it has won.
                for number in 0..400 {
                    if number >= 25 && writer.appends() >= 5 {
                        break;
                    }
                    let end = writer.head();
                    if writer.random.below(6) == 0 {
                        writer.trim();
                    } else {
                        writer.append(end, number);
                    }
                }
                histories.lock().unwrap().extend(writer.history);
            });
        }
    });
    let history = histories.into_inner().unwrap();
    let log = store.block_on(past(&*nodes[1]));
    let counts = assert_linearizable(&history, &log);
    assert!(
        counts.appends > 30 && counts.claims > 5 && counts.unknown > 0 && counts.trims > 0,
        "too little happened: {counts:?}"
    );
}

/// Appends to many threads, from two nodes at once: no conflict of one is a conflict of another.
pub fn threads_do_not_disturb_each_other(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    store.block_on(async {
        let writers = (0..40_usize).map(|number| {
            let node = &nodes[number % 2];
            async move {
                let key = key(&number.to_string());
                let mut end = node.append(&key, claim(1, &["x"])).await.unwrap();
                for round in 0..10 {
                    // Every third thread is also written by nodes that lost it.
                    if number % 3 == 0 {
                        let lost = append(at(0, end.seq), &["lost"]);
                        assert_eq!(conflict(node.append(&key, lost).await), end);
                    }
                    end = node.append(&key, append(end, &[&round.to_string()])).await.unwrap();
                }
                assert_eq!(all(&**node, &key).await.len(), 11);
            }
        });
        join_all(writers).await;
    });
}
