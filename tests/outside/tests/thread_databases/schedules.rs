//! Any schedule of faults on the engines that keep what they have, in real time.
//!
//! `AGUI_SCHEDULES` sets the number of schedules, `AGUI_SEED` the first seed.

use std::sync::Arc;
use std::time::Instant;

use agui_runtime::thread::ThreadLog;
use agui_tests::folder::Folder;
use agui_tests::need;
use agui_tests::report::report;
use agui_tests::simulation;
use agui_tests::stored::file::{self, files};
use agui_tests::thread_conformance::Store;

use crate::official;
use crate::postgres::Schema;
use crate::redis::Database;

fn run(engine: &str, open: impl FnMut() -> Arc<dyn ThreadLog>) {
    let (first, count) = (simulation::first_seed(), simulation::count_or(20));
    let began = Instant::now();
    let (counts, logs) = simulation::run_on_engines(first, count, open);
    let took = began.elapsed();
    report(format_args!("{count} schedules on {engine} from AGUI_SEED={first} in {took:?}:\n{counts}"));
    let logs: Vec<_> = logs.into_iter().filter(|log| !log.is_empty()).collect();
    official::accepts(&logs);
}

#[test]
fn any_schedule_of_faults_on_sqlite_loses_repeats_and_reorders_no_event() {
    let folder = Folder::new("schedules");
    let mut files = files(&folder);
    run("SQLite", || file::open(&files.next().unwrap()));
}

#[test]
fn any_schedule_of_faults_on_postgres_loses_repeats_and_reorders_no_event() {
    drop(need!(Schema::shared()));
    run("Postgres", || Schema::shared().unwrap().node());
}

#[test]
fn any_schedule_of_faults_on_redis_loses_repeats_and_reorders_no_event() {
    let _ = need!(Database::shared());
    run("Redis", || Database::shared().unwrap().node());
}
