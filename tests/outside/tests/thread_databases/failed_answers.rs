//! Runs that were answered and fail, on the engines with servers of their own.

use agui_tests::gated::OpenGate;
use agui_tests::need;
use agui_tests::stored::Gated;
use agui_tests::stored::failed_answers::{self, Fate};
use agui_tests::thread_conformance::Store;

use crate::executor::block_on;
use crate::postgres::Schema;
use crate::redis::Database;

/// Each test has a store without threads.
fn fail(logs: [Gated<OpenGate>; 5]) {
    let [panics, is_stopped, hangs, ends, is_lost] = logs;
    block_on(failed_answers::of_a_run_that_panics(Fate::Panics, panics));
    block_on(failed_answers::of_a_run_that_hangs(true, is_stopped));
    block_on(failed_answers::of_a_run_that_hangs(false, hangs));
    block_on(failed_answers::of_a_server_that_ends(ends));
    failed_answers::of_a_server_that_is_lost(&is_lost);
    failed_answers::of_a_call_whose_server_is_lost(&is_lost);
}

#[test]
fn answered_runs_that_fail_on_postgres_say_what_became_of_their_calls() {
    let mut logs = Vec::new();
    for _ in 0..5 {
        logs.push(Gated::open(need!(Schema::shared()).node()));
    }
    fail(logs.try_into().unwrap());
}

#[test]
fn answered_runs_that_fail_on_redis_say_what_became_of_their_calls() {
    let mut logs = Vec::new();
    for _ in 0..5 {
        logs.push(Gated::open(need!(Database::shared()).node()));
    }
    fail(logs.try_into().unwrap());
}
