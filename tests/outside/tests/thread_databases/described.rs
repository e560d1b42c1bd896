//! Titles, archive marks and metadata of threads, and long lists, on the engines with servers of their own.

use agui_tests::need;
use agui_tests::stored::{described, listed};
use agui_tests::thread_conformance::Store;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

fn describe(store: &impl Store) {
    block_on(described::all(|| [store.node(), store.node()]));
}

#[test]
fn threads_on_postgres_have_titles() {
    describe(&need!(Schema::shared()));
}

#[test]
fn threads_on_redis_have_titles() {
    describe(&need!(Database::shared()));
}

#[test]
fn ten_thousand_threads_on_postgres_are_listed() {
    let store = need!(Schema::shared());
    block_on(listed::among_ten_thousand_threads_the_ten_open_ones_are_found(store.node()));
}

#[test]
fn ten_thousand_threads_on_redis_are_listed() {
    let store = need!(Database::shared());
    block_on(listed::among_ten_thousand_threads_the_ten_open_ones_are_found(store.node()));
}
