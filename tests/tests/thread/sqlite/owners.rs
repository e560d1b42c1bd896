//! The leases of processes that are gone end when the file is opened, and those of processes that live do not.

use std::fs;
use std::path::Path;
use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use agui_runtime::thread::{LogAppend, LogPosition, Sqlite, ThreadKey, ThreadLog};
use futures::executor::block_on;

use super::child::{Process, file, say, wait};
use super::{key, one};
use crate::folder::Folder;

const LEASE: Duration = Duration::from_secs(3_600);

/// Begins a run on a thread.
fn own(log: &Sqlite, key: &ThreadKey) -> LogPosition {
    let claim = LogAppend { lease: Some(LEASE), ..one(LogPosition::default(), "claimed") };
    block_on(log.append(key, claim)).unwrap()
}

/// The threads whose runs are lost.
fn lost(log: &Sqlite) -> Vec<ThreadKey> {
    block_on(log.expired(99)).unwrap()
}

/// The locks of both engines are those of one file, so one shares it with the other.
fn share(first: &Path, second: &Path) {
    let log = Sqlite::open(first).unwrap();
    own(&log, &key("t"));
    let other = Sqlite::open(second).unwrap();
    assert!(lost(&other).is_empty(), "{} and {}", first.display(), second.display());
}

#[test]
fn a_process_that_owns_a_thread() {
    let Some(file) = file() else { return };
    let log = Sqlite::open(file).unwrap();
    own(&log, &key("t"));
    say("owns");
    wait();
    let head = block_on(log.head(&key("t"))).unwrap();
    block_on(log.append(&key("t"), LogAppend { lease: Some(LEASE), ..one(head.at, "goes on") })).unwrap();
    say("goes on");
    wait();
}

#[test]
fn the_leases_of_a_process_that_was_killed_end_at_once_and_those_of_one_that_lives_do_not() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let mut process = Process::start(&[], "sqlite::owners::a_process_that_owns_a_thread", &file);
    process.expect("owns");
    let second = Sqlite::open(&file).unwrap();
    assert!(lost(&second).is_empty());
    process.go_on();
    process.expect("goes on");
    drop(second);
    assert!(lost(&Sqlite::open(&file).unwrap()).is_empty(), "the process lives");

    drop(process);
    let log = Sqlite::open(&file).unwrap();
    assert_eq!(lost(&log), [key("t")]);
    assert_eq!(block_on(log.head(&key("t"))).unwrap().lease, Some(Duration::ZERO));
}

/// A server that is built anew in one process is not the owner of what the one before it ran.
#[test]
fn leases_end_with_the_last_engine_of_a_process() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let first = Sqlite::open(&file).unwrap();
    let at = own(&first, &key("t"));
    let clone = first.clone();
    drop(first);
    let second = Sqlite::open(&file).unwrap();
    assert!(lost(&second).is_empty(), "the clone is the first engine");
    drop(clone);
    let third = Sqlite::open(&file).unwrap();
    assert!(lost(&third).is_empty(), "the second engine may have runs of its own");
    drop((second, third));
    let fourth = Sqlite::open(&file).unwrap();
    assert_eq!(lost(&fourth), [key("t")]);
    // It is the owner again if it was not lost after all: the epoch decides.
    assert!(block_on(fourth.renew(&key("t"), at.epoch, LEASE)).unwrap());
    assert!(lost(&fourth).is_empty());
}

/// Threads without an owner get none, and the pause before a webhook is no owner.
#[test]
fn only_owners_are_lost() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let log = Sqlite::open(&file).unwrap();
    let webhook = ThreadKey::new("", "", "webhook");
    own(&log, &webhook);
    block_on(log.append(&key("ended"), one(LogPosition::default(), "a"))).unwrap();
    drop(log);
    let log = Sqlite::open(&file).unwrap();
    assert!(lost(&log).is_empty());
    assert_eq!(block_on(log.head(&key("ended"))).unwrap().lease, None);
}

/// Each engine is open before its thread has an owner: an engine that opens later must not take the first for gone.
#[test]
fn engines_that_open_at_once_end_no_lease_of_each_other() {
    for _ in 0..20 {
        let folder = Folder::new();
        let file = folder.file("threads.db");
        let (start, opened) = (Barrier::new(6), Barrier::new(6));
        thread::scope(|scope| {
            for number in 0..6 {
                let (file, start, opened) = (&file, &start, &opened);
                scope.spawn(move || {
                    start.wait();
                    let log = Sqlite::open(file).unwrap();
                    own(&log, &key(&number.to_string()));
                    opened.wait();
                    assert_eq!(lost(&log), []);
                    opened.wait();
                });
            }
        });
        assert_eq!(lost(&Sqlite::open(&file).unwrap()).len(), 6, "all are gone");
    }
}

#[test]
fn all_names_of_a_file_have_one_lock() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    drop(Sqlite::open(&file).unwrap());
    let link = folder.file("link.db");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    share(&file, &link);
    share(&folder.file("new.db"), &folder.file("./new.db"));
}

/// An engine that did without its lock would lose its runs to an engine that has one.
#[test]
fn a_file_whose_lock_cannot_be_opened_is_refused() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    fs::create_dir(folder.file("threads.db-lock")).unwrap();
    let refused = Sqlite::open(&file).unwrap_err().to_string();
    assert!(refused.contains("threads.db-lock: "), "{refused}");
    fs::remove_dir(folder.file("threads.db-lock")).unwrap();
    Sqlite::open(&file).unwrap();
}
