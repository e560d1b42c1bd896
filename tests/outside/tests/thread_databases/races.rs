//! Requests at once on two servers, and a slow reader, on the engines with servers of their own.

use agui_tests::need;
use agui_tests::stored::races;
use agui_tests::thread_conformance::Store;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

fn race(store: &impl Store) {
    let logs = || [store.node(), store.node()];
    block_on(races::of_two_answers_one_counts(logs()));
    block_on(races::one_id_is_one_run(logs()));
    block_on(races::a_reader_slower_than_the_trim_is_cut_off_and_comes_back(logs()));
}

#[test]
fn requests_at_once_on_postgres_have_one_winner() {
    race(&need!(Schema::shared()));
}

#[test]
fn requests_at_once_on_redis_have_one_winner() {
    race(&need!(Database::shared()));
}
