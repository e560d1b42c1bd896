//! Webhooks on the engines with servers of their own.

use agui_tests::kept::webhooks::{every_end_is_sent, one_server_sends_each_end};
use agui_tests::need;
use agui_tests::report::report;
use agui_tests::thread_contract::Store;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

#[test]
fn every_end_on_postgres_is_sent_whatever_is_lost() {
    let store = need!(Schema::shared());
    report(format_args!("Postgres: {}", block_on(every_end_is_sent([store.node(), store.node()]))));
}

#[test]
fn every_end_on_redis_is_sent_whatever_is_lost() {
    let store = need!(Database::shared());
    report(format_args!("Redis: {}", block_on(every_end_is_sent([store.node(), store.node()]))));
}

#[test]
fn one_of_two_servers_on_postgres_sends_each_end() {
    let store = need!(Schema::shared());
    block_on(one_server_sends_each_end([store.node(), store.node()]));
}

#[test]
fn one_of_two_servers_on_redis_sends_each_end() {
    let store = need!(Database::shared());
    block_on(one_server_sends_each_end([store.node(), store.node()]));
}
