//! Servers, clients, and the faults between them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::{BusyThread, ThreadOptions};
use agui_runtime::thread::Memory;
use axum::Router;
use axum::body::Body;
use futures::StreamExt;
use http::{Request, StatusCode};
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};
use tower_service::Service;

use super::flaky::{Flaky, Random};
use super::judge;
use crate::house::{Bells, Clerk, asking, events};

/// The time for which a server owns a thread.
const LEASE: Duration = Duration::from_secs(3);

/// Text that one client received from one stream.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// True for a stream that begins with what stands for the past.
    pub(crate) has_prelude: bool,
    pub(crate) text: Arc<Mutex<String>>,
}

#[derive(Clone)]
struct Node {
    router: Router,
    log: Flaky,
}

/// One schedule.
pub(crate) struct World {
    random: Random,
    nodes: Vec<Node>,
    seen: Vec<Seen>,
    clients: Vec<JoinHandle<()>>,
    runs: u64,
    bells: Bells,
}

impl World {
    /// Runs the schedule of a seed, and returns the number of runs that were asked for.
    pub(crate) fn run(seed: u64) -> u64 {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        let outcome =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| runtime.block_on(Self::live(seed))));
        outcome.unwrap_or_else(|panic| {
            eprintln!("the schedule of AGUI_SEED={seed} failed");
            std::panic::resume_unwind(panic)
        })
    }

    async fn live(seed: u64) -> u64 {
        let random = Random::new(seed);
        let began = Instant::now();
        let log = Memory::with_clock(move || Duration::from_secs(1_800_000_000) + began.elapsed());
        let (calm, is_calm) = watch::channel(false);
        let bells = Bells::default();
        let busy = [BusyThread::Reject, BusyThread::Queue, BusyThread::CancelFirst][random.below(3) as usize];
        let nodes = (0..3).map(|_| {
            let log = Flaky::new(log.clone(), random.clone(), is_calm.clone());
            let options = ThreadOptions::default().lease(LEASE).busy(busy);
            let server = Server::new().threads(log.clone()).thread_options(options);
            Node { router: server.agent("/", Clerk::new(bells.clone())).router().unwrap(), log }
        });
        let mut world = Self {
            nodes: nodes.collect(),
            random,
            seen: Vec::new(),
            clients: Vec::new(),
            runs: 0,
            bells: bells.clone(),
        };
        for _ in 0..12 {
            world.step().await;
            sleep(Duration::from_millis(world.random.below(400))).await;
        }
        // The faults end. A server that is frozen now never comes back.
        calm.send_replace(true);
        world.settle(&log).await;
        for client in world.clients {
            client.abort();
        }
        judge::judge(&log, &world.seen, &bells).await;
        world.runs
    }

    async fn step(&mut self) {
        let node = self.node();
        match self.random.below(10) {
            0..=3 => {
                self.runs += 1;
                let text =
                    ["hello", "count", "many", "wait", "send it", "fail"][self.random.below(6) as usize];
                let run = format!("r{}", self.runs);
                self.open(node, "/", asking(&run, text), false);
            }
            4 => self.open(node, "/connect", connecting(), true),
            5 => self.come_back(node),
            6 => self.answer(node).await,
            7 => drop(self.clients.pop().map(|client| client.abort())),
            8 => {
                let frozen = &node.log.frozen;
                frozen.send_modify(|frozen| *frozen = !*frozen);
            }
            _ => {
                self.bells.go_on.notify_waiters();
                if self.random.one_in(2) {
                    let stop =
                        Request::post("/stop/t").header("host", "localhost").body(Body::empty()).unwrap();
                    let _ = timeout(Duration::from_millis(100), node.router.clone().call(stop)).await;
                }
            }
        }
    }

    fn node(&self) -> Node {
        self.nodes[self.random.below(self.nodes.len() as u64) as usize].clone()
    }

    /// Reads a stream in a task of its own.
    fn open(&mut self, node: Node, path: &str, input: Value, has_prelude: bool) {
        let text = Arc::new(Mutex::new(String::new()));
        let seen = Seen { has_prelude, text: Arc::clone(&text) };
        let asked = request(path, &input, None);
        self.seen.push(seen);
        self.clients.push(tokio::spawn(read(node, asked, text)));
    }

    /// Comes back to the run of an earlier stream, after the last event that it gave.
    fn come_back(&mut self, node: Node) {
        let Some(seen) = self.seen.last() else { return };
        let text = seen.text.lock().unwrap().clone();
        let Some(cursor) = text.lines().rev().find_map(|line| line.strip_prefix("id: ")) else { return };
        let asked = request("/connect", &connecting(), Some(cursor));
        let text = Arc::new(Mutex::new(String::new()));
        self.seen.push(Seen { has_prelude: false, text: Arc::clone(&text) });
        self.clients.push(tokio::spawn(read(node, asked, text)));
    }

    /// Answers the last question that a client saw.
    async fn answer(&mut self, node: Node) {
        let asked = self.seen.iter().rev().find_map(|seen| {
            let text = seen.text.lock().unwrap();
            let complete = text.rfind("\n\n").map_or("", |end| &text[..end]);
            events(complete)
                .iter()
                .rev()
                .find_map(|event| event["outcome"]["interrupts"][0]["id"].as_str().map(str::to_owned))
        });
        let Some(question) = asked else { return };
        for _ in 0..2 {
            self.runs += 1;
            let mut input = asking(&format!("r{}", self.runs), "");
            input["messages"] = json!([]);
            input["resume"] = json!([{ "interruptId": question, "status": "resolved", "payload": true }]);
            self.open(node.clone(), "/", input, false);
        }
    }

    /// Waits until no run goes on: servers that are frozen are replaced by the others.
    async fn settle(&self, log: &Memory) {
        use agui_runtime::thread::{ThreadKey, ThreadLog};
        let key = ThreadKey::new("", "/", "t");
        // One server at least must be there.
        self.nodes[0].log.frozen.send_replace(false);
        for _ in 0..200 {
            self.bells.go_on.notify_waiters();
            let asked = request("/connect", &connecting(), None);
            let answer = timeout(LEASE, read(self.nodes[0].clone(), asked, Arc::default())).await;
            let head = log.head(&key).await.unwrap();
            if answer.is_ok() && head.lease.is_none() {
                return;
            }
            sleep(LEASE / 2).await;
        }
        panic!("a run never ends: {:?}", log.head(&key).await);
    }
}

fn connecting() -> Value {
    json!({ "threadId": "t", "runId": "connect", "protocolVersion": "1.0", "messages": [] })
}

fn request(path: &str, input: &Value, cursor: Option<&str>) -> Request<Body> {
    let mut request =
        Request::post(path).header("host", "localhost").header("content-type", "application/json");
    if let Some(cursor) = cursor {
        request = request.header("last-event-id", cursor);
    }
    request.body(Body::from(input.to_string())).unwrap()
}

async fn read(mut node: Node, request: Request<Body>, text: Arc<Mutex<String>>) {
    let answer = node.router.call(request).await.unwrap();
    let is_stream = answer.status() == StatusCode::OK;
    let mut body = answer.into_body().into_data_stream();
    while let Some(Ok(bytes)) = body.next().await {
        if is_stream {
            text.lock().unwrap().push_str(std::str::from_utf8(&bytes).unwrap());
        }
    }
}
