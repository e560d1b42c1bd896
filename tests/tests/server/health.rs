//! Liveness and readiness, and the order in which a server ends.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agui_runtime::thread::{LogError, Memory};
use agui_runtime::{Error, Limits, Server};
use agui_tests::gated::{Gate, Gated, Op, Way};
use agui_tests::http::{Piece, Request, Whole};
use agui_tests::recorded_metrics::RecordedMetrics;
use axum::Router;
use axum::extract::Request as AxumRequest;
use axum::http::StatusCode;
use axum::middleware::{Next, from_fn};
use axum::routing::{MethodRouter, post};
use futures::FutureExt;
use futures::future::BoxFuture;
use metrics_util::debugging::DebuggingRecorder;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::kitchen::{Cook, Served, asking};

/// Against hangs.
const PATIENCE: Duration = Duration::from_secs(20);

async fn get(address: SocketAddr, path: &str) -> Whole {
    timeout(PATIENCE, Request::new("GET", path).send(address)).await.expect("no answer")
}

async fn ready(address: SocketAddr) -> (u16, String) {
    let answer = get(address, "/health/ready").await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    (answer.status, answer.json()["status"].as_str().unwrap().to_owned())
}

fn answer(status: u16, text: &str) -> (u16, String) {
    (status, text.to_owned())
}

async fn until(address: SocketAddr, expected: (u16, String)) {
    let reached = async {
        while ready(address).await != expected {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("never {expected:?}"));
}

#[tokio::test]
async fn a_server_has_no_such_paths_unless_they_are_asked_for() {
    let served = Served::cook().await;
    assert_eq!(get(served.address, "/health/live").await.status, 404);
}

#[tokio::test]
async fn a_balancer_needs_no_host_no_credentials_and_no_place() {
    let recorder = DebuggingRecorder::new();
    let mut seen = RecordedMetrics::of(&recorder);
    let _guard = metrics::set_default_local_recorder(&recorder);
    let closed = from_fn(|_: AxumRequest, _: Next| async { StatusCode::UNAUTHORIZED });
    let server = Server::new()
        .agent("/", Cook::new().0)
        .agent("/closed", Cook::new().0)
        .health("/health")
        .limits(Limits::default().runs(1))
        .allow_hosts(["agent.example"]);
    let served = Served::start(server).await;
    let mut run = Request::run("/", asking("wait").to_string()).open(served.address).await;
    run.until("waiting").await;
    assert_eq!(Request::run("/", asking("who").to_string()).send(served.address).await.status, 503);
    for path in ["/health/live", "/health/ready"] {
        for request in [
            Request::new("GET", path),
            Request::new("GET", path).header("host", "10.1.2.3:8000"),
            Request::new("GET", path).header("host", "pod-7.internal"),
            Request::new("GET", path).header("origin", "https://evil.example"),
        ] {
            let answer = request.send(served.address).await;
            assert_eq!(answer.status, 200, "{}", answer.text());
        }
        assert_eq!(Request::new("HEAD", path).open(served.address).await.status, 200);
        assert_eq!(Request::new("POST", path).send(served.address).await.status, 405);
    }
    let now = seen.now();
    assert_eq!(now["agui_runs_open"], 1, "{now:?}");

    let layered = Server::new().agent("/", Cook::new().0).health("/health/").layer(closed);
    let served = Served::start(layered).await;
    assert_eq!(Request::run("/", asking("who").to_string()).send(served.address).await.status, 401);
    assert_eq!(ready(served.address).await, answer(200, "ready"));
}

#[test]
fn its_paths_are_no_agents() {
    let server = Server::new().agent("/agents", Cook::new().0);
    assert!(matches!(server.health("no-slash").router(), Err(Error::InvalidPath { .. })));
    let agent = Server::new().agent("/a", Cook::new().0).dyn_agent("/a/ready", Arc::new(Cook::new().0));
    assert!(agent.health("/a").router().is_ok(), "one is asked with POST, the other with GET");
    let server = Server::new().agent("/", Cook::new().0).health("/health").health("/");
    assert!(server.router().is_ok());
}

/// A store that answers or not, and says when it is dropped.
#[derive(Debug)]
struct Store {
    answers: watch::Receiver<bool>,
    asked: watch::Sender<u32>,
}

impl Gate for Store {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            if matches!(op, Op::Probe) {
                self.asked.send_modify(|asked| *asked += 1);
                if !*self.answers.borrow() {
                    std::future::pending::<()>().await;
                }
            }
            Ok(Way::Through)
        }
        .boxed()
    }
}

/// Returns a store, the switch of its answers, and the number of times that it was asked, which ends when it is dropped.
fn store() -> (Gated<Store>, watch::Sender<bool>, watch::Receiver<u32>) {
    let (switch, answers) = watch::channel(true);
    let (asked, count) = watch::channel(0);
    (Gated::new(Arc::new(Memory::new()), Arc::new(Store { answers, asked })), switch, count)
}

#[tokio::test]
async fn a_server_whose_store_does_not_answer_is_not_ready() {
    let (log, switch, asked) = store();
    let served = Served::start(Server::new().agent("/", Cook::new().0).threads(log).health("/health")).await;
    assert_eq!(ready(served.address).await, answer(200, "ready"));
    switch.send_replace(false);
    until(served.address, answer(503, "store_unavailable")).await;
    assert_eq!(get(served.address, "/health/live").await.status, 200);
    switch.send_replace(true);
    until(served.address, answer(200, "ready")).await;

    // Many probes at once are one request to the store.
    sleep(Duration::from_millis(1_100)).await;
    let before = *asked.borrow();
    let probes = (0..50).map(|_| ready(served.address));
    assert!(futures::future::join_all(probes).await.into_iter().all(|found| found == answer(200, "ready")));
    let more = *asked.borrow() - before;
    assert!(more <= 2, "the store was asked {more} times");
}

/// A balancer whose own time limit is shorter than the store needs.
#[tokio::test]
async fn probes_that_give_up_are_one_request_to_the_store() {
    let (log, switch, asked) = store();
    let served = Served::start(Server::new().agent("/", Cook::new().0).threads(log).health("/health")).await;
    switch.send_replace(false);
    let (before, begun) = (*asked.borrow(), Instant::now());
    for _ in 0..20 {
        let probe = timeout(Duration::from_millis(25), ready(served.address)).await;
        assert!(probe.is_err(), "the store has answered: {probe:?}");
    }
    let more = *asked.borrow() - before;
    assert_eq!(more, 1, "the store was asked {more} times");
    // The answer comes though all that asked have left, and counts for those that ask next.
    sleep(Duration::from_millis(1_100).saturating_sub(begun.elapsed())).await;
    let late = timeout(Duration::from_millis(500), ready(served.address)).await;
    assert_eq!(late, Ok(answer(503, "store_unavailable")));
    assert_eq!(*asked.borrow() - before, 1);
}

#[test]
fn routes_of_the_program_at_its_paths_are_an_error() {
    let server = || Server::new().agent("/a", Cook::new().0).health("/health");
    let own = |path: &str, route: MethodRouter| server().routes(Router::new().route(path, route)).router();
    for (path, route, method) in [
        ("/health/live", get_route(), "GET"),
        ("/health/ready", get_route(), "GET"),
        ("/a/capabilities", get_route(), "GET"),
        ("/a", post(|| async {}), "POST"),
        ("/a/connect", post(|| async {}), "POST"),
    ] {
        match own(path, route) {
            Err(Error::DuplicatePath { method: found, path: at }) => {
                assert_eq!((found, &*at), (method, path));
            }
            other => panic!("{path}: {:?}", other.err()),
        }
    }
    for (path, route) in
        [("/health/live", post(|| async {})), ("/health/{probe}", get_route()), ("/a", get_route())]
    {
        assert!(own(path, route).is_ok(), "{path}");
    }
}

fn get_route() -> MethodRouter {
    axum::routing::get(|| async {})
}

#[tokio::test]
async fn a_server_ends_in_order() {
    let (log, _switch, store) = store();
    let (delay, grace) = (Duration::from_millis(400), Duration::from_millis(400));
    let limits = Limits::default().shutdown_delay(delay).shutdown_grace(grace);
    let server = Server::new().agent("/", Cook::new().0).threads(log).health("/health").limits(limits);
    let mut served = Served::start(server).await;
    let address = served.address;
    let mut run = Request::run("/", asking("wait").to_string()).open(address).await;
    run.until("waiting").await;

    let asked = Instant::now();
    served.stop();
    // 1. Not ready, and it still takes runs.
    until(address, answer(503, "shutting_down")).await;
    assert_eq!(get(address, "/health/live").await.status, 200);
    let mut input = asking("who");
    input["threadId"] = json!("late");
    let late = Request::run("/", input.to_string()).send(address).await;
    assert!(late.text().contains("RUN_FINISHED"), "{}", late.text());
    // 2. It accepts no connection, and the run goes on.
    let refused = async { while TcpStream::connect(address).await.is_ok() {} };
    timeout(PATIENCE, refused).await.unwrap();
    assert!(asked.elapsed() >= delay, "{:?}", asked.elapsed());
    assert!(store.has_changed().is_ok(), "the store is gone before the runs");
    // 3. The run ends with an error, and its connection is closed.
    let end = run.until("RUN_ERROR").await;
    assert!(end.contains(r#""code":"shutdown""#), "{end}");
    assert!(asked.elapsed() >= delay + grace, "{:?}", asked.elapsed());
    assert_eq!(run.next().await, Piece::End);
    // 4. Its store is closed.
    timeout(PATIENCE, served.ended()).await.expect("the server goes on").unwrap();
    assert!(store.has_changed().is_err(), "the store outlives its server");
}
