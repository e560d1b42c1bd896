//! Runs that say nothing for long, above a store that takes no writes. Time is virtual.

use std::time::Duration;

use agui_runtime::Limits;
use agui_runtime::thread::ThreadLog;
use agui_tests::stored::{ENDS, GOES_ON, ask};
use http::StatusCode;
use tokio::time::{Instant, sleep};

use crate::away::{LEASE, Node, Store, connect, memory, whole};

/// A run that waits for longer than all that happens here, and for less than the limit of a run.
const SILENT: &str = "t3 w200000 t3";

/// No append tells of the fault, only the renewals of the lease.
#[tokio::test(start_paused = true)]
async fn the_readers_of_a_silent_run_get_a_code_in_time() {
    for agent in [ENDS, GOES_ON] {
        let log = memory();
        let (node, other) = (Node::start(&log), Node::start(&log));
        let run = node.run(agent, &ask::run("a", "r1", SILENT));
        sleep(LEASE).await;
        let joined = other.send(connect(agent, None));
        let follower =
            node.send(ask::bare("GET", &format!("{}/threads/a/events", agent.trim_end_matches('/'))));
        sleep(Duration::from_millis(50)).await;
        node.set(Store::ReadOnly);
        other.set(Store::ReadOnly);
        let began = Instant::now();
        for reader in [run, joined, follower] {
            let (status, _, seen, is_cut) = reader.end().await;
            assert_eq!(status, StatusCode::OK);
            let time = began.elapsed();
            assert!(time > LEASE * 2 && time < LEASE * 5, "{agent}: {time:?}");
            let is_told = seen.text.trim_end().ends_with(r#""code":"store_unavailable"}"#);
            // A run that another server may continue has not ended.
            assert_eq!((is_told, is_cut), (agent == ENDS, agent == GOES_ON), "{}", seen.text);
        }
        node.refuses(connect(agent, None)).await;
        // The log says in the end what the readers were told.
        node.set(Store::Well);
        other.set(Store::Well);
        sleep(LEASE * 60).await;
        let whole = whole(&log, agent).await;
        assert_eq!(whole.lost.contains("r1"), agent == ENDS);
        assert_eq!(whole.restarts("r1"), usize::from(agent == GOES_ON));
        assert_eq!(whole.succeeded.contains("r1"), agent == GOES_ON);
    }
}

/// The lease is extended, so only the end of the run finds that nothing can be written.
#[tokio::test(start_paused = true)]
async fn a_run_that_takes_too_long_ends_in_time_above_a_store_that_is_full() {
    let most = LEASE * 3;
    let log = memory();
    let node = Node::start_with(&log, Limits::default().run_timeout(most));
    let began = Instant::now();
    let run = node.run(ENDS, &ask::run("a", "r1", SILENT));
    sleep(LEASE).await;
    let joined = node.send(connect(ENDS, None));
    sleep(Duration::from_millis(50)).await;
    node.set(Store::Full);
    for reader in [run, joined] {
        let (status, _, seen, is_cut) = reader.end().await;
        assert_eq!((status, is_cut), (StatusCode::OK, false), "{}", seen.text);
        let time = began.elapsed();
        assert!(time >= most && time < most + LEASE * 5, "{time:?}");
        assert!(seen.text.trim_end().ends_with(r#""code":"store_unavailable"}"#), "{}", seen.text);
    }
    node.set(Store::Well);
    let (status, _, next, is_cut) = node.run(ENDS, &ask::run("a", "r2", "t3")).end().await;
    assert_eq!((status, is_cut), (StatusCode::OK, false), "{}", next.text);
    assert!(next.text.contains("RUN_FINISHED"), "{}", next.text);
}

/// A verdict about the last run does not apply to the next one.
#[tokio::test(start_paused = true)]
async fn a_thread_whose_run_was_stuck_goes_on_as_soon_as_its_store_is_back() {
    let node = Node::start(&memory());
    let run = node.run(ENDS, &ask::run("a", "r1", SILENT));
    sleep(LEASE).await;
    node.set(Store::ReadOnly);
    let (.., stuck, _) = run.end().await;
    assert!(stuck.text.contains("store_unavailable"), "{}", stuck.text);
    node.set(Store::Well);
    let (status, _, next, is_cut) = node.run(ENDS, &ask::run("a", "r2", "t3 w900 t3")).end().await;
    assert_eq!((status, is_cut), (StatusCode::OK, false));
    assert!(next.text.contains("RUN_FINISHED"), "{}", next.text);
}

/// A store that is away for good: nothing can be read there either, so streams are cut and their clients come back.
#[tokio::test(start_paused = true)]
async fn the_readers_of_a_silent_run_are_cut_off_if_nothing_can_be_read() {
    for agent in [ENDS, GOES_ON] {
        let node = Node::start(&memory());
        let run = node.run(agent, &ask::run("a", "r1", SILENT));
        sleep(LEASE).await;
        node.set(Store::Gone);
        let began = Instant::now();
        let (_, _, seen, is_cut) = run.end().await;
        assert!(is_cut && !seen.has_end(), "{}", seen.text);
        assert!(began.elapsed() < LEASE * 5, "{agent}: {:?}", began.elapsed());
        node.refuses(connect(agent, None)).await;
    }
}

#[tokio::test(start_paused = true)]
async fn a_silent_run_outlives_a_store_that_has_a_fault_for_less_than_a_lease() {
    for fault in [Store::Slow, Store::ReadOnly, Store::Gone] {
        let log = memory();
        let node = Node::start(&log);
        let run = node.run(ENDS, &ask::run("a", "r1", SILENT));
        // Each fault has the time of a lease anew.
        for _ in 0..3 {
            sleep(LEASE * 3 / 2).await;
            node.set(fault);
            sleep(LEASE * 9 / 10).await;
            node.set(Store::Well);
        }
        let (_, _, seen, is_cut) = run.end().await;
        assert!(!is_cut && seen.text.contains("RUN_FINISHED"), "{fault:?}: {}", seen.text);
        assert!(whole(&log, ENDS).await.succeeded.contains("r1"), "{fault:?}");
    }
}

/// A server that is too busy to extend its lease in time looks for lost runs meanwhile, and so do its clients.
#[tokio::test(start_paused = true)]
async fn a_server_does_not_take_its_own_run_for_lost() {
    for agent in [ENDS, GOES_ON] {
        let log = memory();
        let node = Node::start(&log);
        let run = node.run(agent, &ask::run("a", "r1", SILENT));
        sleep(LEASE * 3 / 2).await;
        for _ in 0..3 {
            node.set(Store::Unrenewed);
            let is_over = async || !log.expired(1).await.unwrap().is_empty();
            let begun = Instant::now();
            while !is_over().await {
                assert!(begun.elapsed() < LEASE * 2, "the run has ended: {}", run.seen().text);
                sleep(LEASE / 40).await;
            }
            for _ in 0..10 {
                drop(node.send(connect(agent, None)));
                sleep(LEASE / 40).await;
            }
            // The next renewal is the first that arrives.
            node.set(Store::Well);
            assert!(is_over().await, "another server may take it for lost");
            sleep(LEASE).await;
            assert!(!is_over().await);
        }
        let (_, _, seen, is_cut) = run.end().await;
        assert!(!is_cut && seen.text.contains("RUN_FINISHED"), "{agent}: {}", seen.text);
        let whole = whole(&log, agent).await;
        assert!(whole.succeeded.contains("r1") && whole.restarts("r1") == 0, "{agent}");
    }
}

/// A store that takes no records, and still extends leases: nothing is lost while the run has nothing to say.
#[tokio::test(start_paused = true)]
async fn a_silent_run_goes_on_while_its_lease_is_extended() {
    let log = memory();
    let node = Node::start(&log);
    let run = node.run(ENDS, &ask::run("a", "r1", SILENT));
    sleep(LEASE).await;
    node.set(Store::Full);
    sleep(LEASE * 20).await;
    assert!(!run.seen().has_end(), "{}", run.seen().text);
    node.set(Store::Well);
    let (_, _, seen, is_cut) = run.end().await;
    assert!(!is_cut && seen.text.contains("RUN_FINISHED"), "{}", seen.text);
}
