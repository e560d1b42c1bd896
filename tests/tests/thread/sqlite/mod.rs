//! SQLite in its own ways to fail: files that are not ours, locks, disks, and processes that die.

mod child;
mod disk;
mod files;
mod kill;
mod owners;
mod processes;

use agui_runtime::thread::{LogAppend, LogPosition, ThreadKey};

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("ada", "/", thread)
}

/// An append of one record, which makes the thread if it is the first.
fn one(at: LogPosition, record: &str) -> LogAppend {
    LogAppend { at, epoch: at.epoch.max(1), records: vec![record.to_owned().into()], note: None, lease: None }
}
