//! A process with an agent that is killed at each of its writes, over SQLite.

use std::sync::Arc;

use agui_runtime::thread::{Sqlite, ThreadLog};
use agui_tests::kept::process;

fn open(file: &str) -> Arc<dyn ThreadLog> {
    Arc::new(Sqlite::open(file).unwrap())
}

/// Serves until it is killed, if this test is run as a process of another.
#[test]
fn a_process_that_serves() {
    process::serve(open);
}

#[test]
fn a_process_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    let folder = process::Folder::new("sqlite");
    let files = (0..).map(|number| folder.0.join(format!("{number}.db")).display().to_string());
    println!("SQLite: {}", process::kill_at_every_write("killed::a_process_that_serves", files, open));
}
