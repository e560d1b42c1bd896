//! The ids of clients are any text.

use std::collections::BTreeSet;

use agui_runtime::thread::ThreadKey;

use super::{Store, all, claim};

/// Text that means something to a database, a shell, a file system, a terminal.
const ODD: [&str; 20] = [
    "",
    " ",
    "\0",
    "a\0b",
    "a\0",
    "a",
    "A",
    "'; DROP TABLE threads; --",
    "\"quoted\"",
    "a:b",
    "{a}",
    "}{",
    "*",
    "%_",
    "../../etc/passwd",
    "\r\nSET x y\r\n",
    "\u{202e}right to left",
    "e\u{301}",
    "\u{e9}",
    "🦀\u{10ffff}",
];

/// Each is a thread of its own, is listed, and comes back as it was.
pub fn ids_are_any_text(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        for id in ODD {
            for key in
                [ThreadKey::new("o", "a", id), ThreadKey::new("o", id, "t"), ThreadKey::new(id, "a", "t")]
            {
                let record = format!("{key:?}");
                log.append(&key, claim(1, &[&record])).await.unwrap();
                assert_eq!(all(&*log, &key).await, [(1, record.into())]);
            }
        }
        let listed = log.list("o", "a", None, 99).await.unwrap();
        let listed: BTreeSet<&str> = listed.iter().map(|listed| listed.thread.as_str()).collect();
        // With the thread of the agent "a".
        assert_eq!(listed, BTreeSet::from_iter(ODD.into_iter().chain(["t"])));
        for id in ODD {
            assert!(!log.list("o", id, None, 9).await.unwrap().is_empty(), "{id:?}");
            assert!(!log.list(id, "a", None, 9).await.unwrap().is_empty(), "{id:?}");
        }
        let idle = log.idle(std::time::Duration::ZERO, 999).await.unwrap();
        assert_eq!(idle.len(), ODD.len() * 3);
        for key in idle {
            assert!(log.delete(&key, None).await.unwrap(), "{key:?}");
        }
    });
}

/// A key is three texts, not their concatenation.
pub fn the_parts_of_a_key_do_not_run_together(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        let parts = ["", "/", ":", "a", "a/", "/a", "a/b", "a:b", "1", "2:a", "\0", "a\0"];
        let mut keys = Vec::new();
        for owner in parts {
            for agent in parts {
                keys.extend(parts.map(|thread| ThreadKey::new(owner, agent, thread)));
            }
        }
        let claims = keys.iter().map(|key| {
            let record = format!("{key:?}");
            log.append(key, claim(1, &[&record]))
        });
        for (appended, key) in futures::future::join_all(claims).await.into_iter().zip(&keys) {
            assert!(appended.is_ok(), "{key:?}: {appended:?}");
        }
        let reads = futures::future::join_all(keys.iter().map(|key| all(&*log, key))).await;
        for (records, key) in reads.into_iter().zip(&keys) {
            assert_eq!(records, [(1, format!("{key:?}").into())]);
        }
    });
}

/// Ids of 10,000 characters that differ in the last.
pub fn long_ids_are_whole(store: &impl Store) {
    store.block_on(async {
        let log = store.node();
        // Not the same character: a database may compress.
        let long: String = (0..10_000_u32).map(|at| char::from(b'!' + (at * 7_919 % 89) as u8)).collect();
        let keys = ["x", "y"].map(|end| {
            let id = format!("{long}{end}");
            ThreadKey::new(id.clone(), id.clone(), id)
        });
        for key in &keys {
            log.append(key, claim(1, &[&key.thread()[10_000..]])).await.unwrap();
        }
        for key in &keys {
            assert_eq!(all(&*log, key).await, [(1, key.thread()[10_000..].to_owned().into())]);
            let listed = log.list(key.owner(), key.agent(), None, 9).await.unwrap();
            assert_eq!((listed.len(), listed[0].thread.as_str()), (1, key.thread()));
        }
        assert_eq!(log.idle(std::time::Duration::ZERO, 9).await.unwrap(), keys);
    });
}
