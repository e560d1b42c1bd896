//! Several engines on one file, and engines that end.

use std::sync::Barrier;
use std::thread;

use agui_runtime::thread::{LogAppend, LogPosition, Sqlite, ThreadLog};
use futures::FutureExt;
use futures::executor::block_on;

use super::child::{Process, file, say};
use super::{key, one};
use crate::folder::Folder;

#[test]
fn a_process_that_appends_once() {
    let Some(file) = file() else { return };
    let log = Sqlite::open(file).unwrap();
    let end = block_on(log.head(&key("t"))).unwrap().at;
    block_on(log.append(&key("t"), one(end, "of another process"))).unwrap();
    say("appended");
}

#[test]
fn an_append_of_another_process_wakes_readers() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let log = Sqlite::open(&file).unwrap();
    let end = block_on(log.append(&key("t"), one(LogPosition::default(), "a"))).unwrap();
    let mut process = Process::start(&[], "sqlite::processes::a_process_that_appends_once", &file);
    while block_on(log.head(&key("t"))).unwrap().at == end {
        block_on(log.changed(&key("t"), end.seq));
    }
    process.expect("appended");
    let page = block_on(log.read(&key("t"), 1, 99)).unwrap();
    assert_eq!(page.records, [(2, "of another process".into())]);
}

/// Appends that were begun and not awaited are in the file when the engine has ended.
#[test]
fn the_last_clone_waits_for_what_was_begun() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let log = Sqlite::open(&file).unwrap();
    for number in 0..500 {
        let append = one(LogPosition::default(), "a");
        let _ = log.append(&key(&number.to_string()), append).now_or_never();
    }
    let clone = log.clone();
    drop(log);
    drop(clone);
    let log = Sqlite::open(&file).unwrap();
    assert_eq!(block_on(log.list("ada", "/", None, usize::MAX)).unwrap().len(), 500);
}

/// All make the tables, or wait for the one that does.
#[test]
fn a_new_file_is_opened_by_many_at_once() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let start = Barrier::new(8);
    thread::scope(|scope| {
        for number in 0..8 {
            let (file, start) = (&file, &start);
            scope.spawn(move || {
                start.wait();
                let log = Sqlite::open(file).unwrap();
                block_on(log.append(&key(&number.to_string()), one(LogPosition::default(), "a"))).unwrap();
            });
        }
    });
    let log = Sqlite::open(&file).unwrap();
    assert_eq!(block_on(log.list("ada", "/", None, 99)).unwrap().len(), 8);
}

#[test]
fn a_file_has_the_settings_that_durability_needs() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let log = Sqlite::open(&file).unwrap();
    let append = LogAppend { records: vec!["a".into(); 3], ..one(LogPosition::default(), "") };
    block_on(log.append(&key("t"), append)).unwrap();
    let db = rusqlite::Connection::open(&file).unwrap();
    let mode: String = db.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    assert!(folder.file("threads.db-wal").exists());
}
