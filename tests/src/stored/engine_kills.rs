//! Conversations on two servers while the server of their engine has faults.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agui_runtime::thread::{ThreadKey, ThreadLog};
use futures::future::join_all;
use serde_json::Value;
use tokio::time::timeout;

use super::nodes::{Client, LIMIT, Node, settled};
use super::point::Journal;
use super::{Conversation, ENDS, GOES_ON, Ledger, ask};

/// The number of conversations with each agent.
const CONVERSATIONS: usize = 3;

/// More than a conversation has: the judge reads all records from the log.
const KEEP: u64 = 1 << 40;

/// The counts of all conversations.
#[derive(Clone, Debug, Default)]
pub struct Outlived {
    pub runs: usize,
    pub answers: usize,
    /// The number of times that a client lost its answer and came back.
    pub returns: usize,
    pub lost: usize,
    pub went_on: usize,
    /// The events of each conversation.
    pub logs: Vec<Vec<Value>>,
}

impl fmt::Display for Outlived {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, answers, returns, lost, went_on, .. } = self;
        write!(
            f,
            "{runs} runs, {answers} answers, clients came back {returns} times, {lost} runs lost, {went_on} went on \
             elsewhere"
        )
    }
}

impl Client {
    /// Talks until the faults are over, and once more.
    async fn talk_until(&mut self, is_over: &AtomicBool) {
        let thread = self.key.thread().to_owned();
        for turn in 0.. {
            let is_last = is_over.load(Ordering::SeqCst);
            let run = format!("r{turn}");
            let seen = self.follow(&run, &ask::run(&thread, &run, "s t9 c5 t9 q")).await;
            if let Some(question) = seen.question() {
                self.answer(&format!("a{turn}"), &question).await;
            }
            self.nodes.swap(0, 1);
            if is_last {
                let last = seen.events().last().unwrap_or_default();
                assert!(last.contains("RUN_FINISHED"), "{:?} does not go on: {}", self.key, seen.text);
                return;
            }
        }
    }

    async fn judge_outlived(&self, log: &dyn ThreadLog, ledger: &Ledger) -> Outlived {
        settled(log, &self.key).await;
        let page = log.read(&self.key, 0, usize::MAX).await.unwrap();
        let whole = Conversation::read(&page.records).unwrap_or_else(|error| panic!("{error}"));
        whole.has_ended().unwrap();
        self.judge(&whole);
        if self.key.agent() == GOES_ON {
            whole.goes_on().unwrap();
        }
        let outlived = Outlived {
            runs: whole.runs.len(),
            answers: whole.consumed.len(),
            returns: self.returns,
            lost: whole.lost.len(),
            went_on: whole.runs.iter().map(|run| whole.restarts(run)).sum(),
            logs: vec![whole.to_json()],
        };
        ledger.of(self.key.thread()).judge(&[whole]);
        outlived
    }
}

/// Talks on two accesses to a store until the faults of its server are over, and judges what is left.
pub async fn talk_until(nodes: &[Arc<dyn ThreadLog>; 2], is_over: &AtomicBool) -> Outlived {
    let (journal, ledger) = (Arc::new(Journal::default()), Arc::new(Ledger::default()));
    let servers = Node::start_two(nodes, &journal, &ledger, KEEP);
    let keys = [ENDS, GOES_ON].into_iter().flat_map(|agent| {
        (0..CONVERSATIONS).map(move |number| ThreadKey::new("", agent, format!("{number} of {agent}")))
    });
    let talks = keys.map(|key| {
        let mut client = Client::new(key, servers.clone(), usize::MAX);
        async move {
            client.talk_until(is_over).await;
            client
        }
    });
    let clients = timeout(LIMIT, join_all(talks)).await.expect("a conversation hangs");
    let mut all = Outlived::default();
    for client in clients {
        let one = client.judge_outlived(&*nodes[0], &ledger).await;
        all.runs += one.runs;
        all.answers += one.answers;
        all.returns += one.returns;
        all.lost += one.lost;
        all.went_on += one.went_on;
        all.logs.extend(one.logs);
    }
    all
}
