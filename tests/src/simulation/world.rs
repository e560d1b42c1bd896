//! A schedule: servers, clients, and their faults.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::{ThreadCursor, ThreadLog};
use http::StatusCode;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use super::LEASE;
use super::client::{Asked, Client, RequestKind};
use super::faults::{Counts, Faults};
use super::judge;
use super::link::Process;
use super::node::{Node, Place};
use super::policies::Policies;
use super::random::Random;
use super::store::Store;
use crate::stored::{Conversation, Ledger, ask};

const NODES: usize = 3;

/// A request for a run, to send it again.
#[derive(Clone)]
struct Sent {
    place: Place,
    run: String,
    input: Value,
}

/// One schedule.
pub(super) struct World {
    store: Arc<Store>,
    ledger: Arc<Ledger>,
    nodes: Vec<Node>,
    clients: Vec<Client>,
    sent: Vec<Sent>,
    runs: u64,
    /// The longest time between two steps, in milliseconds.
    pause: u64,
    /// The time after which the schedule looks again if all runs have ended, in milliseconds.
    look: u64,
}

impl World {
    /// Runs the schedule of a seed, in memory and virtual time.
    pub(super) async fn live(seed: u64) -> (Counts, Vec<Conversation>) {
        Self::live_on(seed, None).await
    }

    /// Runs the schedule of a seed, if there is an engine in real time.
    pub(super) async fn live_on(
        seed: u64,
        engine: Option<Arc<dyn ThreadLog>>,
    ) -> (Counts, Vec<Conversation>) {
        let random = Random::new(seed);
        let mut faults = Faults::draw(&random);
        let policies = Policies::draw(&random);
        let (mut pause, mut look) = (350, LEASE.as_millis() as u64);
        if engine.is_some() {
            (faults, pause, look) = (faults.of_an_engine(), 100, 100);
        }
        let store = Arc::new(Store::new(random, faults, policies, engine));
        let ledger = Arc::new(Ledger::default());
        let nodes = (0..NODES).map(|_| Node::start(&store, &ledger, policies.options())).collect();
        let mut world =
            Self { store, ledger, nodes, clients: Vec::new(), sent: Vec::new(), runs: 0, pause, look };
        for _ in 0..16 {
            world.step();
            world.store.assert_no_failure();
            sleep(Duration::from_millis(world.below(world.pause))).await;
        }
        world.settle().await;
        world.answer_what_is_open().await;
        world.read_again().await;
        world.shorten().await;
        world.judge().await
    }

    fn below(&self, end: u64) -> u64 {
        self.store.random.below(end)
    }

    fn is_one_in(&self, count: u64) -> bool {
        self.store.random.one_in(count)
    }

    fn node(&self) -> Node {
        self.nodes[self.below(self.nodes.len() as u64) as usize].clone()
    }

    fn place(&self) -> Place {
        self.store.random.one_of(&[Place::ALL[0], Place::ALL[0], Place::ALL[1], Place::ALL[2], Place::ALL[2]])
    }

    fn step(&mut self) {
        match self.below(29) {
            0..=5 => self.say(),
            6 | 7 => self.answer(),
            8 => self.ask_again(),
            9 | 10 => self.connect(),
            11..=14 => self.come_back(),
            15 => self.leave(),
            16 => self.stop(),
            17 => self.delete(),
            18 | 19 => self.freeze(),
            20 | 21 => self.restart(),
            22 => self.cut_off(),
            23 => self.jump(),
            24 => self.reuse(),
            25..=27 => self.change(),
            _ => self.follow(),
        }
    }

    fn send(&mut self, asked: Asked) {
        let node = self.node();
        self.clients.push(Client::send(&self.store, node, asked));
    }

    /// Sends the input of a run.
    fn post(&mut self, kind: RequestKind, place: Place, input: &Value) {
        let request = ask::post(place.agent, input, None);
        let legacy = input.get("protocolVersion").is_none().then(|| input.clone());
        self.send(Asked { kind, place, request, before: None, has_prelude: false, legacy });
    }

    fn run_id(&mut self) -> String {
        self.runs += 1;
        self.store.counts.add("runs that were asked for");
        format!("r{}", self.runs)
    }

    fn say(&mut self) {
        let words =
            ["t3", "t8", "w300", "w900", "c20", "c150", "s", "q", "x", "w2500", "p90", "c900", "c400"];
        let text: Vec<_> = (0..=self.below(4)).map(|_| self.store.random.one_of(&words)).collect();
        let (run, place) = (self.run_id(), self.place());
        let mut input = ask::run(place.thread, &run, &text.join(" "));
        let mut kind = RequestKind::Run;
        if self.is_one_in(10)
            && let Some(earlier) = self.sent.iter().rev().find(|sent| sent.place == place)
        {
            input["parentRunId"] = earlier.run.clone().into();
            kind = RequestKind::Branch;
        }
        if self.is_one_in(4) {
            input = ask::legacy(input);
        }
        self.sent.push(Sent { place, run, input: input.clone() });
        self.post(kind, place, &input);
        if self.is_one_in(6) {
            // The same request on another server at once.
            self.post(RequestKind::Again, place, &input);
        }
    }

    /// Returns the client that saw a question last, and the question.
    fn question(&self) -> Option<(&Client, String)> {
        self.clients.iter().rev().find_map(|client| Some((client, client.seen().question()?)))
    }

    /// Answers a question that a client saw, on two servers at once.
    fn answer(&mut self) {
        let Some((client, question)) = self.question() else { return };
        let place = client.place;
        for _ in 0..=self.below(2) {
            let run = self.run_id();
            let input = ask::answer(place.thread, &run, &question);
            self.sent.push(Sent { place, run, input: input.clone() });
            self.post(RequestKind::Answer, place, &input);
        }
    }

    /// Answers a question under the id of the run that asked, also with the cursor of that run.
    fn reuse(&mut self) {
        let Some((client, question)) = self.question() else { return };
        let (place, before) = (client.place, client.seen_in_all().cut(usize::MAX));
        let legacy = client.legacy.clone();
        let Some(cursor) = before.last_id().map(str::to_owned) else { return };
        let mut input = ask::answer(place.thread, &run_of(&cursor), &question);
        if legacy.is_some() {
            input = ask::legacy(input);
        }
        self.store.counts.add("answers under the id of the run that asked");
        if self.is_one_in(2) {
            return self.post(RequestKind::Reused, place, &input);
        }
        let request = ask::post(place.agent, &input, Some(&cursor));
        let has_prelude = false;
        self.send(Asked {
            kind: RequestKind::Reused,
            place,
            request,
            before: Some(before),
            has_prelude,
            legacy,
        });
    }

    /// Sends an earlier request again, or another one under its id.
    fn ask_again(&mut self) {
        if self.sent.is_empty() {
            return;
        }
        let sent = self.sent[self.below(self.sent.len() as u64) as usize].clone();
        if self.is_one_in(3) {
            self.store.counts.add(judge::OTHERWISE);
            let other = ask::run(sent.place.thread, &sent.run, "something else");
            return self.post(RequestKind::Otherwise, sent.place, &other);
        }
        self.store.counts.add("requests that were sent again");
        let kind = if sent.input.get("resume").is_some() { RequestKind::Answer } else { RequestKind::Again };
        self.post(kind, sent.place, &sent.input);
    }

    fn connect(&mut self) {
        let place = self.place();
        let mut input = ask::connect(place.thread);
        let is_legacy = self.is_one_in(4);
        if is_legacy {
            input = ask::legacy(input);
        }
        let request = ask::post(&place.path("/connect"), &input, None);
        let legacy = is_legacy.then_some(Value::Null);
        self.send(Asked {
            kind: RequestKind::Connect,
            place,
            request,
            before: None,
            has_prelude: true,
            legacy,
        });
    }

    fn follow(&mut self) {
        let place = self.place();
        let request =
            ask::bare("GET", &place.path(&format!("/threads/{}/events?protocolVersion=1.0", place.thread)));
        self.bare(RequestKind::Follow, place, request);
    }

    fn bare(&mut self, kind: RequestKind, place: Place, request: http::Request<axum::body::Body>) {
        self.send(Asked { kind, place, request, before: None, has_prelude: true, legacy: None });
    }

    /// Loses the connection of a client anywhere in what it received, and comes back with the last id before.
    fn come_back(&mut self) {
        if self.clients.is_empty() {
            return;
        }
        let client = &self.clients[self.below(self.clients.len() as u64) as usize];
        let (place, legacy, seen) = (client.place, client.legacy.clone(), client.seen_in_all());
        let at = match self.below(4) {
            0 => usize::MAX,
            _ => self.below(seen.text.len() as u64 + 1) as usize,
        };
        let before = seen.cut(at);
        let Some(cursor) = before.last_id() else { return };
        let marked = |input| if legacy.is_some() { ask::legacy(input) } else { input };
        let request = match self.below(3) {
            // Legacy clients do not know the route.
            0 if legacy.is_none() => ask::follow(
                &place.path(&format!("/threads/{}/events?protocolVersion=1.0", place.thread)),
                cursor,
            ),
            1 => {
                // Whatever else it says: the run is there.
                let input = marked(ask::run(place.thread, &run_of(cursor), "something else"));
                ask::post(place.agent, &input, Some(cursor))
            }
            _ => ask::post(&place.path("/connect"), &marked(ask::connect(place.thread)), Some(cursor)),
        };
        let kind =
            if request.method() == http::Method::GET { RequestKind::Follow } else { RequestKind::Rest };
        self.store.counts.add("clients that came back");
        self.send(Asked { kind, place, request, before: Some(before), has_prelude: false, legacy });
    }

    fn leave(&mut self) {
        if !self.clients.is_empty() {
            let client = &self.clients[self.below(self.clients.len() as u64) as usize];
            client.task.abort();
            self.store.counts.add("clients that left");
        }
    }

    fn stop(&mut self) {
        let place = self.place();
        let request = ask::bare("POST", &place.path(&format!("/stop/{}", place.thread)));
        self.bare(RequestKind::Stop, place, request);
    }

    fn delete(&mut self) {
        if self.store.faults.delete {
            let place = self.place();
            let request = ask::bare("DELETE", &place.path(&format!("/threads/{}", place.thread)));
            self.bare(RequestKind::Delete, place, request);
        }
    }

    /// Adds a member to the metadata of a thread.
    fn change(&mut self) {
        let place = self.place();
        let fact = format!("c{}", self.clients.len());
        let path = place.path(&format!("/threads/{}", place.thread));
        let change = json!({ "metadata": { &fact: true } });
        let mut request = ask::post(&path, &change, None);
        *request.method_mut() = http::Method::PATCH;
        self.bare(RequestKind::Change, place, request);
        self.clients.last_mut().unwrap().fact = Some(fact);
        self.store.counts.add("changes");
    }

    /// Returns the number of a server, most often of one with a run.
    fn busy_node(&self) -> usize {
        let drawn = self.below(NODES as u64) as usize;
        let busy = self.nodes.iter().position(|node| node.running() > 0);
        busy.filter(|_| !self.is_one_in(4)).unwrap_or(drawn)
    }

    fn freeze(&mut self) {
        if self.store.faults.freeze {
            let node = self.nodes[self.busy_node()].clone();
            let process = if node.health.is(Process::Runs) { Process::Frozen } else { Process::Runs };
            node.health.set(process);
            self.store.counts.add("servers that stood still or went on");
        }
    }

    fn restart(&mut self) {
        if self.store.faults.restart {
            let at = self.busy_node();
            self.nodes[at].kill();
            self.nodes[at] = Node::start(&self.store, &self.ledger, self.store.policies.options());
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
            sleep(Duration::from_millis(self.look)).await;
            self.store.assert_no_failure();
            if self.is_settled().await {
                return;
            }
        }
        let open: Vec<_> =
            self.open_clients().map(|client| (client.kind, client.status(), client.seen())).collect();
        let mut heads = Vec::new();
        for place in Place::ALL {
            let head = self.store.log.head(&place.key()).await.unwrap();
            heads.push((place, head.at, head.lease, String::from_utf8_lossy(&head.note).into_owned()));
        }
        let running: Vec<_> = self.nodes.iter().map(Node::running).collect();
        panic!("a run never ends: clients {open:?}, servers {running:?}, threads {heads:?}");
    }

    async fn is_settled(&self) -> bool {
        for place in Place::ALL {
            if self.store.log.head(&place.key()).await.unwrap().lease.is_some() {
                return false;
            }
        }
        // A run whose thread is gone ends too, and so does each client that is no follower.
        self.nodes.iter().all(|node| node.running() == 0) && self.open_clients().next().is_none()
    }

    fn open_clients(&self) -> impl Iterator<Item = &Client> {
        self.clients.iter().filter(|client| {
            client.kind != RequestKind::Follow
                && !client.task.is_finished()
                && client.node.health.is(Process::Runs)
        })
    }

    /// Sends the input of a run to a server that is well, and reads its answer to the end.
    async fn whole(&mut self, kind: RequestKind, place: Place, input: &Value) -> &Client {
        self.post(kind, place, input);
        let client = self.clients.last_mut().unwrap();
        let ended = timeout(LEASE * 4, &mut client.task).await.expect("an answer hangs");
        ended.unwrap();
        client.is_read = true;
        self.clients.last().unwrap()
    }

    /// Returns true if a thread has records.
    async fn exists(&self, place: Place) -> bool {
        self.store.log.head(&place.key()).await.unwrap().at.seq > 0
    }

    /// Answers the questions that are open: none was lost.
    async fn answer_what_is_open(&mut self) {
        // A node that stands still would answer nothing.
        let alive: Vec<_> = self.nodes.iter().filter(|node| node.health.is(Process::Runs)).cloned().collect();
        self.nodes = alive;
        for place in Place::ALL {
            let Some(past) = self.store.pasts(&place.key()).pop().filter(|past| !past.is_deleted) else {
                continue;
            };
            let conversation = Conversation::read(&past.records).unwrap();
            let Some(question) = conversation.asked.first() else { continue };
            let run = self.run_id();
            let client =
                self.whole(RequestKind::Run, place, &ask::answer(place.thread, &run, question)).await;
            assert_eq!(client.status(), Some(StatusCode::OK));
            assert!(client.seen().has_end(), "{}", client.seen().text);
            let seen = client.seen().text;
            assert!(self.ledger.has_answer_to(question), "{question} was lost:\n{seen}");
            self.store.counts.add("questions that were open at the end");
        }
    }

    /// Reads the runs that legacy clients began again, in one piece.
    async fn read_again(&mut self) {
        // A run of a thread that was deleted would begin again.
        if self.store.faults.delete {
            return;
        }
        for at in 0..self.clients.len() {
            let client = &self.clients[at];
            let is_there = !client.seen().text.is_empty();
            let Some(input) = client.legacy.clone().filter(|input| is_there && input.is_object()) else {
                continue;
            };
            let place = client.place;
            let uncut = self.whole(RequestKind::Again, place, &input).await;
            if uncut.status() == Some(StatusCode::OK) {
                let uncut = uncut.seen();
                judge::judge_older(&self.store, &self.clients[at], &uncut);
            }
        }
    }

    /// Has one more run on each thread, after which it is as short as the policies say.
    async fn shorten(&mut self) {
        if !self.store.policies.trim() {
            return;
        }
        for place in Place::ALL {
            if self.exists(place).await {
                let run = self.run_id();
                let client = self.whole(RequestKind::Run, place, &ask::run(place.thread, &run, "t1")).await;
                assert_eq!(client.status(), Some(StatusCode::OK));
                let mut looks = 0;
                while let Err(error) = judge::judge_retention(&self.store, place).await {
                    looks += 1;
                    assert!(looks < 100, "{error}");
                    sleep(Duration::from_millis(20)).await;
                }
            }
        }
    }

    async fn judge(self) -> (Counts, Vec<Conversation>) {
        let Self { store, clients, ledger, .. } = self;
        let mut ended: Vec<Client> = Vec::new();
        for mut client in clients {
            if !client.task.is_finished() {
                client.task.abort();
            } else if !client.is_read
                && let Err(error) = (&mut client.task).await
                && error.is_panic()
            {
                std::panic::resume_unwind(error.into_panic());
            }
            ended.push(client);
        }
        let mut conversations = Vec::new();
        for place in Place::ALL {
            let (of_place, others): (Vec<_>, Vec<_>) =
                ended.into_iter().partition(|client| client.place == place);
            conversations.extend(judge::judge(&store, place, &of_place).await);
            ended = others;
        }
        judge::judge_effects(&store, &ledger, &conversations);
        store.assert_no_failure();
        store.counts.add("schedules");
        store.counts.add_many("effects of tools", ledger.effects.lock().unwrap().len() as u64);
        (store.counts.take(), conversations)
    }
}

/// Returns the run of a cursor.
fn run_of(cursor: &str) -> String {
    cursor.parse::<ThreadCursor>().unwrap().run().to_string()
}
