//! A schedule: servers, clients, and their faults.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::http::{BusyThread, ClientLeaves, ThreadOptions};
use agui_runtime::thread::{ThreadKey, ThreadLog};
use http::StatusCode;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::LEASE;
use super::client::{Asks, Client};
use super::faults::{Counts, Faults};
use super::judge;
use super::link::Process;
use super::node::Node;
use super::random::Random;
use super::store::Store;
use crate::kept::{Conversation, Ledger, ask};

const NODES: usize = 3;
const THREADS: [&str; 2] = ["a", "b"];

/// A request for a run, to send it again.
#[derive(Clone)]
struct Asked {
    thread: &'static str,
    run: String,
    input: Value,
}

/// One schedule.
pub(super) struct World {
    store: Arc<Store>,
    ledger: Arc<Ledger>,
    options: ThreadOptions,
    nodes: Vec<Node>,
    clients: Vec<Client>,
    asked: Vec<Asked>,
    runs: u64,
}

impl World {
    /// Runs the schedule of a seed.
    pub(super) async fn live(seed: u64) -> (Counts, Vec<Conversation>) {
        let random = Random::new(seed);
        let faults = Faults::draw(&random);
        let busy = random.one_of(&[BusyThread::Reject, BusyThread::Queue, BusyThread::CancelFirst]);
        let leaves = match random.below(3) {
            0 => ClientLeaves::CancelAfter(Duration::from_millis(random.below(1_500))),
            _ => ClientLeaves::Continue,
        };
        let keep = random.one_of(&[2, 8, 1_000, 1_000]);
        let options =
            ThreadOptions::default().lease(LEASE).busy(busy).client_leaves(leaves).keep_records(keep);
        let store = Arc::new(Store::new(random, faults, busy == BusyThread::Reject, keep < 1_000));
        let ledger = Arc::new(Ledger::default());
        let nodes = (0..NODES).map(|_| Node::start(&store, &ledger, options.clone())).collect();
        let mut world =
            Self { store, ledger, options, nodes, clients: Vec::new(), asked: Vec::new(), runs: 0 };
        for _ in 0..16 {
            world.step();
            sleep(Duration::from_millis(world.below(350))).await;
        }
        world.settle().await;
        world.answer_what_is_open().await;
        world.judge().await
    }

    fn below(&self, end: u64) -> u64 {
        self.store.random.below(end)
    }

    fn is_one_in(&self, count: u64) -> bool {
        self.store.random.one_in(count)
    }

    fn node(&self) -> Node {
        self.nodes[self.below(NODES as u64) as usize].clone()
    }

    fn thread(&self) -> &'static str {
        THREADS[usize::from(self.is_one_in(4))]
    }

    fn step(&mut self) {
        match self.below(24) {
            0..=5 => self.say(),
            6 | 7 => self.answer(),
            8 => self.ask_again(),
            9 | 10 => self.connect(),
            11..=13 => self.come_back(),
            14 | 15 => self.leave(),
            16 => self.stop(),
            17 => self.delete(),
            18 | 19 => self.freeze(),
            20 => self.restart(),
            21 => self.cut_off(),
            22 => self.jump(),
            _ => self.follow(),
        }
    }

    fn send(&mut self, node: Node, asks: Asks, thread: &'static str, path: &str, input: &Value) {
        let has_prelude = asks == Asks::Connect;
        let request = ask::post(path, input, None);
        self.clients.push(Client::send(&self.store, node, asks, thread, request, has_prelude));
    }

    fn run_id(&mut self) -> String {
        self.runs += 1;
        self.store.counts.add("runs that were asked for");
        format!("r{}", self.runs)
    }

    fn say(&mut self) {
        let words = ["t3", "t8", "w300", "w900", "c20", "c150", "s", "q", "x", "w2500"];
        let text: Vec<_> = (0..=self.below(4)).map(|_| self.store.random.one_of(&words)).collect();
        let (run, thread) = (self.run_id(), self.thread());
        let mut input = ask::run(thread, &run, &text.join(" "));
        let mut asks = Asks::Run;
        if self.is_one_in(10)
            && let Some(earlier) = self.asked.iter().rev().find(|asked| asked.thread == thread)
        {
            input["parentRunId"] = earlier.run.clone().into();
            asks = Asks::Branch;
        }
        self.asked.push(Asked { thread, run, input: input.clone() });
        self.send(self.node(), asks, thread, "/", &input);
        if self.is_one_in(6) {
            // The same request on another server at once.
            self.send(self.node(), Asks::Again, thread, "/", &input);
        }
    }

    /// Answers a question that a client saw, on two servers at once.
    fn answer(&mut self) {
        let question = |client: &Client| Some((client.thread, client.seen().question()?));
        let Some((thread, question)) = self.clients.iter().rev().find_map(question) else { return };
        for _ in 0..=self.below(2) {
            let run = self.run_id();
            let input = ask::answer(thread, &run, &question);
            self.asked.push(Asked { thread, run, input: input.clone() });
            self.send(self.node(), Asks::Answer, thread, "/", &input);
        }
    }

    /// Sends an earlier request again, or another one under its id.
    fn ask_again(&mut self) {
        if self.asked.is_empty() {
            return;
        }
        let asked = self.asked[self.below(self.asked.len() as u64) as usize].clone();
        if self.is_one_in(3) {
            self.store.counts.add(judge::OTHERWISE);
            let other = ask::run(asked.thread, &asked.run, "something else");
            return self.send(self.node(), Asks::Otherwise, asked.thread, "/", &other);
        }
        self.store.counts.add("requests that were sent again");
        let asks = if asked.input.get("resume").is_some() { Asks::Answer } else { Asks::Again };
        self.send(self.node(), asks, asked.thread, "/", &asked.input);
    }

    fn connect(&mut self) {
        let thread = self.thread();
        self.send(self.node(), Asks::Connect, thread, "/connect", &ask::connect(thread));
    }

    fn follow(&mut self) {
        let thread = self.thread();
        let request = ask::bare("GET", &format!("/threads/{thread}/events"));
        self.clients.push(Client::send(&self.store, self.node(), Asks::Follow, thread, request, true));
    }

    /// Comes back after the last event of an earlier stream.
    fn come_back(&mut self) {
        if self.clients.is_empty() {
            return;
        }
        let client = &self.clients[self.below(self.clients.len() as u64) as usize];
        let (thread, seen) = (client.thread, client.seen());
        let Some(cursor) = seen.last_id() else { return };
        let request = ask::post("/connect", &ask::connect(thread), Some(cursor));
        self.clients.push(Client::send(&self.store, self.node(), Asks::Connect, thread, request, false));
    }

    fn leave(&mut self) {
        if !self.clients.is_empty() {
            let client = &self.clients[self.below(self.clients.len() as u64) as usize];
            client.task.abort();
            self.store.counts.add("clients that left");
        }
    }

    fn stop(&mut self) {
        let thread = self.thread();
        let request = ask::bare("POST", &format!("/stop/{thread}"));
        self.clients.push(Client::send(&self.store, self.node(), Asks::Stop, thread, request, false));
    }

    fn delete(&mut self) {
        if self.store.faults.delete {
            let thread = self.thread();
            let request = ask::bare("DELETE", &format!("/threads/{thread}"));
            self.clients.push(Client::send(&self.store, self.node(), Asks::Delete, thread, request, false));
        }
    }

    fn freeze(&mut self) {
        if self.store.faults.freeze {
            let node = self.node();
            let process = if node.health.is(Process::Runs) { Process::Frozen } else { Process::Runs };
            node.health.set(process);
            self.store.counts.add("servers that stood still or went on");
        }
    }

    fn restart(&mut self) {
        if self.store.faults.restart {
            let at = self.below(NODES as u64) as usize;
            self.nodes[at].kill();
            self.nodes[at] = Node::start(&self.store, &self.ledger, self.options.clone());
            self.store.counts.add("servers that were killed");
        }
    }

    /// The store is away for one server, or for all.
    fn cut_off(&mut self) {
        if self.store.faults.away {
            let time = Duration::from_millis(self.below(4_000));
            let of_all = self.is_one_in(2);
            let first = self.below(NODES as u64) as usize;
            for node in
                self.nodes.iter().skip(if of_all { 0 } else { first }).take(if of_all { NODES } else { 1 })
            {
                node.health.cut_off(time);
            }
            self.store.counts.add("stores that went away");
        }
    }

    fn jump(&mut self) {
        if self.store.faults.clocks {
            self.store.jump(Duration::from_millis(self.below(2 * LEASE.as_millis() as u64)));
            self.store.counts.add("clocks that jumped");
        }
    }

    /// Ends the faults, and waits until no run goes on. Servers that stand still may never come back.
    async fn settle(&mut self) {
        self.store.calm.send_replace(true);
        for (number, node) in self.nodes.iter().enumerate() {
            // One server at least must be there.
            if node.health.is(Process::Frozen) && (number == 0 || self.is_one_in(2)) {
                node.health.set(Process::Runs);
            }
        }
        for _ in 0..200 {
            sleep(LEASE).await;
            if self.is_settled().await {
                return;
            }
        }
        let open: Vec<_> =
            self.open_clients().map(|client| (client.asks, client.status(), client.seen())).collect();
        let mut heads = Vec::new();
        for thread in THREADS {
            let head = self.store.log.head(&key(thread)).await.unwrap();
            heads.push((thread, head.at, head.lease, String::from_utf8_lossy(&head.note).into_owned()));
        }
        let running: Vec<_> = self.nodes.iter().map(Node::running).collect();
        panic!("a run never ends: clients {open:?}, servers {running:?}, threads {heads:?}");
    }

    async fn is_settled(&self) -> bool {
        for thread in THREADS {
            if self.store.log.head(&key(thread)).await.unwrap().lease.is_some() {
                return false;
            }
        }
        // A run whose thread is gone ends too, and so does each client that is no follower.
        self.nodes.iter().all(|node| node.running() == 0) && self.open_clients().next().is_none()
    }

    fn open_clients(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter().filter(|client| {
            client.asks != Asks::Follow && !client.task.is_finished() && client.node.health.is(Process::Runs)
        })
    }

    /// Answers the questions that are open: none was lost.
    async fn answer_what_is_open(&mut self) {
        for thread in THREADS {
            let Some(past) = self.store.pasts(&key(thread)).pop().filter(|past| !past.is_deleted) else {
                continue;
            };
            let conversation = Conversation::read(&past.records).unwrap();
            let Some(question) = conversation.asked.first() else { continue };
            let run = self.run_id();
            self.send(self.nodes[0].clone(), Asks::Run, thread, "/", &ask::answer(thread, &run, question));
            let client = self.clients.last().unwrap();
            let ended = async {
                while !client.task.is_finished() {
                    sleep(Duration::from_millis(50)).await;
                }
            };
            timeout(LEASE * 4, ended).await.expect("an answer hangs");
            assert_eq!(client.status(), Some(StatusCode::OK));
            assert!(client.seen().has_end(), "{}", client.seen().text);
            let is_answered =
                self.ledger.answered.lock().unwrap().iter().any(|answered| question.starts_with(answered));
            assert!(is_answered, "{question} was lost:\n{}", client.seen().text);
            self.store.counts.add("questions that were open at the end");
        }
    }

    async fn judge(self) -> (Counts, Vec<Conversation>) {
        let Self { store, clients, ledger, .. } = self;
        let mut ended = Vec::new();
        for mut client in clients {
            if client.task.is_finished() {
                if let Err(error) = (&mut client.task).await
                    && error.is_panic()
                {
                    std::panic::resume_unwind(error.into_panic());
                }
            } else {
                client.task.abort();
            }
            ended.push(client);
        }
        let mut conversations = Vec::new();
        for thread in THREADS {
            let (of_thread, others): (Vec<_>, Vec<_>) =
                ended.into_iter().partition(|client| client.thread == thread);
            conversations.extend(judge::judge(&store, &key(thread), &of_thread));
            ended = others;
        }
        judge::judge_answers(&ledger, &conversations);
        store.counts.add("schedules");
        store.counts.add_many("effects of tools", ledger.effects.lock().unwrap().len() as u64);
        (store.counts.take(), conversations)
    }
}

fn key(thread: &str) -> ThreadKey {
    ThreadKey::new("", "/", thread)
}
