//! Processes with an agent that are killed or stopped at each of their writes. The official client judges the logs too.

use std::iter::repeat;
use std::sync::Arc;

use agui_runtime::thread::{Postgres, Redis, ThreadLog};
use agui_tests::folder::Folder;
use agui_tests::need;
use agui_tests::report::report;
use agui_tests::stored::file;
use agui_tests::stored::killed::kill_at_every_write;
use agui_tests::stored::pair::one_of_two_at_every_write;
use agui_tests::stored::process;

use crate::executor::block_within;
use crate::official;
use crate::postgres::Schema;
use crate::redis::Database;

fn open(url: &str) -> Arc<dyn ThreadLog> {
    if url.starts_with("redis:") {
        Arc::new(block_within(Redis::connect(url)).unwrap())
    } else if url.ends_with(".db") {
        file::open(url)
    } else {
        Arc::new(block_within(Postgres::connect(url)).unwrap())
    }
}

/// Serves until it is killed, if this test is run as a process of another.
#[test]
fn a_process_that_serves() {
    process::serve(open);
}

/// The test that is the process of the others.
const SERVES: &str = "killed::a_process_that_serves";

fn kill(engine: &str, stores: impl Iterator<Item = String>) {
    let kills = kill_at_every_write(SERVES, stores, open);
    report(format_args!("{engine}: {kills}"));
    official::accepts(&kills.logs);
}

fn break_one_of_two(engine: &str, stores: impl Iterator<Item = String>) {
    let pairs = one_of_two_at_every_write(SERVES, stores, open);
    report(format_args!("{engine}: {pairs}"));
    official::accepts(&pairs.logs);
}

#[test]
fn a_process_on_sqlite_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    let folder = Folder::new("killed");
    kill("SQLite", file::files(&folder));
}

#[test]
fn a_process_on_postgres_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    kill("Postgres", repeat(need!(Schema::shared()).url()));
}

#[test]
fn a_process_on_redis_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    kill("Redis", repeat(need!(Database::shared()).url()));
}

#[test]
fn one_of_two_processes_on_sqlite_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing() {
    let folder = Folder::new("pairs");
    break_one_of_two("SQLite", file::files(&folder));
}

#[test]
fn one_of_two_processes_on_postgres_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing() {
    break_one_of_two("Postgres", repeat(need!(Schema::shared()).url()));
}

#[test]
fn one_of_two_processes_on_redis_that_is_killed_or_stopped_at_any_write_loses_and_repeats_nothing() {
    break_one_of_two("Redis", repeat(need!(Database::shared()).url()));
}
