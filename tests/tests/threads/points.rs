//! Every fault at every write, on the engines of this process.

use std::sync::Arc;

use agui_runtime::thread::{Memory, ThreadLog};
use agui_tests::kept::points::every_fault_at_every_write;
use agui_tests::report::report;

use crate::file::two_on_sqlite;

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_write_in_memory_loses_and_repeats_nothing() {
    let log: Arc<dyn ThreadLog> = Arc::new(Memory::new());
    report(format_args!("memory: {}", every_fault_at_every_write([Arc::clone(&log), log]).await));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fault_at_any_write_on_sqlite_loses_and_repeats_nothing() {
    let (_folder, logs) = two_on_sqlite();
    report(format_args!("SQLite: {}", every_fault_at_every_write(logs).await));
}
