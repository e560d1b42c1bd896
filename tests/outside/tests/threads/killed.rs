//! A process with an agent that is killed at each of its writes, over the engines with servers of their own.

use std::sync::Arc;

use agui_runtime::thread::{Postgres, Redis, ThreadLog};
use agui_tests::kept::process;
use agui_tests::need;

use crate::executor::block_within;
use crate::postgres::Schema;
use crate::redis::Database;

fn open(url: &str) -> Arc<dyn ThreadLog> {
    if url.starts_with("redis:") {
        Arc::new(block_within(Redis::connect(url)).unwrap())
    } else {
        Arc::new(block_within(Postgres::connect(url)).unwrap())
    }
}

/// Serves until it is killed, if this test is run as a process of another.
#[test]
fn a_process_that_serves() {
    process::serve(open);
}

#[test]
fn a_process_on_postgres_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    let store = need!(Schema::shared());
    let stores = std::iter::repeat(store.url());
    println!("Postgres: {}", process::kill_at_every_write("killed::a_process_that_serves", stores, open));
}

#[test]
fn a_process_on_redis_that_is_killed_at_any_write_loses_and_repeats_nothing() {
    let store = need!(Database::shared());
    let stores = std::iter::repeat(store.url());
    println!("Redis: {}", process::kill_at_every_write("killed::a_process_that_serves", stores, open));
}
