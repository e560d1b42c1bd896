//! Every fault at every write, on the engines with servers of their own.

use agui_tests::kept::points::every_fault_at_every_write;
use agui_tests::need;
use agui_tests::thread_contract::Store;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

#[test]
fn a_fault_at_any_write_on_postgres_loses_and_repeats_nothing() {
    let store = need!(Schema::shared());
    println!("Postgres: {}", block_on(every_fault_at_every_write([store.node(), store.node()])));
}

#[test]
fn a_fault_at_any_write_on_redis_loses_and_repeats_nothing() {
    let store = need!(Database::shared());
    println!("Redis: {}", block_on(every_fault_at_every_write([store.node(), store.node()])));
}
