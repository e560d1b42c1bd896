//! Many nodes append at once: each position has one winner, and the order is that of real time.
//!
//! A log gives each append a position that no other has, so the order in which a history must be linearized is known, and
//! the check of linearizability is linear: an operation that returned before another began comes before it.

use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Instant;

use agui_runtime::thread::{AppendError, Position, ThreadLog};
use bytes::Bytes;
use futures::future::join_all;

use super::{Store, all, append, at, claim, conflict, key, texts};

const WRITERS: u64 = 8;

/// One operation, as its writer saw it.
struct Operation {
    began: Instant,
    ended: Instant,
    saw: Saw,
}

enum Saw {
    /// Its records are those after `before`, up to `end`.
    Appended { before: u64, end: u64, records: Vec<Bytes> },
    /// The end of the log: of a head, or of a conflict.
    End(u64),
}

fn timed<T>(work: impl FnOnce() -> T) -> (Instant, Instant, T) {
    let began = Instant::now();
    let value = work();
    (began, Instant::now(), value)
}

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
            let won: Vec<Position> =
                outcomes.iter().filter_map(|outcome| outcome.as_ref().ok()).copied().collect();
            assert_eq!(won.len(), 1, "{outcomes:?}");
            for lost in outcomes.into_iter().filter(Result::is_err) {
                assert_eq!(conflict(lost), won[0]);
            }
            assert_eq!(all(&*nodes[0], &key).await.len(), 2);
        }
    });
}

fn write(store: &impl Store, node: &dyn ThreadLog, writer: u64, start: &Barrier) -> Vec<Operation> {
    let mut history = Vec::new();
    let key = key("t");
    start.wait();
    for number in 0..25 {
        let (began, ended, head) = timed(|| store.block_on(node.head(&key)).unwrap());
        history.push(Operation { began, ended, saw: Saw::End(head.at.seq) });
        let names: Vec<String> =
            (0..=number % 3).map(|part| format!("writer {writer}, append {number}, part {part}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        // Some keep trying from where the conflict says the log ends, some give up.
        let mut end = head.at;
        for _ in 0..=number % 4 {
            let wanted = if end.seq == 0 { claim(1, &names) } else { append(end, &names) };
            let records = wanted.records.clone();
            let (began, ended, outcome) = timed(|| store.block_on(node.append(&key, wanted)));
            let saw = match outcome {
                Ok(Position { seq, .. }) => Saw::Appended { before: end.seq, end: seq, records },
                Err(AppendError::Conflict { at }) => {
                    assert_ne!(at, end, "a conflict with the very position that was asked for");
                    end = at;
                    Saw::End(at.seq)
                }
                Err(other) => panic!("{other}"),
            };
            let is_done = matches!(saw, Saw::Appended { .. });
            history.push(Operation { began, ended, saw });
            if is_done {
                break;
            }
        }
    }
    history
}

/// Heads, appends and conflicts of eight writers on two nodes.
pub fn appends_are_linearizable(store: &impl Store) {
    let nodes = [store.node(), store.node()];
    let (start, histories) = (Barrier::new(WRITERS as usize), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (node, start, histories) = (&nodes[writer as usize % nodes.len()], &start, &histories);
            scope.spawn(move || {
                let history = write(store, &**node, writer, start);
                histories.lock().unwrap().extend(history);
            });
        }
    });
    let history = histories.into_inner().unwrap();
    let log = store.block_on(all(&*nodes[1], &key("t")));
    let appended = assert_linearizable(&history, &log);
    assert!(appended > 50, "only {appended} appends were made");
}

/// Fails unless the history is one of a log that ends as this one. Returns the number of its appends.
fn assert_linearizable(history: &[Operation], log: &[(u64, Bytes)]) -> usize {
    // Each record of the log is of one append, at the place that the append returned.
    let mut owners = vec![0; log.len()];
    let mut appends = Vec::new();
    for operation in history {
        if let Saw::Appended { before, end, records } = &operation.saw {
            let (from, to) = (*before as usize, *end as usize);
            assert_eq!(to - from, records.len());
            for (at, record) in (from..to).zip(records) {
                assert_eq!(log[at], (at as u64 + 1, record.clone()));
                owners[at] += 1;
            }
            appends.push((operation, *before, *end));
        }
    }
    assert!(owners.iter().all(|owners| *owners == 1), "records without an append: {owners:?}");
    for operation in history {
        // The numbers between which it takes place: it sees what ended before it, and nothing that began after it.
        let (low, high) = match operation.saw {
            Saw::Appended { before, end, .. } => (before, end),
            Saw::End(end) => (end, end),
        };
        for (append, before, end) in &appends {
            if append.ended < operation.began {
                assert!(*end <= low, "an append that ended at {end} is not seen at {low}");
            }
            if append.began > operation.ended {
                assert!(*before >= high, "an append after {before} is seen at {high} before it began");
            }
        }
    }
    appends.len()
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn operation(began: u64, ended: u64, saw: Saw) -> Operation {
        let time = |millis| *START + Duration::from_millis(millis);
        Operation { began: time(began), ended: time(ended), saw }
    }

    static START: std::sync::LazyLock<Instant> = std::sync::LazyLock::new(Instant::now);

    fn appended(before: u64, records: &[&'static str]) -> Saw {
        let records: Vec<Bytes> = records.iter().map(|record| Bytes::from(*record)).collect();
        Saw::Appended { before, end: before + records.len() as u64, records }
    }

    fn is_refused(history: &[Operation], log: &[(u64, Bytes)]) -> bool {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| assert_linearizable(history, log))).is_err()
    }

    #[test]
    fn histories_of_no_log_are_refused() {
        let log = [(1, Bytes::from("a")), (2, "b".into()), (3, "c".into())];
        let legal =
            || vec![operation(0, 10, appended(0, &["a"])), operation(20, 30, appended(1, &["b", "c"]))];
        assert!(!is_refused(&legal(), &log));
        let with = |more: Operation| {
            let mut history = legal();
            history.push(more);
            is_refused(&history, &log)
        };
        // Concurrent, so either is seen.
        assert!(!with(operation(5, 25, Saw::End(0))) && !with(operation(5, 25, Saw::End(3))));
        // A stale head, a head from the future, two owners of one position.
        assert!(with(operation(40, 50, Saw::End(1))));
        assert!(with(operation(11, 12, Saw::End(3))));
        assert!(with(operation(20, 30, appended(1, &["b"]))));
        // A lost record, a record of no append, and an order against real time.
        assert!(is_refused(&legal(), &log[..2]));
        assert!(is_refused(&legal()[..1], &log));
        let reversed = [operation(20, 30, appended(0, &["a"])), operation(0, 10, appended(1, &["b", "c"]))];
        assert!(is_refused(&reversed, &log));
    }
}
