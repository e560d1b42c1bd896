//! Webhooks on the engines with servers of their own.

use agui_tests::need;
use agui_tests::report::report;
use agui_tests::stored::webhooks::{every_end_is_sent, one_server_sends_each_end};
use agui_tests::thread_conformance::Store;
use futures::future::join;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

/// Sends the ends of runs on two stores of one engine at once: the tests wait for leases most of the time.
fn send(engine: &str, lossy: &impl Store, well: &impl Store) {
    let lossy = every_end_is_sent([lossy.node(), lossy.node()]);
    let well = one_server_sends_each_end([well.node(), well.node()]);
    report(format_args!("{engine}: {}", block_on(join(lossy, well)).0));
}

#[test]
fn every_end_on_postgres_is_sent_whatever_is_lost() {
    send("Postgres", &need!(Schema::shared()), &need!(Schema::shared()));
}

#[test]
fn every_end_on_redis_is_sent_whatever_is_lost() {
    send("Redis", &need!(Database::shared()), &need!(Database::shared()));
}
