//! Two processes on one store. At one of its writes the first is killed, or stopped until the second has taken its run over. The
//! second ends the run. A process that was stopped then goes on with its write.

use std::fmt;
use std::path::Path;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::thread::{ThreadKey, ThreadLog};
use futures::future::{Either, join_all, select};
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::nodes::LIMIT;
use super::process::{Fault, Process, SAYS, go_on, judge, orders};
use super::{GOES_ON, Seen, ask};
use crate::folder::Folder;

/// The number of writes whose processes have a fault at once.
const AT_ONCE: usize = 4;

/// The counts of all conversations on one engine.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    pub killed: usize,
    pub stopped: usize,
    /// The number of times that a run went on at another process.
    pub went_on: usize,
    pub ran_again: usize,
    /// The events of each conversation.
    pub logs: Vec<Vec<Value>>,
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { killed, stopped, went_on, ran_again, .. } = self;
        write!(
            f,
            "of two processes one was killed at {killed} writes and stopped at {stopped}, {went_on} runs went on at the other, \
             {ran_again} calls ran again"
        )
    }
}

struct Pair {
    thread: String,
    log: Arc<dyn ThreadLog>,
    first: Process,
    second: Process,
    /// The events that each client saw.
    seen: Vec<Seen>,
    stopped: usize,
}

impl Pair {
    /// Starts a run at the first process, and follows it to its end, at the second if need be.
    async fn follow(&mut self, input: &Value) -> Seen {
        let (shared, mut reading) = self.read_first(input);
        while !self.first.has_ended() && !self.first.is_stopped() && !reading.is_finished() {
            sleep(Duration::from_millis(5)).await;
        }
        let is_stopped = self.first.is_stopped();
        if !is_stopped {
            // The last bytes of a dead process still arrive.
            (&mut reading).await.unwrap();
        }
        let before = shared.lock().unwrap().clone();
        if before.has_end() {
            self.seen.push(before.clone());
            return before;
        }
        let whole = if is_stopped {
            let whole = self.go_on_without_first(input, before).await;
            self.stopped += 1;
            // The client of the process that was stopped has kept its connection.
            timeout(LIMIT, reading)
                .await
                .expect("the stream of a process that was stopped has no end")
                .unwrap();
            self.seen.push(shared.lock().unwrap().clone());
            whole
        } else {
            self.go_on(input, before).await
        };
        self.seen.push(whole.clone());
        whole
    }

    /// Sends a request to the first process, and reads its answer in a task.
    fn read_first(&self, input: &Value) -> (Arc<Mutex<Seen>>, JoinHandle<()>) {
        let seen = Arc::new(Mutex::new(Seen::default()));
        let (shared, thread, input, address) =
            (Arc::clone(&seen), self.thread.clone(), input.clone(), self.first.address);
        let reading = tokio::spawn(async move {
            let add = |text: &str| shared.lock().unwrap().text.push_str(text);
            go_on(address, &thread, &input, &Seen::default(), add).await;
        });
        (seen, reading)
    }

    /// Follows a run at the second process.
    async fn go_on(&self, input: &Value, mut session: Seen) -> Seen {
        loop {
            let mut seen = Seen::default();
            let add = |text: &str| seen.text.push_str(text);
            go_on(self.second.address, &self.thread, input, &session, add).await;
            session = session.and(&seen);
            if session.has_end() {
                return session;
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Follows a run at the second process. The first goes on as soon as the second has the run, or has shown its end.
    async fn go_on_without_first(&self, input: &Value, session: Seen) -> Seen {
        let (go_on, is_taken) = (pin!(self.go_on(input, session)), pin!(self.run_is_taken_over()));
        match select(go_on, is_taken).await {
            Either::Left((whole, _)) => {
                self.first.resume();
                whole
            }
            Either::Right(((), go_on)) => {
                self.first.resume();
                go_on.await
            }
        }
    }

    async fn run_is_taken_over(&self) {
        let key = ThreadKey::new("", GOES_ON, &*self.thread);
        let owner = self.log.head(&key).await.unwrap().at.epoch;
        while self.log.head(&key).await.unwrap().at.epoch == owner {
            sleep(Duration::from_millis(5)).await;
        }
    }

    async fn talk(&mut self) {
        let thread = self.thread.clone();
        let asked = self.follow(&ask::run(&thread, "r1", SAYS)).await;
        let question = asked.question().unwrap_or_else(|| panic!("no question: {}", asked.text));
        self.follow(&ask::answer(&thread, "r2", &question)).await;
        // A process that was stopped works as before.
        self.follow(&ask::run(&thread, "r3", "t1")).await;
    }
}

async fn converse(test: &str, store: &str, log: Arc<dyn ThreadLog>, effects: &Path, fault: Fault) -> Pairs {
    let thread = format!("{fault:?}");
    let start = |fault| Process::start(test, &orders(store, &thread, effects, fault));
    let (first, second) = (start(Some(fault)), start(None));
    let log_of = Arc::clone(&log);
    let mut pair = Pair { thread: thread.clone(), log: log_of, first, second, seen: Vec::new(), stopped: 0 };
    timeout(LIMIT, pair.talk()).await.unwrap_or_else(|_| panic!("{fault:?} hangs"));
    let (whole, ran_again) = judge(&*log, &thread, effects, &pair.seen).await;
    Pairs {
        killed: usize::from(pair.first.has_ended()),
        stopped: pair.stopped,
        went_on: ["r1", "r2", "r3"].iter().map(|run| whole.restarts(run)).sum(),
        ran_again,
        logs: vec![whole.to_json()],
    }
}

/// Holds a conversation for each of its writes: one process of two is killed before the write, killed after it, stopped before it,
/// and stopped after it.
pub fn one_of_two_at_every_write(
    test: &str,
    stores: impl Iterator<Item = String>,
    open: impl Fn(&str) -> Arc<dyn ThreadLog>,
) -> Pairs {
    let runtime = Runtime::new().unwrap();
    let mut stores = stores;
    let folder = Folder::new("pairs");
    let effects = folder.0.join("effects");
    let (mut all, mut write) = (Pairs::default(), 0);
    // The writes after the last one have no fault.
    loop {
        let faults = (write..write + AT_ONCE).flat_map(|write| {
            let signals = [("KILL", false), ("KILL", true), ("STOP", false), ("STOP", true)];
            signals.map(|(signal, is_after)| Fault { write, is_after, signal })
        });
        let cases = faults.map(|fault| {
            let store = stores.next().unwrap();
            let log = open(&store);
            let effects = &effects;
            async move { converse(test, &store, log, effects, fault).await }
        });
        let cases: Vec<_> = cases.collect();
        let judged = runtime.block_on(join_all(cases));
        let is_last = judged.iter().rev().take(4).all(|pair| pair.killed + pair.stopped == 0);
        for pair in judged {
            all.killed += pair.killed;
            all.stopped += pair.stopped;
            all.went_on += pair.went_on;
            all.ran_again += pair.ran_again;
            all.logs.extend(pair.logs);
        }
        if is_last {
            break;
        }
        write += AT_ONCE;
    }
    assert!(all.killed >= 12 && all.stopped >= 12 && all.went_on >= 12, "{all}");
    all
}
