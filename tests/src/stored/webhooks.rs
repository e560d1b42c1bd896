//! Webhooks of a store with two servers, of which one is lost, or both of which could send.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use agui_runtime::protocol::Event;
use agui_runtime::thread::{ThreadKey, ThreadLog};
use futures::future::join_all;
use tokio::time::{sleep, timeout};

use super::nodes::{LEASE, LIMIT, Node, settled};
use super::point::{Fault, Journal, Point, is_webhook};
use super::{ENDS, GOES_ON, Ledger, Seen, ask};
use crate::webhooks::{Received, Receiver, webhooks_to};

/// The records of a thread that are kept: all.
const KEEP: u64 = 1000;

/// The servers of one store.
struct Senders<'l> {
    logs: &'l [Arc<dyn ThreadLog>; 2],
    receiver: Receiver,
    address: SocketAddr,
    journal: Arc<Journal>,
    ledger: Arc<Ledger>,
}

impl<'l> Senders<'l> {
    async fn new(logs: &'l [Arc<dyn ThreadLog>; 2], receiver: Receiver) -> Self {
        let address = receiver.open(&[]).await;
        Self { logs, receiver, address, journal: Arc::default(), ledger: Arc::default() }
    }

    /// Starts a server that sends the ends of its runs.
    fn start(&self, log: usize, point: Arc<Point>) -> Node {
        let webhooks = webhooks_to(format!("http://{}/ended", self.address))
            .timeout(Duration::from_secs(1))
            .pauses(Duration::from_millis(20), Duration::from_millis(100));
        Node::start_with(&self.logs[log], point, &self.ledger, KEEP, |server| server.webhooks(webhooks))
    }

    fn start_well(&self, log: usize) -> Node {
        self.start(log, Point::new(&ThreadKey::new("", "", ""), None, &self.journal))
    }

    /// Returns the messages about a thread, which are one message if there are any.
    fn received(&self, thread: &str) -> Vec<Received> {
        let mut received = self.receiver.received();
        received.retain(|received| received.message.data.thread_id.as_str() == thread);
        // A server that stood still while another one sent the end may send it later, with another time.
        let is_same = |again: &Received| {
            (&again.id, &again.message.data) == (&received[0].id, &received[0].message.data)
        };
        assert!(received.iter().all(is_same), "{received:#?}");
        received
    }

    /// Waits until nothing waits in the store.
    async fn nothing_waits(&self) {
        let waits = async {
            loop {
                let waiting = self.logs[1].list("", "", None, 1000).await.unwrap();
                if !waiting.iter().any(|listed| is_webhook(&ThreadKey::new("", "", listed.thread.as_str()))) {
                    break;
                }
                sleep(Duration::from_millis(50)).await;
            }
        };
        timeout(LIMIT, waits).await.expect("a webhook waits for ever");
    }

    /// Starts a run at a server that has a fault at one of its writes. Returns the thread, and the number of writes.
    async fn run(&self, agent: &str, fault: Option<(usize, Fault)>) -> (ThreadKey, usize) {
        let name = fault.map_or("undisturbed".to_owned(), |(at, fault)| format!("{fault:?} at write {at}"));
        let key = ThreadKey::new("", agent, format!("{name} of {agent}"));
        let point = Point::with_webhook(&key, fault, &self.journal);
        let node = self.start(0, Arc::clone(&point));
        let input = ask::run(key.thread(), "r1", "t2");
        let read = async {
            node.read(ask::post(agent, &input, None), &mut Seen::default(), usize::MAX).await;
        };
        timeout(LIMIT, read).await.unwrap_or_else(|_| panic!("{key:?} hangs"));
        settled(&*self.logs[1], &key).await;
        if fault.is_none() {
            // Its last writes are about the message.
            let sent = async {
                while self.received(key.thread()).is_empty() {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            timeout(LIMIT, sent).await.unwrap_or_else(|_| panic!("the end of {key:?} is not sent"));
            self.nothing_waits().await;
        }
        (key, point.writes.load(Ordering::SeqCst))
    }

    /// Checks that the end of a run was sent if it began, and not otherwise. Returns the number of times.
    async fn judge(&self, key: &ThreadKey) -> usize {
        let received = self.received(key.thread());
        let page = self.logs[1].read(key, 0, usize::MAX).await.unwrap();
        let last = page.records.last().map(|(_, record)| serde_json::from_slice::<Event>(record).unwrap());
        let sent = received.first().map(|received| received.message.data.event.clone().unwrap());
        assert_eq!(sent, last, "{key:?}: the event that was sent, and the last one of the run");
        received.len()
    }
}

/// The counts of all runs on one engine.
#[derive(Clone, Debug, Default)]
pub struct Deliveries {
    pub runs: usize,
    /// The number of runs that did not begin.
    pub unbegun: usize,
    /// The number of messages that were sent more than once.
    pub repeated: usize,
}

impl fmt::Display for Deliveries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { runs, unbegun, repeated } = self;
        write!(
            f,
            "{runs} runs with a fault at one write, {unbegun} did not begin, {repeated} ends were sent again"
        )
    }
}

/// Runs both agents for each write and each fault of a server. The end of each run that began is sent at least once, with one
/// message, by this server or another one of the store.
pub async fn every_end_is_sent(logs: [Arc<dyn ThreadLog>; 2]) -> Deliveries {
    let senders = Senders::new(&logs, Receiver::default()).await;
    let other = senders.start_well(1);
    // It looks after the store from its first request on.
    send(&other, ENDS, "other").await;
    let mut cases = Vec::new();
    for agent in [ENDS, GOES_ON] {
        let (key, writes) = senders.run(agent, None).await;
        assert_eq!(senders.judge(&key).await, 1, "{key:?}");
        assert!(writes >= 5, "only {writes} writes");
        let faults = (0..writes).flat_map(|at| Fault::ALL.map(|fault| (at, fault)));
        cases.extend(faults.map(|fault| senders.run(agent, Some(fault))));
    }
    let keys = join_all(cases).await;
    senders.nothing_waits().await;
    let mut counts = Deliveries::default();
    for (key, _) in keys {
        let times = senders.judge(&key).await;
        counts.runs += 1;
        counts.unbegun += usize::from(times == 0);
        counts.repeated += usize::from(times > 1);
    }
    assert!(counts.unbegun > 0 && counts.repeated > 0, "{counts}");
    counts
}

/// Starts a run, and reads it to its end.
async fn send(node: &Node, agent: &str, thread: &str) {
    let request = ask::post(agent, &ask::run(thread, "r1", "t1"), None);
    node.read(request, &mut Seen::default(), usize::MAX).await;
}

/// One of two servers that are well makes each attempt, and the other could: first attempts fail, and any server makes the next
/// one.
pub async fn one_server_sends_each_end(logs: [Arc<dyn ThreadLog>; 2]) {
    const RUNS: usize = 12;
    let senders = Senders::new(&logs, Receiver::that_refuses_first_attempts()).await;
    let nodes = [senders.start_well(0), senders.start_well(1)];
    let names: Vec<_> = (0..RUNS).map(|number| format!("t{number}")).collect();
    join_all(names.iter().enumerate().map(|(number, thread)| send(&nodes[number % 2], ENDS, thread))).await;
    timeout(LIMIT, senders.receiver.messages(2 * RUNS)).await.expect("a message is not sent again");
    senders.nothing_waits().await;
    // Longer than the pause of both servers between two looks at the store.
    sleep(LEASE).await;
    let mut attempts = BTreeMap::new();
    for received in senders.receiver.received() {
        *attempts.entry(received.message.data.thread_id.to_string()).or_insert(0) += 1;
    }
    let expected = names.into_iter().map(|thread| (thread, 2)).collect();
    assert_eq!(attempts, expected, "an attempt that fails, and one that does not");
}
