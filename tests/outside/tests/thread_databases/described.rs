//! Titles, archive marks and metadata of threads, on the engines with servers of their own.

use agui_tests::need;
use agui_tests::stored::described;
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
