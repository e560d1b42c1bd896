//! Files that are no store of threads, or of another version, and folders that are missing.

use std::fs;
use std::path::Path;

use agui_runtime::thread::{LogPosition, OpenError, Sqlite, ThreadLog};
use futures::executor::block_on;
use rusqlite::Connection;

use super::{key, one};
use crate::folder::Folder;

/// The error, after the check that the file is as it was.
fn refused(path: &Path) -> OpenError {
    let before = fs::read(path).unwrap();
    let refused = Sqlite::open(path).unwrap_err();
    assert!(fs::read(path).unwrap() == before, "{} was changed", path.display());
    refused
}

#[test]
fn a_file_of_another_program_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let text = folder.file("notes.txt");
    fs::write(&text, "milk, rice, saffron\n".repeat(1_000)).unwrap();

    let tables = folder.file("shop.db");
    Connection::open(&tables).unwrap().execute_batch("CREATE TABLE goods (name TEXT)").unwrap();

    let numbered = folder.file("numbered.db");
    Connection::open(&numbered).unwrap().execute_batch("PRAGMA application_id = 7").unwrap();

    let versioned = folder.file("versioned.db");
    Connection::open(&versioned).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();

    for path in [text, tables, numbered, versioned] {
        let error = refused(&path);
        assert!(matches!(error, OpenError::Foreign { .. }), "{error}");
        let expected = format!("{} is not a store of threads: choose another", path.display());
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn a_file_of_a_newer_version_is_refused_and_left_as_it_is() {
    let folder = Folder::new();
    let path = folder.file("threads.db");
    drop(Sqlite::open(&path).unwrap());
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 99").unwrap();
    match refused(&path) {
        OpenError::Newer { found: 99, known: 1 } => {}
        other => panic!("{other}"),
    }
    Connection::open(&path).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();
    Sqlite::open(&path).unwrap();
}

#[test]
fn an_empty_file_becomes_a_store() {
    let folder = Folder::new();
    let path = folder.file("threads.db");
    fs::write(&path, "").unwrap();
    let log = Sqlite::open(&path).unwrap();
    block_on(log.append(&key("t"), one(LogPosition::default(), "a"))).unwrap();
}

#[test]
fn a_place_without_a_folder_is_named() {
    let folder = Folder::new();
    for path in [folder.file("missing/threads.db"), folder.file("")] {
        let error = Sqlite::open(&path).unwrap_err();
        assert!(matches!(error, OpenError::Unavailable(_)), "{error}");
        assert!(error.to_string().contains(path.to_str().unwrap()), "{error}");
    }
}

/// To SQLite they are databases in memory and files of one connection, which threads would not survive.
#[test]
fn special_names_of_sqlite_are_names_of_files() {
    let folder = Folder::new();
    for name in [":memory:", "file:threads.db?mode=memory", "a?b=c", "ü 'x'.db"] {
        let path = folder.file(name);
        let log = Sqlite::open(&path).unwrap();
        block_on(log.append(&key("t"), one(LogPosition::default(), "a"))).unwrap();
        drop(log);
        assert!(path.is_file(), "{name}");
        let head = block_on(Sqlite::open(&path).unwrap().head(&key("t"))).unwrap();
        assert_eq!(head.at.seq, 1, "{name}");
    }
}

/// The pages in the middle of the file are overwritten: each operation has a value or an error, and none panics.
#[test]
fn a_damaged_file_is_an_error() {
    let folder = Folder::new();
    let path = folder.file("threads.db");
    let log = Sqlite::open(&path).unwrap();
    let mut end = LogPosition::default();
    for _ in 0..50 {
        end = block_on(log.append(&key("t"), one(end, &"x".repeat(2_000)))).unwrap();
    }
    drop(log);
    let mut bytes = fs::read(&path).unwrap();
    let (from, to) = (4_096, bytes.len());
    bytes[from..to].fill(0xA5);
    fs::write(&path, bytes).unwrap();

    let Ok(log) = Sqlite::open(&path) else { return };
    assert!(block_on(log.head(&key("t"))).is_err());
    let error = block_on(log.read(&key("t"), 0, 99)).unwrap_err();
    assert!(error.to_string().contains("the file is damaged"), "{error}");
    assert!(block_on(log.append(&key("t"), one(end, "x"))).is_err());
}
