//! Files that cannot be written, for a while or at all.

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;
use std::time::Duration;
use std::{fs, thread};

use agui_runtime::thread::{AppendError, LogPosition, OpenError, Sqlite, ThreadLog};
use futures::executor::block_on;
use rusqlite::Connection;

use super::child::{Process, file, say, wait};
use super::{key, one};
use crate::folder::Folder;

/// Fills its file up to the limit of the process, waits, and goes on.
#[test]
fn a_process_with_a_limit() {
    let Some(file) = file() else { return };
    let log = Sqlite::open(file).unwrap();
    let mut end = LogPosition::default();
    let record = "x".repeat(5_000);
    let failure = loop {
        match block_on(log.append(&key("t"), one(end, &record))) {
            Ok(at) => end = at,
            Err(failure) => break failure,
        }
    };
    assert!(matches!(failure, AppendError::Unavailable(_) | AppendError::Unknown(_)), "{failure}");
    // Nothing of it is there, and what was there is.
    assert_eq!(block_on(log.head(&key("t"))).unwrap().at, end);
    assert_eq!(block_on(log.read(&key("t"), 0, usize::MAX)).unwrap().last(), end.seq);
    say(&format!("full after {}: {failure}", end.seq));
    wait();
    let at = block_on(log.append(&key("t"), one(end, &record))).unwrap();
    assert_eq!(at.seq, end.seq + 1);
    say(&format!("went on to {}", at.seq));
}

#[test]
fn a_full_disk_is_an_error_until_there_is_room() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    // Without the trap, the signal would end the process before SQLite sees the error.
    let limited = ["bash", "-c", "trap '' XFSZ; ulimit -S -f 400; exec \"$0\" \"$@\""];
    let mut process = Process::start(&limited, "sqlite::disk::a_process_with_a_limit", &file);
    let said = process.expect("full after ");
    let (records, reason) = said.split_once(": ").unwrap();
    assert!(reason.contains("the disk"), "{reason}");
    let pid = process.child.id().to_string();
    let raised = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status().unwrap();
    assert!(raised.success());
    process.go_on();
    let records: u64 = records.parse().unwrap();
    assert!(records > 10, "only {records} records fitted");
    assert_eq!(process.expect("went on to "), (records + 1).to_string());
    drop(process);
    let log = Sqlite::open(&file).unwrap();
    assert_eq!(block_on(log.head(&key("t"))).unwrap().at.seq, records + 1);
}

#[test]
fn a_process_without_permission() {
    let Some(file) = file() else { return };
    match Sqlite::open(file) {
        Err(OpenError::Unavailable(error)) => say(&format!("refused: {error}")),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_that_cannot_be_written_is_refused() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    drop(Sqlite::open(&file).unwrap());
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    // Permissions do not hold for root, unless it gives this up.
    let root: &[&str] = &["setpriv", "--bounding-set=-dac_override,-dac_read_search"];
    let is_root = fs::metadata("/proc/self").unwrap().uid() == 0;
    let before = if is_root { root } else { &[] };
    let mut process = Process::start(before, "sqlite::disk::a_process_without_permission", &file);
    let said = process.expect("refused: ");
    assert!(said.contains("threads.db cannot be written"), "{said}");
}

#[test]
fn a_locked_file_is_an_error_until_it_is_free() {
    let folder = Folder::new();
    let file = folder.file("threads.db");
    let log = Sqlite::open(&file).unwrap();
    let end = block_on(log.append(&key("t"), one(LogPosition::default(), "a"))).unwrap();
    let other = Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    match block_on(log.append(&key("t"), one(end, "b"))) {
        Err(AppendError::Unavailable(error)) => {
            assert!(error.to_string().contains("another process keeps the file locked"), "{error}");
        }
        other => panic!("{other:?}"),
    }
    assert!(block_on(log.renew(&key("t"), 1, Duration::ZERO)).is_err());
    // Readers do not wait for writers.
    assert_eq!(block_on(log.head(&key("t"))).unwrap().at, end);

    // A lock that is short is waited for.
    let append = thread::scope(|scope| {
        let append = scope.spawn(|| block_on(log.append(&key("t"), one(end, "b"))));
        thread::sleep(Duration::from_millis(200));
        other.execute_batch("COMMIT").unwrap();
        append.join().unwrap()
    });
    assert_eq!(append.unwrap().seq, 2);
}
