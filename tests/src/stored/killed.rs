//! A process that is killed with SIGKILL at each of its writes, and started again.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::ThreadLog;
use futures::future::join_all;
use serde_json::Value;
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

use super::nodes::LIMIT;
use super::process::{Fault, Process, SAYS, go_on, judge, orders};
use super::{Seen, ask};
use crate::folder::Folder;

/// The number of writes whose processes are killed at once.
const AT_ONCE: usize = 8;

/// The counts of all conversations on one engine.
#[derive(Clone, Debug, Default)]
pub struct Kills {
    pub kills: usize,
    pub ran_again: usize,
    /// The events of each conversation.
    pub logs: Vec<Vec<Value>>,
}

impl fmt::Display for Kills {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} kills at as many writes, {} calls ran again", self.kills, self.ran_again)
    }
}

/// One conversation with a process that is killed.
struct Case<'c> {
    test: &'c str,
    store: String,
    thread: String,
    effects: PathBuf,
    process: Process,
    kills: usize,
}

impl Case<'_> {
    /// Starts the process again once it has ended.
    fn revive(&mut self) {
        if self.process.has_ended() {
            self.kills += 1;
            self.process = Process::start(self.test, &orders(&self.store, &self.thread, &self.effects, None));
        }
    }

    /// Starts a run, and follows it to its end over all processes.
    async fn follow(&mut self, input: &Value) -> Seen {
        let mut session = Seen::default();
        loop {
            let mut seen = Seen::default();
            go_on(self.process.address, &self.thread, input, &session, |text| seen.text.push_str(text)).await;
            session = session.and(&seen);
            if session.has_end() {
                return session;
            }
            sleep(Duration::from_millis(20)).await;
            self.revive();
        }
    }

    /// Talks, and returns what the client saw.
    async fn talk(&mut self) -> Vec<Seen> {
        let thread = self.thread.clone();
        let asked = self.follow(&ask::run(&thread, "r1", SAYS)).await;
        let question = asked.question().unwrap_or_else(|| panic!("no question: {}", asked.text));
        let answered = self.follow(&ask::answer(&thread, "r2", &question)).await;
        vec![asked, answered, self.follow(&ask::run(&thread, "r3", "t1")).await]
    }
}

/// Holds a conversation with a process that is killed at a write.
async fn converse(test: &str, store: String, log: Arc<dyn ThreadLog>, effects: &Path, fault: Fault) -> Kills {
    let thread = format!("{fault:?}");
    let process = Process::start(test, &orders(&store, &thread, effects, Some(fault)));
    let mut case = Case { test, store, thread, effects: effects.to_owned(), process, kills: 0 };
    let seen = timeout(LIMIT, case.talk()).await.unwrap_or_else(|_| panic!("{fault:?} hangs"));
    let (whole, ran_again) = judge(&*log, &case.thread, effects, &seen).await;
    Kills { kills: case.kills, ran_again, logs: vec![whole.to_json()] }
}

/// Kills a process at each write of a conversation, before the store has it and after.
pub fn kill_at_every_write(
    test: &str,
    stores: impl Iterator<Item = String>,
    open: impl Fn(&str) -> Arc<dyn ThreadLog>,
) -> Kills {
    let runtime = Runtime::new().unwrap();
    let mut stores = stores;
    // Shared: processes with one store go on with the runs of each other.
    let folder = Folder::new("effects");
    let effects = folder.0.join("effects");
    let (mut all, mut write) = (Kills::default(), 0);
    // The writes after the last one kill nothing.
    loop {
        let faults = (write..write + AT_ONCE).flat_map(|write| [(write, false), (write, true)]);
        let cases = faults.map(|(write, is_after)| {
            let store = stores.next().unwrap();
            let log = open(&store);
            converse(test, store, log, &effects, Fault { write, is_after, signal: "KILL" })
        });
        let cases: Vec<_> = cases.collect();
        let judged = runtime.block_on(join_all(cases));
        let is_last = judged.iter().rev().take(2).all(|judged| judged.kills == 0);
        for judged in judged {
            all.kills += judged.kills;
            all.ran_again += judged.ran_again;
            all.logs.extend(judged.logs);
        }
        if is_last {
            break;
        }
        write += AT_ONCE;
    }
    assert!(all.kills >= 12 && all.ran_again > 0, "{all}");
    all
}
