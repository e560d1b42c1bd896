//! A conversation with a fault at each place where a record is written, on any engine, and a second server that takes
//! over.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::thread::{ThreadKey, ThreadLog};
use futures::future::join_all;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::nodes::{Client, LIMIT, Node, settled};
use super::point::{Fault, Journal, Point};
use super::{Conversation, ENDS, GOES_ON, Ledger, ask};

/// The records of a thread that are kept, so that some are trimmed.
const KEEP: u64 = 4;

impl Client {
    async fn talk(&mut self) {
        let thread = self.key.thread().to_owned();
        let asked = self.follow("r1", &ask::run(&thread, "r1", "s t2 c5 q")).await;
        if let Some(question) = asked.question() {
            self.answer("r2", &question).await;
        }
        // The thread goes on, on the server that has had no fault.
        self.nodes.swap(0, 1);
        let last = self.follow("r3", &ask::run(&thread, "r3", "t1")).await;
        assert!(last.events().last().is_some_and(|event| event.contains("RUN_FINISHED")), "{}", last.text);
    }

    async fn judge_point(&self, log: &dyn ThreadLog, journal: &Journal, ledger: &Ledger) -> Judged {
        settled(log, &self.key).await;
        // The journal learns of a record a moment after the clients that read the store.
        let end = log.head(&self.key).await.unwrap().at.seq;
        let known = async {
            while journal.records(&self.key).last().is_none_or(|(seq, _)| *seq < end) {
                sleep(Duration::from_millis(5)).await;
            }
        };
        timeout(LIMIT, known).await.expect("the journal has every record");
        let whole = Conversation::read(&journal.records(&self.key)).unwrap_or_else(|error| panic!("{error}"));
        whole.has_ended().unwrap();
        self.judge(&whole);
        let page = log.read(&self.key, 0, usize::MAX).await.unwrap();
        let kept = Conversation::read(&page.records).unwrap();
        assert_eq!((kept.whole(), &kept.asked), (whole.whole(), &whole.asked), "a trim changed the thread");
        if self.key.agent() == GOES_ON {
            whole.goes_on().unwrap();
            assert_eq!(whole.succeeded.len(), 3, "{:?}: {:?}", self.key, whole.runs);
        }
        let went_on = ["r1", "r2", "r3"].iter().map(|run| whole.restarts(run)).sum();
        let (lost, log) = (whole.lost.len(), whole.to_json());
        Judged { lost, went_on, ran_again: ledger.of(self.key.thread()).judge(&[whole]), log }
    }
}

/// The facts of one conversation.
struct Judged {
    /// The number of runs that were lost, and of those that went on elsewhere.
    lost: usize,
    went_on: usize,
    ran_again: usize,
    /// All events of its log.
    log: Vec<Value>,
}

/// The counts of all conversations on one engine.
#[derive(Clone, Debug, Default)]
pub struct Points {
    pub writes: usize,
    pub conversations: usize,
    pub lost: usize,
    pub went_on: usize,
    pub ran_again: usize,
    /// The events of each conversation.
    pub logs: Vec<Vec<Value>>,
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { writes, conversations, lost, went_on, ran_again, .. } = self;
        write!(
            f,
            "{writes} writes, {conversations} conversations with a fault at one, {lost} runs lost, {went_on} went on \
             elsewhere, {ran_again} calls ran again"
        )
    }
}

/// Holds a conversation with both agents for each write and each fault, all at once. `nodes` are two accesses to one store.
pub async fn every_fault_at_every_write(nodes: [Arc<dyn ThreadLog>; 2]) -> Points {
    // Shared: servers end and continue the lost runs of each other.
    let (journal, ledger) = (Arc::new(Journal::default()), Arc::new(Ledger::default()));
    let mut points = Points::default();
    for agent in [ENDS, GOES_ON] {
        let converse = |thread, fault| {
            let key = ThreadKey::new("", agent, format!("{thread} of {agent}"));
            converse(&nodes, &journal, &ledger, key, fault)
        };
        let writes = converse("undisturbed".to_owned(), None).await.0;
        assert!(writes >= 5, "only {writes} writes");
        let faults = (0..writes).flat_map(|at| Fault::ALL.map(|fault| (at, fault)));
        let cases = faults.map(|(at, fault)| converse(format!("{fault:?} at write {at}"), Some((at, fault))));
        let cases = join_all(cases).await;
        points.writes += writes;
        points.conversations += cases.len();
        for (_, judged) in cases {
            points.lost += judged.lost;
            points.went_on += judged.went_on;
            points.ran_again += judged.ran_again;
            points.logs.push(judged.log);
        }
    }
    assert!(points.lost > 0 && points.went_on > 0 && points.ran_again > 0, "{points}");
    points
}

/// Holds one conversation. Returns the number of writes of its first server, and what its judge counts.
async fn converse(
    logs: &[Arc<dyn ThreadLog>; 2],
    journal: &Arc<Journal>,
    ledger: &Arc<Ledger>,
    key: ThreadKey,
    fault: Option<(usize, Fault)>,
) -> (usize, Judged) {
    let first = Node::start(&logs[0], Point::new(&key, fault, journal), ledger, KEEP);
    let second = Node::start(&logs[1], Point::new(&ThreadKey::new("", "", ""), None, journal), ledger, KEEP);
    let point = Arc::clone(&first.point);
    let cut = fault.map_or(usize::MAX, |(at, fault)| 1 + (at + fault as usize) % 7);
    let mut case = Client::new(key, [first, second], cut);
    let talked = timeout(LIMIT, case.talk()).await;
    assert!(talked.is_ok(), "{:?} hangs: {:?}", case.key, case.seen);
    let judged = case.judge_point(&*logs[1], journal, ledger).await;
    if fault.is_none_or(|(_, fault)| matches!(fault, Fault::AnswerLost | Fault::Late | Fault::Away)) {
        assert_eq!(
            (judged.lost, judged.went_on),
            (0, 0),
            "{:?}: a run was lost whose server was well",
            case.key
        );
    }
    (point.writes.load(Ordering::SeqCst), judged)
}
