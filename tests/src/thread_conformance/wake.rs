//! Readers that wait are woken, of every node, and no wake is lost.

use std::time::Duration;

use agui_runtime::thread::{LogAppend, ThreadLog};
use futures::FutureExt;
use futures::future::{join, join_all};

use super::{LIMIT, Store, append, at, claim, key, sleep, within};

/// Long enough for a store that would wake without a reason.
const QUIET: Duration = Duration::from_millis(200);

/// The reader looks after it was woken, so that this also holds for engines that wake too early.
async fn reads(log: &dyn ThreadLog, thread: &str, after: u64, head: u64) {
    let key = key(thread);
    let seen = within(LIMIT, async {
        while log.read(&key, after, 99).await.unwrap().at.seq != head {
            log.changed(&key, after).await;
        }
    });
    assert!(seen.await.is_some(), "record {head} of {thread} was not seen within {LIMIT:?}");
}

/// The writer's own, and those of other nodes.
pub fn an_append_wakes_readers_of_all_nodes(store: &impl Store) {
    store.block_on(async {
        let (log, other) = (store.node(), store.node());
        let mut end = log.append(&key("t"), claim(1, &["a"])).await.unwrap();
        for _ in 0..3 {
            let write = async {
                sleep(Duration::from_millis(100)).await;
                log.append(&key("t"), append(end, &["b"])).await.unwrap()
            };
            let next = end.seq + 1;
            let readers = join(reads(&*log, "t", end.seq, next), reads(&*other, "t", end.seq, next));
            end = join(write, readers).await.0;
        }
        // A thread that does not exist yet.
        let write = async {
            sleep(Duration::from_millis(50)).await;
            log.append(&key("new"), claim(1, &["a"])).await.unwrap()
        };
        join(write, join(reads(&*log, "new", 0, 1), reads(&*other, "new", 0, 1))).await;
    });
}

/// The log then has fewer records than the reader knows.
pub fn a_deletion_wakes_readers(store: &impl Store) {
    store.block_on(async {
        let (log, other) = (store.node(), store.node());
        log.append(&key("t"), claim(1, &["a", "b"])).await.unwrap();
        let delete = async {
            sleep(Duration::from_millis(100)).await;
            log.delete(&key("t"), None).await.unwrap()
        };
        join(delete, join(reads(&*log, "t", 2, 0), reads(&*other, "t", 2, 0))).await;
    });
}

/// More records than the reader knows, or fewer.
pub fn records_that_are_there_need_no_wait(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        log.append(&key("t"), claim(1, &["a", "b"])).await.unwrap();
        for after in [0, 1, 3, u64::MAX] {
            assert!(within(LIMIT, log.changed(&key("t"), after)).await.is_some(), "after {after}");
        }
        assert!(within(LIMIT, log.changed(&key("no thread"), 1)).await.is_some());
    });
}

/// An engine that wakes all the time would keep its readers busy.
pub fn a_quiet_thread_waits(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        log.append(&key("t"), claim(1, &["a"])).await.unwrap();
        let mut early = 0;
        let waiting = within(Duration::from_millis(1_500), async {
            loop {
                log.changed(&key("t"), 1).await;
                early += 1;
            }
        });
        assert_eq!(waiting.await, None::<()>);
        assert!(early <= 10, "woken {early} times without a reason");
        assert!(within(QUIET, log.changed(&key("no thread"), 0)).await.is_none() || early <= 10);
    });
}

/// A writer without pauses on another node: each record is seen, in order, and the reader gets to the end.
pub fn no_wake_is_lost(store: &impl Store) {
    const RECORDS: u64 = 300;
    let (writer, reader) = (store.node(), store.node());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            store.block_on(async {
                let mut end = writer.append(&key("t"), claim(1, &["x"])).await.unwrap();
                while end.seq < RECORDS {
                    end = writer.append(&key("t"), append(end, &["x"])).await.unwrap();
                }
            });
        });
        store.block_on(async {
            let mut seen = 0;
            while seen < RECORDS {
                for (seq, _) in reader.read(&key("t"), seen, 1_000).await.unwrap().records {
                    assert_eq!(seq, seen + 1);
                    seen = seq;
                }
                if seen < RECORDS {
                    let woken = within(LIMIT, reader.changed(&key("t"), seen)).await;
                    assert!(woken.is_some(), "no wake after record {seen}");
                }
            }
        });
    });
}

/// Readers of one thread and of many.
pub fn many_readers_are_woken(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let threads: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        for thread in &threads {
            log.append(&key(thread), claim(1, &["a"])).await.unwrap();
        }
        let writes = async {
            sleep(Duration::from_millis(50)).await;
            for thread in &threads {
                log.append(&key(thread), append(at(1, 1), &["b"])).await.unwrap();
            }
        };
        let readers = threads.iter().flat_map(|thread| (0..5).map(|_| reads(&*log, thread, 1, 2)));
        join(writes, join_all(readers)).await;
    });
}

/// A reader that stopped waiting does not keep others from being woken.
pub fn readers_that_leave_do_not_matter(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let mut end = log.append(&key("t"), claim(1, &["a"])).await.unwrap();
        for _ in 0..20 {
            let _ = log.changed(&key("t"), end.seq).now_or_never();
            within(Duration::from_millis(2), log.changed(&key("t"), end.seq)).await;
            let mut next = append(end, &["b"]);
            next = LogAppend { epoch: end.epoch + 1, ..next };
            let (appended, ()) =
                join(log.append(&key("t"), next), reads(&*log, "t", end.seq, end.seq + 1)).await;
            end = appended.unwrap();
        }
    });
}
