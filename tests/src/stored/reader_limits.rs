//! The budget of readers: a reader is no run, and has limits of its own, whatever engine has the threads.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::ThreadLog;
use agui_runtime::{Limits, Server};
use metrics_util::debugging::DebuggingRecorder;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::time::sleep;

use super::scribe::Steady;
use super::{ENDS, Gated, Ledger, Scribe, Served, ask};
use crate::http::{Request, Whole};
use crate::recorded_metrics::RecordedMetrics;

/// Longer than all sockets between a server and a client hold.
const LONG: usize = 5_000_000;

struct Measured {
    served: Served,
    metrics: RecordedMetrics,
}

impl Measured {
    async fn start(log: &Arc<dyn ThreadLog>, limits: Limits, metrics: RecordedMetrics) -> Self {
        let log = Gated::open(Arc::clone(log));
        let agent = Scribe::<false>::new(Arc::new(Ledger::default()), Arc::new(Steady));
        let server = Server::new().threads(log).limits(limits).agent(ENDS, agent);
        Self { served: Served::start(server).await, metrics }
    }

    fn address(&self) -> SocketAddr {
        self.served.address
    }

    async fn run(&self, input: &Value) {
        let whole = Request::run(ENDS, input.to_string()).send(self.address()).await;
        assert!(whole.text().contains("RUN_FINISHED"), "{} {}", whole.status, whole.text().len());
    }

    fn count(&mut self, name: &str) -> i64 {
        self.metrics.now().get(name).copied().unwrap_or_default()
    }

    /// Waits for a metric: a server notices soon that a reader left.
    async fn counts(&mut self, name: &str, wanted: i64) {
        for _ in 0..1_000 {
            if self.count(name) == wanted {
                return;
            }
            sleep(Duration::from_millis(10)).await;
        }
        panic!("{name} is {} and not {wanted}", self.count(name));
    }

    async fn is_refused(&mut self, request: &Request, status: u16, code: &str) {
        let metric = format!("agui_requests_refused_total{{{code}}}");
        let before = self.count(&metric);
        let refused: Whole = request.send(self.address()).await;
        assert_eq!((refused.status, &refused.json()["error"]["code"]), (status, &json!(code)));
        assert_eq!(refused.header("retry-after"), Some("1"));
        assert_eq!(self.count(&metric), before + 1, "{metric}");
    }
}

fn follow(thread: &str) -> Request {
    Request::new("GET", &format!("/threads/{thread}/events"))
}

fn connect(thread: &str) -> Request {
    Request::run("/connect", ask::connect(thread).to_string())
}

const OPEN: &str = "agui_readers_open";
const BYTES: &str = "agui_reader_bytes";
const TOO_MANY: &str = "too_many_readers";

/// Checks the limits of the readers of one thread, of one client, and of the bytes of all, and the time for which a reader may stand still.
pub fn hold(log: &Arc<dyn ThreadLog>) {
    // One thread, so that a recorder of this thread sees the whole server.
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        for limit in [Limit::Thread, Limit::Client, Limit::Memory, Limit::Time] {
            let recorder = DebuggingRecorder::new();
            let _guard = metrics::set_default_local_recorder(&recorder);
            let metrics = RecordedMetrics::of(&recorder);
            match limit {
                Limit::Thread => of_a_thread(log, metrics).await,
                Limit::Client => of_a_client(log, metrics).await,
                Limit::Memory => of_all(log, metrics).await,
                Limit::Time => of_a_reader_that_stands_still(log, metrics).await,
            }
        }
    });
}

enum Limit {
    Thread,
    Client,
    Memory,
    Time,
}

async fn of_a_thread(log: &Arc<dyn ThreadLog>, metrics: RecordedMetrics) {
    let mut server = Measured::start(log, Limits::default().readers_per_thread(2), metrics).await;
    server.run(&ask::run("t", "r1", "t1")).await;
    let waits = Request::run(ENDS, ask::run("t", "r2", "w100000").to_string());
    let mut begun = waits.open(server.address()).await;
    begun.until("Wait").await;
    assert_eq!(server.count(OPEN), 0, "the client of a run is no reader");
    let first = follow("t").open(server.address()).await;
    let second = connect("t").open(server.address()).await;
    server.counts(OPEN, 2).await;
    // Also a client that sends its run again, and one at another address.
    let elsewhere = follow("t").from(Ipv4Addr::new(127, 0, 0, 3));
    for request in [follow("t"), connect("t"), waits, elsewhere] {
        server.is_refused(&request, 429, TOO_MANY).await;
    }
    let other = follow("another").open(server.address()).await;
    assert_eq!(other.status, 200, "another thread");
    server.counts(OPEN, 3).await;
    drop(first);
    server.counts(OPEN, 2).await;
    let third = follow("t").open(server.address()).await;
    assert_eq!(third.status, 200, "a reader that ended gives its place back");
    server.is_refused(&follow("t"), 429, TOO_MANY).await;
    drop((begun, second, third, other));
    server.counts(OPEN, 0).await;
}

async fn of_a_client(log: &Arc<dyn ThreadLog>, metrics: RecordedMetrics) {
    let mut server = Measured::start(log, Limits::default().readers_per_client(1), metrics).await;
    let one = follow("one").open(server.address()).await;
    server.is_refused(&follow("two"), 429, TOO_MANY).await;
    let elsewhere = follow("two").from(Ipv4Addr::new(127, 0, 0, 3)).open(server.address()).await;
    assert_eq!(elsewhere.status, 200, "another client");
    server.run(&ask::run("three", "r1", "t1")).await;
    drop(one);
    server.counts(OPEN, 1).await;
    let two = follow("two").open(server.address()).await;
    assert_eq!(two.status, 200, "a reader that ended gives its place back");
    drop((two, elsewhere));
    server.counts(OPEN, 0).await;
}

async fn of_all(log: &Arc<dyn ThreadLog>, metrics: RecordedMetrics) {
    let mut server = Measured::start(log, Limits::default().reader_memory(1), metrics).await;
    for thread in ["long", "longer"] {
        let mut input = ask::run(thread, "r1", "t1");
        let long = json!({ "id": "long", "role": "user", "content": "x".repeat(LONG) });
        input["messages"].as_array_mut().unwrap().insert(0, long);
        server.run(&input).await;
    }
    server.counts(BYTES, 0).await;
    let held = follow("long").open(server.address()).await;
    assert_eq!(held.status, 200);
    assert!(server.count(BYTES) > LONG as i64, "{}", server.count(BYTES));
    let shared = connect("long").send(server.address()).await;
    assert_eq!(shared.status, 200, "it is the same copy");
    assert!(shared.text().len() > LONG);
    server.is_refused(&follow("longer"), 503, "server_busy").await;
    server.counts(OPEN, 1).await;
    drop(held);
    server.counts(BYTES, 0).await;
    let next = connect("longer").send(server.address()).await;
    assert!(next.text().len() > LONG, "a reader that ended gives its bytes back");
    server.counts(BYTES, 0).await;
    server.counts(OPEN, 0).await;
}

/// A reader that takes nothing loses its place and its bytes after the write timeout, as a run's client does.
async fn of_a_reader_that_stands_still(log: &Arc<dyn ThreadLog>, metrics: RecordedMetrics) {
    let limits = Limits::default().write_timeout(Duration::from_millis(500));
    let mut server = Measured::start(log, limits, metrics).await;
    let mut input = ask::run("still", "r1", "t1");
    let long = json!({ "id": "long", "role": "user", "content": "x".repeat(LONG) });
    input["messages"].as_array_mut().unwrap().insert(0, long);
    server.run(&input).await;
    let still = [follow("still").open(server.address()).await, connect("still").open(server.address()).await];
    assert!(still.iter().all(|reader| reader.status == 200));
    server.counts(OPEN, 2).await;
    assert!(server.count(BYTES) > LONG as i64, "{}", server.count(BYTES));
    server.counts(OPEN, 0).await;
    server.counts(BYTES, 0).await;
    drop(still);
}
