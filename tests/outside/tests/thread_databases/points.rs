//! Every fault at every write, on each engine. The official client judges the logs too.

use std::sync::Arc;

use agui_runtime::thread::{Memory, ThreadLog};
use agui_tests::need;
use agui_tests::report::report;
use agui_tests::stored::file::two_on_sqlite;
use agui_tests::stored::points::{Points, every_fault_at_every_write};
use agui_tests::thread_conformance::Store;

use crate::executor::block_on;
use crate::official;
use crate::postgres::Schema;
use crate::redis::Database;

fn break_it(engine: &str, logs: [Arc<dyn ThreadLog>; 2]) {
    let points: Points = block_on(every_fault_at_every_write(logs));
    report(format_args!("{engine}: {points}"));
    official::accepts(&points.logs);
}

#[test]
fn a_fault_at_any_write_in_memory_loses_and_repeats_nothing() {
    let log: Arc<dyn ThreadLog> = Arc::new(Memory::new());
    break_it("memory", [Arc::clone(&log), log]);
}

#[test]
fn a_fault_at_any_write_on_sqlite_loses_and_repeats_nothing() {
    let (_folder, logs) = two_on_sqlite();
    break_it("SQLite", logs);
}

#[test]
fn a_fault_at_any_write_on_postgres_loses_and_repeats_nothing() {
    let store = need!(Schema::shared());
    break_it("Postgres", [store.node(), store.node()]);
}

#[test]
fn a_fault_at_any_write_on_redis_loses_and_repeats_nothing() {
    let store = need!(Database::shared());
    break_it("Redis", [store.node(), store.node()]);
}
