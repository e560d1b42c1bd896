//! The budget of readers on the engines with servers of their own.

use agui_tests::need;
use agui_tests::stored::reader_limits;
use agui_tests::thread_conformance::Store;

use crate::postgres::Schema;
use crate::redis::Database;

#[test]
fn readers_of_threads_on_postgres_have_limits() {
    reader_limits::hold(&need!(Schema::shared()).node());
}

#[test]
fn readers_of_threads_on_redis_have_limits() {
    reader_limits::hold(&need!(Database::shared()).node());
}
