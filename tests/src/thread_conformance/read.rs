//! Pages of records by bytes, and logs that were trimmed.

use std::time::Duration;

use agui_runtime::thread::{LogAppend, LogPage, LogReadError, ThreadKey, ThreadLog};

use super::{Store, append, at, claim, key, texts};

fn numbers(page: &LogPage) -> Vec<u64> {
    page.records.iter().map(|(seq, _)| *seq).collect()
}

async fn read(log: &dyn ThreadLog, key: &ThreadKey, after: u64, bytes: usize) -> Vec<u64> {
    let page = log.read(key, after, bytes).await.unwrap();
    assert!(page.records.is_empty() || page.last() == *numbers(&page).last().unwrap());
    numbers(&page)
}

/// The first record refused, if there is one.
async fn trimmed(log: &dyn ThreadLog, key: &ThreadKey, after: u64) -> Option<u64> {
    match log.read(key, after, 1_000).await {
        Ok(_) => None,
        Err(LogReadError::Trimmed { first }) => Some(first),
        Err(other) => panic!("{other}"),
    }
}

/// As many records as fit, in order.
pub fn pages_have_the_bytes_that_were_asked_for(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, claim(1, &["12345", "12345", "", "1234567890", "12345"])).await.unwrap();
        for (after, bytes, expected) in [
            (0, 9, &[1_u64][..]),
            (0, 10, &[1, 2, 3]),
            (0, 19, &[1, 2, 3]),
            (0, 20, &[1, 2, 3, 4]),
            (0, 24, &[1, 2, 3, 4]),
            (0, 25, &[1, 2, 3, 4, 5]),
            (1, 5, &[2, 3]),
            (1, 4, &[2]),
            (2, 10, &[3, 4]),
            (4, usize::MAX, &[5]),
        ] {
            assert_eq!(read(&*log, &key, after, bytes).await, expected, "{bytes} bytes after {after}");
            assert_eq!(log.read(&key, after, bytes).await.unwrap().at.seq, 5);
        }
    });
}

/// A record that is larger than the page is returned too.
pub fn a_page_has_at_least_one_record(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, claim(1, &["a record", "another"])).await.unwrap();
        assert_eq!(read(&*log, &key, 0, 0).await, [1]);
        assert_eq!(read(&*log, &key, 1, 3).await, [2]);
        log.trim(&key, at(1, 2), "a snapshot".into()).await.unwrap();
        assert_eq!(read(&*log, &key, 0, 0).await, [2]);
    });
}

/// The page still says where the log ends.
pub fn beyond_the_end_nothing_is_read(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, claim(1, &["a", "b"])).await.unwrap();
        for after in [2, 3, 1 << 53, i64::MAX as u64, u64::MAX] {
            let page = log.read(&key, after, 99).await.unwrap();
            assert_eq!((page.records.len(), page.at.seq), (0, 2), "after {after}");
        }
    });
}

/// There is no error of its own for it.
pub fn a_thread_that_does_not_exist_reads_as_empty(store: &impl Store) {
    store.block_on(async {
        for after in [0, 1, u64::MAX] {
            let page = store.node().read(&key("t"), after, 99).await.unwrap();
            assert_eq!(page, LogPage::default());
        }
    });
}

/// It has the number of the last record that it stands for.
pub fn a_trimmed_log_begins_with_its_snapshot(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let end = log.append(&key, claim(1, &["a", "b", "c", "d"])).await.unwrap();
        log.trim(&key, at(1, 3), "abc".into()).await.unwrap();
        let head = log.head(&key).await.unwrap();
        assert_eq!((head.at, head.first), (end, 3));
        assert_eq!(texts(&*log, &key).await, [(3, "abc".to_owned()), (4, "d".to_owned())]);
        assert_eq!(log.read(&key, 0, 3).await.unwrap().records, [(3, "abc".into())]);
        assert_eq!(log.read(&key, 0, 4).await.unwrap().records.len(), 2);
    });
}

/// A client that saw the record before the snapshot did not see the one that it stands for.
pub fn a_cursor_before_the_snapshot_is_refused(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, claim(1, &["a", "b", "c", "d"])).await.unwrap();
        log.trim(&key, at(1, 3), "abc".into()).await.unwrap();
        for (after, expected) in [(0, None), (1, Some(3)), (2, Some(3)), (3, None), (4, None), (5, None)] {
            assert_eq!(trimmed(&*log, &key, after).await, expected, "after {after}");
        }
        assert_eq!(read(&*log, &key, 3, 99).await, [4]);
    });
}

/// A trim of another epoch, beyond the end, at the first record, in the past.
pub fn a_trim_that_does_not_fit_does_nothing(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        log.append(&key, claim(2, &["a", "b", "c", "d"])).await.unwrap();
        for upto in [at(1, 3), at(3, 3), at(2, 5), at(2, 1), at(2, 0), at(2, u64::MAX)] {
            log.trim(&key, upto, "x".into()).await.unwrap();
            assert_eq!(log.head(&key).await.unwrap().first, 1, "{upto:?}");
        }
        log.trim(&key, at(2, 3), "abc".into()).await.unwrap();
        let before = texts(&*log, &key).await;
        for upto in [at(2, 1), at(2, 2), at(2, 3), at(1, 4), at(2, 5)] {
            log.trim(&key, upto, "x".into()).await.unwrap();
            assert_eq!(texts(&*log, &key).await, before, "{upto:?}");
        }
    });
}

/// A snapshot may stand for a snapshot; the numbers go on.
pub fn a_log_is_trimmed_again_and_grows(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let mut end = log.append(&key, claim(1, &["0"])).await.unwrap();
        for round in 1..=5_u64 {
            end = log.append(&key, append(end, &["x", "y", "z"])).await.unwrap();
            log.trim(&key, at(1, end.seq - 1), round.to_string().into()).await.unwrap();
            let expected = [(end.seq - 1, round.to_string()), (end.seq, "z".to_owned())];
            assert_eq!(texts(&*log, &key).await, expected);
            let page = log.read(&key, end.seq - 1, 99).await.unwrap();
            assert_eq!((numbers(&page), page.at.seq), (vec![end.seq], end.seq));
        }
    });
}

/// Nothing but the snapshot is left, and the next append goes after it.
pub fn a_log_is_trimmed_whole(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let end = log.append(&key, claim(1, &["a", "b"])).await.unwrap();
        log.trim(&key, end, "ab".into()).await.unwrap();
        assert_eq!(texts(&*log, &key).await, [(2, "ab".to_owned())]);
        assert_eq!(read(&*log, &key, 2, 99).await, [0; 0]);
        assert_eq!(log.append(&key, append(end, &["c"])).await.unwrap(), at(1, 3));
        assert_eq!(texts(&*log, &key).await, [(2, "ab".to_owned()), (3, "c".to_owned())]);
    });
}

/// The end, the first record, the note and the lease, for every node.
pub fn the_head_says_what_is_known(store: &impl Store) {
    store.block_on(async {
        let (log, other, key) = (store.node(), store.node(), key("t"));
        let first = LogAppend {
            note: Some("note".into()),
            lease: Some(Duration::from_secs(60)),
            ..claim(4, &["a", "b", "c"])
        };
        log.append(&key, first).await.unwrap();
        log.trim(&key, at(4, 2), "ab".into()).await.unwrap();
        for node in [log, other] {
            let head = node.head(&key).await.unwrap();
            assert_eq!((head.at, head.first, &head.note[..]), (at(4, 3), 2, &b"note"[..]));
            let lease = head.lease.unwrap();
            assert!(lease > Duration::from_secs(50) && lease <= Duration::from_secs(60), "{lease:?}");
        }
    });
}
