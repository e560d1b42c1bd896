//! A server above a store that fails over, as its balancer and its pages see it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::prelude::*;
use agui_tests::http::{Request, Whole};
use agui_tests::need;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time::sleep;

use crate::executor::block_on;
use crate::failover::{NOTICED, Pair, PostgresPair, RedisPair};

const LEASE: Duration = Duration::from_secs(2);
/// The longest time in which a store is well again, or a run ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// Answers, and waits before if it is asked to.
#[agent]
async fn host(run: &mut Run<Host>, input: Input<Host>, go_on: &Arc<Notify>) -> Result<(), Stop> {
    let mut text = run.message().await;
    if input.user_text().as_deref() == Some("wait") {
        text.push("I wait. ").await;
        go_on.notified().await;
    }
    text.push("Good day.").await;
    text.end();
    Ok(())
}

fn input(thread: &str, run: &str, text: &str) -> Request {
    let input = json!({
        "threadId": thread, "runId": run, "protocolVersion": "1.0",
        "messages": [{ "id": format!("u-{run}"), "role": "user", "content": text }],
    });
    Request::run("/", input.to_string()).patience(PATIENCE)
}

/// The type of the last event. Events of stored threads have ids.
pub(crate) fn last(answer: &Whole) -> Value {
    let event = answer.text().lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap_or("null");
    serde_json::from_str::<Value>(event).unwrap()["type"].clone()
}

/// Asks as a balancer does until the answer is as wanted, and returns the time that it took.
pub(crate) async fn until(address: SocketAddr, status: u16) -> Duration {
    let begun = Instant::now();
    let ready = Request::new("GET", "/health/ready").patience(PATIENCE);
    while ready.send(address).await.status != status {
        assert!(begun.elapsed() < PATIENCE, "not {status} after {:?}", begun.elapsed());
        sleep(Duration::from_millis(50)).await;
    }
    begun.elapsed()
}

#[derive(Clone, Copy, Debug)]
enum Failure {
    Demoted,
    Killed,
}

fn fails_over<P: Pair>(pair: &P, failure: Failure) {
    block_on(async {
        let go_on = Arc::new(Notify::new());
        let server = Server::new()
            .threads(pair.connect().await)
            .thread_options(ThreadOptions::default().lease(LEASE))
            .health("/health")
            .agent("/", Host::new(Arc::clone(&go_on)));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let serving = tokio::spawn(server.serve_on(listener, std::future::pending()));
        until(address, 200).await;
        assert_eq!(last(&input("t", "before", "hello").send(address).await), "RUN_FINISHED");
        let mut open = input("u", "open", "wait").open(address).await;
        open.until("I wait").await;
        pair.catch_up().await;

        match failure {
            Failure::Demoted => pair.demote().await,
            Failure::Killed => pair.primary().kill(),
        }
        let noticed = until(address, 503).await;
        assert!(noticed < NOTICED, "{failure:?}: ready for {noticed:?}");
        let refused = input("v", "meanwhile", "hello").send(address).await;
        assert_eq!(refused.status, 503, "{}", refused.text());
        assert!(refused.text().contains("\"store_unavailable\""), "{}", refused.text());

        pair.promote().await;
        until(address, 200).await;
        // Without a look at the thread before.
        assert_eq!(last(&input("t", "after", "hello").send(address).await), "RUN_FINISHED");
        go_on.notify_one();
        let end = last(&open.whole().await);
        assert!(end == "RUN_FINISHED" || end == "RUN_ERROR", "{failure:?}: {end}");
        // The run that was open may be lost. Its thread goes on, once the lease has ended.
        let begun = Instant::now();
        let again = loop {
            let again = input("u", "again", "hello").send(address).await;
            if again.status == 200 {
                break again;
            }
            assert!(begun.elapsed() < PATIENCE, "{}", again.text());
            sleep(Duration::from_millis(200)).await;
        };
        assert_eq!(last(&again), "RUN_FINISHED", "{}", again.text());
        let connect = json!({ "threadId": "t", "runId": "c", "protocolVersion": "1.0", "messages": [] });
        let stored = Request::run("/connect", connect.to_string()).send(address).await;
        assert_eq!(stored.text().matches("Good day.").count(), 2, "{}", stored.text());
        serving.abort();
    });
}

#[test]
fn a_postgres_that_is_demoted_costs_at_most_the_open_runs() {
    fails_over(&need!(PostgresPair::start()), Failure::Demoted);
}

#[test]
fn a_postgres_that_is_killed_costs_at_most_the_open_runs() {
    fails_over(&need!(PostgresPair::start()), Failure::Killed);
}

#[test]
fn a_redis_that_is_demoted_costs_at_most_the_open_runs() {
    fails_over(&need!(RedisPair::start()), Failure::Demoted);
}

#[test]
fn a_redis_that_is_killed_costs_at_most_the_open_runs() {
    fails_over(&need!(RedisPair::start()), Failure::Killed);
}
