//! A conversation with a fault at each place where a record is written, on any engine, and a second server that takes
//! over.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{Append, LogError, ThreadKey, ThreadLog};
use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use futures::future::{BoxFuture, join_all, pending};
use futures::{FutureExt, StreamExt};
use http::{Request, StatusCode};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use tower_service::Service;

use super::{Conversation, ENDS, GOES_ON, Gate, Gated, Host, Ledger, Op, Scribe, Seen, Way, ask};

/// The time for which a server owns a thread.
const LEASE: Duration = Duration::from_secs(1);

/// The time after which a test that waits has failed.
const LIMIT: Duration = Duration::from_secs(30);

/// A fault of the first server at one of its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ends before the write reaches the store.
    KilledBefore,
    /// It ends before it hears that the store has written.
    KilledAfter,
    /// It does not hear that the store has written.
    AnswerLost,
    /// The same, and the store writes later.
    Late,
    /// The store is away, and comes back.
    Away,
    /// It stands still for longer than it owns the thread, and then goes on with the write.
    Frozen,
}

impl Fault {
    /// All faults.
    pub const ALL: [Self; 6] =
        [Self::KilledBefore, Self::KilledAfter, Self::AnswerLost, Self::Late, Self::Away, Self::Frozen];
}

/// All records that any server appended, by thread.
#[derive(Debug, Default)]
struct Journal(Mutex<HashMap<ThreadKey, BTreeMap<u64, Bytes>>>);

/// The way of one server to the store, with a fault at one write of one thread.
#[derive(Debug)]
struct Point {
    key: ThreadKey,
    /// The number of the write, and its fault.
    fault: Option<(usize, Fault)>,
    writes: AtomicUsize,
    /// True while the answer of the write is under way.
    is_due: AtomicBool,
    is_dead: watch::Sender<bool>,
    away: Mutex<Option<Instant>>,
    journal: Arc<Journal>,
}

impl Point {
    fn new(key: &ThreadKey, fault: Option<(usize, Fault)>, journal: &Arc<Journal>) -> Arc<Self> {
        Arc::new(Self {
            key: key.clone(),
            fault,
            writes: AtomicUsize::new(0),
            is_due: AtomicBool::new(false),
            is_dead: watch::Sender::new(false),
            away: Mutex::default(),
            journal: Arc::clone(journal),
        })
    }

    /// Returns true for appends and trims of the thread. Renewals depend on time.
    fn is_write(&self, op: Op<'_>) -> bool {
        matches!(op, Op::Append(key, _) | Op::Trim(key) if *key == self.key)
    }

    async fn die<T>(&self) -> T {
        self.is_dead.send_replace(true);
        pending().await
    }
}

impl Host for Point {
    fn runs(&self) -> BoxFuture<'_, ()> {
        async move {
            if *self.is_dead.borrow() {
                pending::<()>().await;
            }
        }
        .boxed()
    }
}

impl Gate for Point {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        async move {
            self.runs().await;
            if self.away.lock().unwrap().is_some_and(|end| Instant::now() < end) {
                return Err(LogError::new("the store is away"));
            }
            if !self.is_write(op) {
                return Ok(Way::Through);
            }
            let number = self.writes.fetch_add(1, Ordering::SeqCst);
            let Some((_, fault)) = self.fault.filter(|(at, _)| *at == number) else {
                return Ok(Way::Through);
            };
            match fault {
                Fault::KilledBefore => self.die().await,
                Fault::KilledAfter | Fault::AnswerLost => self.is_due.store(true, Ordering::SeqCst),
                Fault::Late if matches!(op, Op::Append(..)) => {
                    return Ok(Way::Late(Duration::from_millis(40)));
                }
                Fault::Late => {}
                Fault::Away => {
                    *self.away.lock().unwrap() = Some(Instant::now() + LEASE / 3);
                    return Err(LogError::new("the store is away"));
                }
                Fault::Frozen => sleep(LEASE * 5 / 2).await,
            }
            Ok(Way::Through)
        }
        .boxed()
    }

    fn leave<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<(), LogError>> {
        async move {
            if self.is_write(op) && self.is_due.swap(false, Ordering::SeqCst) {
                return match self.fault {
                    Some((_, Fault::KilledAfter)) => self.die().await,
                    _ => Err(LogError::new("the answer was lost")),
                };
            }
            self.runs().await;
            Ok(())
        }
        .boxed()
    }

    fn appended(&self, key: &ThreadKey, append: &Append) {
        let mut threads = self.journal.0.lock().unwrap();
        let records = (append.at.seq + 1..).zip(append.records.iter().cloned());
        threads.entry(key.clone()).or_default().extend(records);
    }
}

/// A server and its way to the store.
struct Node {
    router: Router,
    point: Arc<Point>,
}

impl Node {
    fn start(log: &Arc<dyn ThreadLog>, point: Arc<Point>, ledger: &Arc<Ledger>) -> Self {
        let ends = Scribe::<false>::new(Arc::clone(ledger), Arc::clone(&point) as _);
        let goes_on = Scribe::<true>::new(Arc::clone(ledger), Arc::clone(&point) as _);
        let options = ThreadOptions::default().lease(LEASE).keep_records(4);
        let log = Gated::new(Arc::clone(log), Arc::clone(&point));
        let server = Server::new().threads(log).thread_options(options);
        let server = server.agent(ENDS, ends).agent(GOES_ON, goes_on);
        Self { router: server.router().unwrap(), point }
    }

    fn is_dead(&self) -> bool {
        *self.point.is_dead.borrow()
    }

    /// Reads an answer until it ends, or its server does, or its connection is lost in the middle of an event after so many.
    async fn read(&self, request: Request<Body>, seen: &mut Seen, most: usize) -> Option<StatusCode> {
        let mut dead = self.point.is_dead.subscribe();
        let mut router = self.router.clone();
        let read = async {
            let answer = router.call(request).await.unwrap();
            let status = answer.status();
            let mut body = answer.into_body().into_data_stream();
            while let Some(Ok(bytes)) = body.next().await {
                if status == StatusCode::OK {
                    seen.text.push_str(std::str::from_utf8(&bytes).unwrap());
                }
                if let Some((start, _)) = seen.text.match_indices("\n\n").nth(most) {
                    seen.text.truncate(start - 1);
                    break;
                }
            }
            status
        };
        tokio::select! {
            biased;
            _ = dead.wait_for(|dead| *dead) => None,
            status = read => Some(status),
        }
    }
}

/// One conversation with one fault.
struct Case {
    key: ThreadKey,
    nodes: [Node; 2],
    /// The number of events after which the client of a run loses its connection.
    cut: usize,
    /// The events that each client saw, over its lost connections.
    seen: Vec<Seen>,
}

impl Case {
    /// Starts a run at the first server, and follows it to its end, on the other if need be. Returns what its client saw.
    async fn follow(&mut self, run: &str, input: &serde_json::Value) -> Seen {
        let mut session = Seen::default();
        for attempt in 0.. {
            let other = &self.nodes[1];
            let node = if attempt > 0 && !other.is_dead() { other } else { &self.nodes[0] };
            let most = if attempt == 0 { self.cut } else { usize::MAX };
            let request = self.request(run, input, &session, attempt);
            let mut seen = Seen { has_prelude: session.has_prelude, text: String::new() };
            let status = node.read(request, &mut seen, most).await;
            session = session.and(&seen);
            match status {
                // Its records were trimmed: what stands for them is there.
                Some(StatusCode::GONE) => {
                    self.seen.push(session);
                    session = Seen { has_prelude: true, text: String::new() };
                }
                Some(StatusCode::CONFLICT | StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND) => {
                    panic!("{run} of {:?} was refused with {status:?}", self.key)
                }
                _ if session.has_end() => {
                    self.seen.push(session.clone());
                    return session;
                }
                _ => sleep(Duration::from_millis(50)).await,
            }
        }
        unreachable!()
    }

    /// Returns the next request of a client that follows a run.
    fn request(&self, run: &str, input: &serde_json::Value, session: &Seen, attempt: usize) -> Request<Body> {
        let (path, thread) = (self.key.agent(), self.key.thread());
        let connect = format!("{}/connect", path.trim_end_matches('/'));
        match session.last_id() {
            None if session.has_prelude => ask::post(&connect, &ask::connect(thread), None),
            // A client that got no answer sends its request again.
            None => ask::post(path, input, None),
            Some(cursor) if attempt.is_multiple_of(2) && cursor.starts_with(run) => {
                ask::post(path, &ask::run(thread, run, "anything"), Some(cursor))
            }
            Some(cursor) => ask::post(&connect, &ask::connect(thread), Some(cursor)),
        }
    }

    async fn talk(&mut self) {
        let thread = self.key.thread().to_owned();
        let asked = self.follow("r1", &ask::run(&thread, "r1", "s t2 c5 q")).await;
        if let Some(question) = asked.question() {
            self.follow("r2", &ask::answer(&thread, "r2", &question)).await;
        }
        // The thread goes on, on the server that has had no fault.
        self.nodes.swap(0, 1);
        let last = self.follow("r3", &ask::run(&thread, "r3", "t1")).await;
        assert!(last.events().last().is_some_and(|event| event.contains("RUN_FINISHED")), "{}", last.text);
    }

    /// Returns the numbers of runs that were lost and of those that went on elsewhere, and of calls that ran again.
    async fn judge(&self, log: &dyn ThreadLog, journal: &Journal, ledger: &Ledger) -> [usize; 3] {
        while log.head(&self.key).await.unwrap().lease.is_some() {
            sleep(Duration::from_millis(50)).await;
        }
        let records: Vec<_> = journal.0.lock().unwrap()[&self.key].clone().into_iter().collect();
        let whole = Conversation::read(&records).unwrap_or_else(|error| panic!("{error}"));
        whole.has_ended().unwrap();
        for seen in &self.seen {
            seen.is_part_of(&whole).unwrap_or_else(|error| panic!("{error}\n{}", seen.text));
        }
        let page = log.read(&self.key, 0, usize::MAX).await.unwrap();
        let kept = Conversation::read(&page.records).unwrap();
        assert_eq!((kept.whole(), &kept.asked), (whole.whole(), &whole.asked), "a trim changed the thread");
        let ledger = ledger.of(self.key.thread());
        for wire in &whole.consumed {
            // The run that has used the answer up may have been lost before it acted.
            assert!(ledger.has_answer_to(wire) || whole.lost.contains("r2"), "no run acted upon {wire}");
        }
        if self.key.agent() == GOES_ON {
            whole.goes_on().unwrap();
            assert_eq!(whole.succeeded.len(), 3, "{:?}: {:?}", self.key, whole.runs);
        }
        let restarts = ["r1", "r2", "r3"].iter().map(|run| whole.restarts(run)).sum();
        [whole.lost.len(), restarts, ledger.judge(&[whole])]
    }
}

/// The counts of all conversations on one engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points {
    pub writes: usize,
    pub conversations: usize,
    pub lost: usize,
    pub went_on: usize,
    pub ran_again: usize,
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { writes, conversations, lost, went_on, ran_again } = self;
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
        assert!(writes >= 8, "only {writes} writes");
        let faults = (0..writes).flat_map(|at| Fault::ALL.map(|fault| (at, fault)));
        let cases = faults.map(|(at, fault)| converse(format!("{fault:?} at write {at}"), Some((at, fault))));
        let cases = join_all(cases).await;
        points.writes += writes;
        points.conversations += cases.len();
        for (_, [lost, went_on, ran_again]) in cases {
            points.lost += lost;
            points.went_on += went_on;
            points.ran_again += ran_again;
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
) -> (usize, [usize; 3]) {
    let first = Node::start(&logs[0], Point::new(&key, fault, journal), ledger);
    let second = Node::start(&logs[1], Point::new(&ThreadKey::new("", "", ""), None, journal), ledger);
    let point = Arc::clone(&first.point);
    let cut = fault.map_or(usize::MAX, |(at, fault)| 1 + (at + fault as usize) % 7);
    let mut case = Case { key, nodes: [first, second], cut, seen: Vec::new() };
    let talked = timeout(LIMIT, case.talk()).await;
    assert!(talked.is_ok(), "{:?} hangs: {:?}", case.key, case.seen);
    let judged = case.judge(&*logs[1], journal, ledger).await;
    if fault.is_none_or(|(_, fault)| matches!(fault, Fault::AnswerLost | Fault::Late | Fault::Away)) {
        assert_eq!(judged[..2], [0, 0], "{:?}: a run was lost whose server was well", case.key);
    }
    (point.writes.load(Ordering::SeqCst), judged)
}
