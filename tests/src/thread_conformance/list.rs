//! The threads of an owner with an agent.

use std::time::{Duration, SystemTime};

use agui_runtime::thread::{LogAppend, ThreadEntry, ThreadKey};

use super::{Store, append, at, claim, key, sleep};

fn ids(listed: &[ThreadEntry]) -> Vec<&str> {
    listed.iter().map(|listed| listed.thread.as_str()).collect()
}

/// Each append counts; reads, renewals and trims do not.
pub fn the_last_changed_comes_first(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        for thread in ["a", "b", "c"] {
            let leased = LogAppend { lease: Some(Duration::from_secs(60)), ..claim(1, &["x", "y", "z"]) };
            log.append(&key(thread), leased).await.unwrap();
            sleep(Duration::from_millis(5)).await;
        }
        let listed = log.list("ada", "/desk", None, 9).await.unwrap();
        assert_eq!(ids(&listed), ["c", "b", "a"]);
        log.renew(&key("a"), 1, Duration::from_secs(60)).await.unwrap();
        log.trim(&key("b"), at(1, 2), "xy".into()).await.unwrap();
        log.read(&key("a"), 0, 99).await.unwrap();
        assert_eq!(log.list("ada", "/desk", None, 9).await.unwrap(), listed);
        log.append(&key("a"), append(at(1, 3), &["more"])).await.unwrap();
        assert_eq!(ids(&store.node().list("ada", "/desk", None, 9).await.unwrap()), ["a", "c", "b"]);
    });
}

/// Many threads change within one millisecond; no page skips or repeats one.
pub fn pages_go_on_where_they_ended(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let names: Vec<String> = (0..40).map(|number| format!("t{:02}", number * 7 % 40)).collect();
        let keys: Vec<_> = names.iter().map(|name| key(name)).collect();
        let appends = keys.iter().map(|key| log.append(key, claim(1, &["x"])));
        for appended in futures::future::join_all(appends).await {
            appended.unwrap();
        }
        let whole = log.list("ada", "/desk", None, usize::MAX).await.unwrap();
        assert_eq!(whole.len(), 40);
        let is_sorted = whole.is_sorted_by_key(|listed| (std::cmp::Reverse(listed.changed), &listed.thread));
        assert!(is_sorted, "{whole:?}");
        for size in [1, 3, 40, 41] {
            let mut paged: Vec<ThreadEntry> = Vec::new();
            loop {
                let page = log.list("ada", "/desk", paged.last(), size).await.unwrap();
                assert!(page.len() <= size);
                if page.is_empty() {
                    break;
                }
                paged.extend(page);
            }
            assert_eq!(paged, whole, "in pages of {size}");
        }
        assert!(log.list("ada", "/desk", None, 0).await.unwrap().is_empty());
    });
}

/// Also if one name is the beginning of another.
pub fn owners_and_agents_are_apart(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let keys =
            [("ada", "/"), ("ada", "/desk"), ("ad", "a/desk"), ("", "/desk"), ("ADA", "/desk"), ("adá", "")];
        for (number, (owner, agent)) in keys.iter().enumerate() {
            let key = ThreadKey::new(*owner, *agent, number.to_string());
            log.append(&key, claim(1, &["x"])).await.unwrap();
        }
        for (number, (owner, agent)) in keys.iter().enumerate() {
            let listed = log.list(owner, agent, None, 9).await.unwrap();
            assert_eq!(ids(&listed), [number.to_string()], "{owner:?} {agent:?}");
        }
        assert!(log.list("eve", "/desk", None, 9).await.unwrap().is_empty());
    });
}

/// An entry that is gone is still a place to go on from.
pub fn a_deleted_thread_is_not_listed(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        for thread in ["a", "b", "c"] {
            log.append(&key(thread), claim(1, &["x"])).await.unwrap();
            sleep(Duration::from_millis(5)).await;
        }
        let first = log.list("ada", "/desk", None, 2).await.unwrap();
        log.delete(&key("b"), None).await.unwrap();
        assert_eq!(ids(&log.list("ada", "/desk", first.last(), 9).await.unwrap()), ["a"]);
        assert_eq!(ids(&log.list("ada", "/desk", None, 9).await.unwrap()), ["c", "a"]);
    });
}

/// The time is that of the last append, to the millisecond.
pub fn an_entry_has_the_note_and_the_time(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        log.append(&key("t"), LogAppend { note: Some("note".into()), ..claim(1, &["x"]) }).await.unwrap();
        let listed = log.list("ada", "/desk", None, 9).await.unwrap();
        assert_eq!(&listed[0].note[..], b"note");
        let time = listed[0].changed.duration_since(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(time.subsec_nanos() % 1_000_000, 0);
        // The clock of the store is that of this machine in tests.
        let since = SystemTime::now().duration_since(listed[0].changed).unwrap_or_default();
        assert!(since < Duration::from_secs(60), "{since:?}");
        // Entries before, at and after all times.
        for changed in [SystemTime::UNIX_EPOCH, SystemTime::UNIX_EPOCH - Duration::from_secs(1)] {
            let before = ThreadEntry::new("", changed, "".into());
            assert!(log.list("ada", "/desk", Some(&before), 9).await.unwrap().is_empty());
        }
        let after = ThreadEntry::new("", SystemTime::now() + Duration::from_secs(86_400 * 365), "".into());
        assert_eq!(log.list("ada", "/desk", Some(&after), 9).await.unwrap(), listed);
    });
}

/// Also if the name of another thread begins with its name, and for an engine that takes the default from the list.
pub fn one_entry_is_the_one_of_the_list(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        for thread in ["a", "a b", ""] {
            assert_eq!(log.entry(&key(thread)).await.unwrap(), None);
            log.append(&key(thread), LogAppend { note: Some(thread.into()), ..claim(1, &["x"]) })
                .await
                .unwrap();
        }
        let listed = log.list("ada", "/desk", None, 9).await.unwrap();
        for entry in &listed {
            assert_eq!(store.node().entry(&key(&entry.thread)).await.unwrap().as_ref(), Some(entry));
        }
        assert_eq!(log.entry(&ThreadKey::new("eve", "/desk", "a")).await.unwrap(), None);
        log.delete(&key("a"), None).await.unwrap();
        assert_eq!(log.entry(&key("a")).await.unwrap(), None);
    });
}
