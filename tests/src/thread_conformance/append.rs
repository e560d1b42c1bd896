//! Appends happen at the end of the log that their caller knows, or not at all.

use std::time::Duration;

use agui_runtime::thread::{AppendError, LARGEST_RECORD, LogAppend, LogHead, LogPosition};
use bytes::Bytes;
use futures::FutureExt;

use super::{Store, all, append, at, claim, conflict, key, records, sleep, texts};

/// The numbers of the records begin with 1.
pub fn the_first_append_makes_the_thread(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());
        assert_eq!(log.append(&key, claim(7, &["a", "b"])).await.unwrap(), at(7, 2));
        assert_eq!(log.head(&key).await.unwrap().at, at(7, 2));
        assert_eq!(texts(&*log, &key).await, [(1, "a".to_owned()), (2, "b".to_owned())]);
        // Another node reads the same.
        assert_eq!(all(&*store.node(), &key).await, all(&*log, &key).await);
    });
}

/// Too early, too late, on a thread that does not exist, and on one that exists.
pub fn an_append_elsewhere_conflicts_and_changes_nothing(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        for elsewhere in [at(1, 0), at(0, 1), at(1, 1), at(u64::MAX, u64::MAX)] {
            assert_eq!(conflict(log.append(&key, append(elsewhere, &["x"])).await), LogPosition::default());
        }
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());

        let first = LogAppend { note: Some("kept".into()), ..claim(1, &["a", "b"]) };
        log.append(&key, first).await.unwrap();
        let before = (log.head(&key).await.unwrap(), all(&*log, &key).await);
        for elsewhere in [at(0, 0), at(1, 1), at(1, 3), at(1, 0), at(1, u64::MAX)] {
            let mut wrong = append(elsewhere, &["x"]);
            wrong.note = Some("lost".into());
            wrong.lease = Some(Duration::from_secs(60));
            assert_eq!(conflict(log.append(&key, wrong).await), at(1, 2), "{elsewhere:?}");
        }
        assert_eq!((log.head(&key).await.unwrap(), all(&*log, &key).await), before);
    });
}

/// Lower, higher, and numbers that a store keeps in a signed column.
pub fn an_append_of_another_epoch_conflicts(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        for epoch in [2, u64::MAX - 1, i64::MAX as u64, 1 << 53, 1_800_000_000_000_000_001] {
            let key = key(&epoch.to_string());
            log.append(&key, claim(epoch, &["a"])).await.unwrap();
            for other in [epoch - 1, epoch + 1, 0] {
                let appended = log.append(&key, append(at(other, 1), &["x"])).await;
                assert_eq!(conflict(appended), at(epoch, 1));
            }
            assert_eq!(log.append(&key, append(at(epoch, 1), &["b"])).await.unwrap(), at(epoch, 2));
        }
    });
}

/// After the claim of another node, the earlier owner's appends conflict, and say why.
pub fn a_claim_moves_the_epoch(store: &impl Store) {
    store.block_on(async {
        let (old, new, key) = (store.node(), store.node(), key("t"));
        let mine = old.append(&key, claim(1, &["mine"])).await.unwrap();
        let claim = LogAppend { epoch: 5, ..append(mine, &["claimed"]) };
        assert_eq!(new.append(&key, claim).await.unwrap(), at(5, 2));
        assert_eq!(conflict(old.append(&key, append(mine, &["late"])).await), at(5, 2));
        assert_eq!(conflict(old.append(&key, append(at(1, 2), &["late"])).await), at(5, 2));
        // A claim without records.
        let silent = LogAppend { epoch: 6, ..append(at(5, 2), &[]) };
        assert_eq!(new.append(&key, silent).await.unwrap(), at(6, 2));
        assert_eq!(conflict(new.append(&key, append(at(5, 2), &["late"])).await), at(6, 2));
    });
}

/// One record over the limit keeps the others out too.
pub fn records_are_appended_all_or_none(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let mut append = claim(1, &["a", "b", "c"]);
        append.records.push(Bytes::from(vec![0; LARGEST_RECORD + 1]));
        let refused = log.append(&key, append).await;
        assert!(matches!(refused, Err(AppendError::TooLarge { .. })), "{refused:?}");
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());
        assert!(all(&*log, &key).await.is_empty());
    });
}

/// They count as a change, for lists and for idle threads.
pub fn without_records_only_note_and_lease_change(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let end = log.append(&key, claim(1, &["a"])).await.unwrap();
        let first = log.list("ada", "/desk", None, 9).await.unwrap();
        sleep(Duration::from_millis(5)).await;
        let quiet = LogAppend {
            note: Some("later".into()),
            lease: Some(Duration::from_secs(60)),
            ..append(end, &[])
        };
        assert_eq!(log.append(&key, quiet).await.unwrap(), end);
        let head = log.head(&key).await.unwrap();
        assert_eq!((head.at, &head.note[..]), (end, &b"later"[..]));
        assert!(head.lease > Some(Duration::from_secs(50)), "{head:?}");
        assert_eq!(all(&*log, &key).await.len(), 1);
        assert!(log.list("ada", "/desk", None, 9).await.unwrap()[0].changed > first[0].changed);
        assert_eq!(conflict(log.append(&key, append(at(1, 0), &[])).await), end);
        assert_eq!(conflict(log.append(&key, append(at(0, 0), &[])).await), end);
    });
}

/// A thread has records; without it does not exist.
pub fn without_records_a_thread_is_not_made(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let nothing = LogAppend { note: Some("note".into()), lease: Some(Duration::ZERO), ..claim(3, &[]) };
        assert_eq!(log.append(&key, nothing).await.unwrap(), LogPosition::default());
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());
        assert!(log.list("ada", "/desk", None, 9).await.unwrap().is_empty());
        assert!(log.expired(9).await.unwrap().is_empty());
        assert_eq!(conflict(log.append(&key, append(at(1, 0), &[])).await), LogPosition::default());
    });
}

/// An empty note is a note.
pub fn a_note_stays_until_another_comes(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let mut end = log.append(&key, claim(1, &["a"])).await.unwrap();
        assert_eq!(log.head(&key).await.unwrap().note, Bytes::new());
        let any: Vec<u8> = (0..=255).collect();
        let notes: [(Option<&[u8]>, &[u8]); 5] =
            [(Some(&any), &any), (None, &any), (Some(b"2"), b"2"), (Some(b""), b""), (None, b"")];
        for (note, expected) in notes {
            let note = note.map(Bytes::copy_from_slice);
            end = log.append(&key, LogAppend { note, ..append(end, &["b"]) }).await.unwrap();
            assert_eq!(log.head(&key).await.unwrap().note, expected);
        }
    });
}

/// The largest record is taken, and comes back whole.
pub fn a_record_over_the_limit_is_refused(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let large = |bytes| LogAppend { records: vec![vec![7; bytes].into()], ..claim(1, &[]) };
        match log.append(&key, large(LARGEST_RECORD + 1)).await {
            Err(AppendError::TooLarge { bytes, most }) => {
                assert_eq!((bytes, most), (LARGEST_RECORD + 1, LARGEST_RECORD));
            }
            other => panic!("taken: {other:?}"),
        }
        assert_eq!(log.append(&key, large(LARGEST_RECORD)).await.unwrap(), at(1, 1));
        let page = log.read(&key, 0, 1).await.unwrap();
        assert_eq!(page.records, [(1, Bytes::from(vec![7; LARGEST_RECORD]))]);
    });
}

/// Each byte, no byte, and text that a database may take for something else.
pub fn records_have_any_bytes(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let mut odd: Vec<Bytes> = (0..=255_u8).map(|byte| vec![byte].into()).collect();
        odd.extend(records(&[
            "",
            "\\x00",
            "'; DROP TABLE records; --",
            "\r\n$5\r\n",
            "{\"a\":\"\\u0000\"}",
            "é🦀",
        ]));
        odd.push((0..100_000_u32).flat_map(u32::to_be_bytes).collect::<Vec<u8>>().into());
        let append = LogAppend { records: odd.clone(), ..claim(1, &[]) };
        assert_eq!(log.append(&key, append).await.unwrap().seq, odd.len() as u64);
        let expected: Vec<_> = (1..).zip(odd).collect();
        assert_eq!(all(&*log, &key).await, expected);
    });
}

/// More than a database takes as parameters of one statement.
pub fn many_records_go_at_once(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let texts: Vec<String> = (0..70_000).map(|number| number.to_string()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let end = log.append(&key, claim(1, &texts)).await.unwrap();
        assert_eq!(end, at(1, 70_000));
        assert_eq!(log.append(&key, append(end, &["last"])).await.unwrap(), at(1, 70_001));
        let page = log.read(&key, 0, usize::MAX).await.unwrap();
        assert_eq!((page.records.len(), page.last(), page.at.seq), (70_001, 70_001, 70_001));
        assert_eq!(page.records[69_999].1, "69999");
    });
}

/// A deletion leaves no trace, and is reported once.
pub fn a_deleted_thread_does_not_exist(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        assert!(!log.delete(&key, None).await.unwrap());
        let leased = LogAppend {
            note: Some("note".into()),
            lease: Some(Duration::ZERO),
            ..claim(1, &["a", "b", "c", "d"])
        };
        log.append(&key, leased).await.unwrap();
        log.trim(&key, at(1, 2), "snapshot".into()).await.unwrap();
        assert!(store.node().delete(&key, None).await.unwrap());
        assert!(!log.delete(&key, None).await.unwrap());
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());
        for after in [0, 1, 3] {
            let page = log.read(&key, after, 99).await.unwrap();
            assert_eq!((page.records.len(), page.at.seq), (0, 0));
        }
        assert!(log.expired(9).await.unwrap().is_empty());
        assert!(log.idle(Duration::ZERO, 9).await.unwrap().is_empty());
        assert!(!log.renew(&key, 1, Duration::from_secs(9)).await.unwrap());
        log.trim(&key, at(1, 3), "snapshot".into()).await.unwrap();
        assert_eq!(conflict(log.append(&key, append(at(1, 4), &["x"])).await), LogPosition::default());
    });
}

/// Another append came first, or another claim.
pub fn a_thread_that_ends_elsewhere_is_not_deleted(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        assert!(!log.delete(&key, Some(LogPosition::default())).await.unwrap());
        let old = log.append(&key, claim(1, &["a"])).await.unwrap();
        let new = log.append(&key, append(old, &["b"])).await.unwrap();
        for other in [old, at(2, 2), at(1, 3), at(u64::MAX >> 1, 2), LogPosition::default()] {
            assert!(!log.delete(&key, Some(other)).await.unwrap(), "{other:?}");
        }
        assert_eq!(all(&*log, &key).await.len(), 2);
        assert!(store.node().delete(&key, Some(new)).await.unwrap());
        assert_eq!(log.head(&key).await.unwrap(), LogHead::default());
    });
}

/// The records begin with 1 again; what was deleted does not come back.
pub fn a_thread_made_again_refuses_the_old_epoch(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let first = LogAppend { note: Some("old".into()), ..claim(1, &["old 1", "old 2", "old 3"]) };
        let old = log.append(&key, first).await.unwrap();
        log.trim(&key, at(1, 2), "snapshot".into()).await.unwrap();
        log.delete(&key, None).await.unwrap();
        assert_eq!(log.append(&key, claim(9, &["new 1", "new 2", "new 3"])).await.unwrap(), at(9, 3));
        assert_eq!(conflict(log.append(&key, append(old, &["zombie"])).await), at(9, 3));
        let head = log.head(&key).await.unwrap();
        assert_eq!((head.first, head.note.len(), head.lease), (1, 0, None));
        let new = [(1, "new 1".to_owned()), (2, "new 2".to_owned()), (3, "new 3".to_owned())];
        assert_eq!(texts(&*log, &key).await, new);
    });
}

/// A future that is dropped has written all of its records or none, and the next append is a normal one.
pub fn an_append_that_is_not_awaited_happens_or_not(store: &impl Store) {
    store.block_on(async {
        let (log, key) = (store.node(), key("t"));
        let mut end = log.append(&key, claim(1, &["a"])).await.unwrap();
        for _ in 0..20 {
            // Polled once, then dropped.
            let _ = log.append(&key, append(end, &["b", "c"])).now_or_never();
            let appended = loop {
                match log.append(&key, append(end, &["d"])).await {
                    Err(AppendError::Conflict { at }) => end = at,
                    other => break other.unwrap(),
                }
            };
            assert_eq!(appended.seq, end.seq + 1);
            end = appended;
        }
        let texts = texts(&*log, &key).await;
        assert_eq!(texts.len() as u64, end.seq);
        let pairs = texts.iter().filter(|(_, text)| text == "b").map(|(seq, _)| *seq as usize);
        for second in pairs.map(|first| &texts[first].1) {
            assert_eq!(second, "c");
        }
    });
}
