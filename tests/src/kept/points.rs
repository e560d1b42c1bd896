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

use super::{Conversation, Gate, Gated, Host, Ledger, Op, Scribe, Seen, Way, ask};

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
    thread: String,
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
    fn new(thread: &str, fault: Option<(usize, Fault)>, journal: &Arc<Journal>) -> Arc<Self> {
        Arc::new(Self {
            thread: thread.to_owned(),
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
        matches!(op, Op::Append(key, _) | Op::Trim(key) if key.thread() == self.thread)
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
        let scribe = Scribe::new(Arc::clone(ledger), Arc::clone(&point) as _);
        let options = ThreadOptions::default().lease(LEASE).keep_records(4);
        let log = Gated::new(Arc::clone(log), Arc::clone(&point));
        let server = Server::new().threads(log).thread_options(options).agent("/", scribe);
        Self { router: server.router().unwrap(), point }
    }

    /// Reads an answer until it ends, or its server does.
    async fn read(&self, request: Request<Body>, seen: &mut Seen) -> Option<StatusCode> {
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
    seen: Vec<Seen>,
}

impl Case {
    /// Starts a run at the first server, and follows it to its end, on the other if need be. Returns its last stream.
    async fn follow(&mut self, run: &str, input: &serde_json::Value) -> Seen {
        let mut cursor: Option<String> = None;
        let mut has_prelude = false;
        for attempt in 0.. {
            let node = &self.nodes[usize::from(attempt > 0)];
            let request = match &cursor {
                None if has_prelude => ask::post("/connect", &ask::connect(self.key.thread()), None),
                // A client that got no answer sends its request again.
                None => ask::post("/", input, None),
                Some(cursor) => ask::post("/connect", &ask::connect(self.key.thread()), Some(cursor)),
            };
            let mut seen = Seen { has_prelude, text: String::new() };
            let status = node.read(request, &mut seen).await;
            if let Some(last) = seen.last_id() {
                cursor = Some(last.to_owned());
            }
            if !seen.text.is_empty() {
                self.seen.push(seen.clone());
            }
            if seen.has_end() {
                return seen;
            }
            has_prelude = false;
            match status {
                // Its records were trimmed: what stands for them is there.
                Some(StatusCode::GONE) => (cursor, has_prelude) = (None, true),
                // The cursor was that of the last event.
                Some(StatusCode::NO_CONTENT) if self.seen.last().is_some_and(Seen::has_end) => {
                    return self.seen.last().unwrap().clone();
                }
                Some(StatusCode::CONFLICT | StatusCode::BAD_REQUEST) => {
                    panic!("{run} of {:?} was refused with {status:?}", self.key)
                }
                _ => sleep(Duration::from_millis(50)).await,
            }
        }
        unreachable!()
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

    /// Returns the runs that were lost.
    async fn judge(&self, log: &dyn ThreadLog, journal: &Journal, ledger: &Ledger) -> usize {
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
        let answered = ledger.answered.lock().unwrap().clone();
        for wire in &whole.consumed {
            let acted = answered.iter().filter(|answered| wire.starts_with(*answered)).count();
            // The run that has used the answer up may have been lost before it acted.
            assert!(acted == 1 || acted == 0 && whole.lost.iter().any(|run| run == "r2"), "{wire}: {acted}");
        }
        whole.lost.len()
    }
}

/// The counts of all conversations on one engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Points {
    pub writes: usize,
    pub conversations: usize,
    pub lost: usize,
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { writes, conversations, lost } = self;
        write!(f, "{writes} writes, {conversations} conversations with a fault at one, {lost} runs lost")
    }
}

/// Holds a conversation for each write and each fault, all at once. `nodes` are two accesses to one store.
pub async fn every_fault_at_every_write(nodes: [Arc<dyn ThreadLog>; 2]) -> Points {
    // Shared: servers end the lost runs of each other.
    let journal = Arc::new(Journal::default());
    let converse = |thread, fault| converse(&nodes, &journal, thread, fault);
    let writes = converse("undisturbed".to_owned(), None).await.0;
    assert!(writes >= 8, "only {writes} writes");
    let faults = (0..writes).flat_map(|at| Fault::ALL.map(|fault| (at, fault)));
    let cases = faults.map(|(at, fault)| converse(format!("{fault:?} at write {at}"), Some((at, fault))));
    let cases = join_all(cases).await;
    let lost = cases.iter().map(|(_, lost)| lost).sum();
    Points { writes, conversations: cases.len(), lost }
}

/// Holds one conversation. Returns the number of writes of its first server, and of lost runs.
async fn converse(
    logs: &[Arc<dyn ThreadLog>; 2],
    journal: &Arc<Journal>,
    thread: String,
    fault: Option<(usize, Fault)>,
) -> (usize, usize) {
    let ledger = Arc::new(Ledger::default());
    let first = Node::start(&logs[0], Point::new(&thread, fault, journal), &ledger);
    let second = Node::start(&logs[1], Point::new("", None, journal), &ledger);
    let point = Arc::clone(&first.point);
    let mut case = Case { key: ThreadKey::new("", "/", thread), nodes: [first, second], seen: Vec::new() };
    let talked = timeout(LIMIT, case.talk()).await;
    assert!(talked.is_ok(), "{:?} hangs: {:?}", case.key, case.seen);
    let lost = case.judge(&*logs[1], journal, &ledger).await;
    ledger.judge();
    if fault.is_none_or(|(_, fault)| matches!(fault, Fault::AnswerLost | Fault::Late | Fault::Away)) {
        assert_eq!(lost, 0, "{:?}: a run was lost whose server was well", case.key);
    }
    (point.writes.load(Ordering::SeqCst), lost)
}
