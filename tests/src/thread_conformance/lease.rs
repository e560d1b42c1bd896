//! Leases run out by themselves, and find threads whose owner has died.

use std::time::Duration;

use agui_runtime::thread::{LogAppend, ThreadKey, ThreadLog};

use super::{Store, append, at, claim, key, sleep};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(60);

fn leased(time: Duration) -> LogAppend {
    LogAppend { lease: Some(time), ..claim(1, &["a"]) }
}

async fn expired(log: &dyn ThreadLog) -> Vec<ThreadKey> {
    log.expired(99).await.unwrap()
}

/// From then on the thread is in the list, and its remaining time is zero.
pub fn a_lease_runs_out(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, leased(Duration::from_millis(400))).await.unwrap();
        assert_eq!(expired(&*log).await, []);
        assert!(log.head(&key).await.unwrap().lease.unwrap() > Duration::ZERO);
        sleep(Duration::from_millis(450)).await;
        assert_eq!(expired(&*log).await, std::slice::from_ref(&key));
        assert_eq!(expired(&*store.node()).await, std::slice::from_ref(&key));
        assert_eq!(log.head(&key).await.unwrap().lease, Some(Duration::ZERO));
        // Appends are conditional on the position alone: a lease is no lock.
        assert!(log.append(&key, append(at(1, 1), &["b"])).await.is_ok());
    });
}

/// An append with a lease begins it again; without one the thread has no owner.
pub fn an_append_sets_or_ends_the_lease(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let end = log.append(&key, leased(Duration::ZERO)).await.unwrap();
        assert_eq!(expired(&*log).await, std::slice::from_ref(&key));
        let end = log.append(&key, LogAppend { lease: Some(LONG), ..append(end, &["b"]) }).await.unwrap();
        assert_eq!(expired(&*log).await, []);
        let end =
            log.append(&key, LogAppend { lease: Some(Duration::ZERO), ..append(end, &[]) }).await.unwrap();
        assert_eq!(expired(&*log).await, std::slice::from_ref(&key));
        log.append(&key, append(end, &[])).await.unwrap();
        assert_eq!(expired(&*log).await, []);
        assert_eq!(log.head(&key).await.unwrap().lease, None);
    });
}

/// Another epoch, and a thread without owner, or without records, are not renewed.
pub fn a_renewal_is_of_the_epoch(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        assert!(!log.renew(&key, 0, LONG).await.unwrap());
        assert!(!log.renew(&key, 1, LONG).await.unwrap());
        let end = log.append(&key, leased(Duration::from_secs(5))).await.unwrap();
        for other in [0, 2, u64::MAX] {
            assert!(!log.renew(&key, other, LONG).await.unwrap());
        }
        assert!(log.head(&key).await.unwrap().lease.unwrap() <= Duration::from_secs(5));
        assert!(log.renew(&key, 1, LONG).await.unwrap());
        let head = log.head(&key).await.unwrap();
        assert!(head.lease.unwrap() > Duration::from_secs(50));
        assert_eq!(head.at, end);
        log.append(&key, append(end, &[])).await.unwrap();
        assert!(!log.renew(&key, 1, LONG).await.unwrap());
        assert_eq!(log.head(&key).await.unwrap().lease, None);
    });
}

/// The owner was only slow: until a claim of another node it still owns the thread.
pub fn a_lease_that_is_over_is_renewed(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, leased(SHORT)).await.unwrap();
        sleep(SHORT + Duration::from_millis(30)).await;
        assert_eq!(expired(&*log).await, std::slice::from_ref(&key));
        assert!(log.renew(&key, 1, LONG).await.unwrap());
        assert_eq!(expired(&*log).await, []);
        assert!(log.renew(&key, 1, Duration::ZERO).await.unwrap());
        assert_eq!(expired(&*log).await, [key]);
    });
}

/// At most as many as were asked for.
pub fn the_longest_over_comes_first(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let keys: Vec<_> = ["c", "a", "d", "b"].map(key).to_vec();
        for key in &keys {
            log.append(key, leased(Duration::ZERO)).await.unwrap();
            sleep(Duration::from_millis(5)).await;
        }
        log.append(&key("owned"), leased(LONG)).await.unwrap();
        log.append(&key("free"), claim(1, &["a"])).await.unwrap();
        for most in [0, 1, 3, 4, 99, usize::MAX] {
            let expected: Vec<_> = keys.iter().take(most).cloned().collect();
            assert_eq!(log.expired(most).await.unwrap(), expected);
        }
    });
}

/// The threads with the oldest last append come first.
pub fn idle_threads_have_no_owner(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let keys: Vec<_> = ["c", "a", "b"].map(key).to_vec();
        for key in &keys {
            log.append(key, claim(1, &["a"])).await.unwrap();
            sleep(Duration::from_millis(5)).await;
        }
        log.append(&key("owned"), leased(LONG)).await.unwrap();
        log.append(&key("over"), leased(Duration::ZERO)).await.unwrap();
        for most in [0, 1, 2, 3, 99, usize::MAX] {
            let expected: Vec<_> = keys.iter().take(most).cloned().collect();
            assert_eq!(log.idle(Duration::ZERO, most).await.unwrap(), expected);
        }
        assert_eq!(log.idle(LONG, 99).await.unwrap(), []);
        // The first is changed, and is now the last.
        log.append(&keys[0], append(at(1, 1), &["b"])).await.unwrap();
        assert_eq!(log.idle(Duration::ZERO, 99).await.unwrap().last(), Some(&keys[0]));
        sleep(Duration::from_millis(60)).await;
        assert_eq!(log.idle(Duration::from_millis(50), 99).await.unwrap().len(), 3);
    });
}

/// A time without end is a very long one.
pub fn extreme_times_are_taken(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let end = log.append(&key, leased(Duration::MAX)).await.unwrap();
        assert_eq!(expired(&*log).await, []);
        assert!(log.head(&key).await.unwrap().lease.unwrap() > Duration::from_secs(86_400 * 365));
        assert!(log.renew(&key, 1, Duration::MAX).await.unwrap());
        assert!(log.renew(&key, 1, Duration::from_nanos(1)).await.unwrap());
        log.append(&key, append(end, &[])).await.unwrap();
        assert_eq!(log.idle(Duration::MAX, 9).await.unwrap(), []);
        assert_eq!(log.idle(Duration::ZERO, 9).await.unwrap(), [key]);
    });
}
