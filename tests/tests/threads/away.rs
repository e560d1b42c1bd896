//! A store that is slow, full, read-only, gone or gives no clear answer below a server, and comes back. Time is virtual.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{LogAppend, LogError, LogPosition, Memory, ThreadKey, ThreadLog};
use agui_runtime::{Limits, Server};
use agui_tests::stored::scribe::Steady;
use agui_tests::stored::{Conversation, ENDS, GOES_ON, Gate, Gated, Ledger, Op, Scribe, Seen, Way, ask};
use axum::Router;
use axum::body::Body;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use http::{HeaderMap, Request, StatusCode};
use serde_json::Value;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tower_service::Service;

pub(crate) const LEASE: Duration = Duration::from_secs(4);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Store {
    Well,
    Slow,
    /// Records do not fit.
    Full,
    ReadOnly,
    /// Leases are not extended.
    Unrenewed,
    Gone,
    /// Appends do not arrive, and the store gives no clear answer.
    Unclear,
}

/// The way of one server to the store.
#[derive(Debug)]
struct Path {
    store: Mutex<Store>,
    asked: AtomicUsize,
}

impl Gate for Path {
    fn enter<'a>(&'a self, op: Op<'a>) -> BoxFuture<'a, Result<Way, LogError>> {
        let store = *self.store.lock().unwrap();
        let writes = matches!(op, Op::Append(..) | Op::Renew(_) | Op::Trim(_) | Op::Delete(_));
        self.asked.fetch_add(usize::from(!matches!(op, Op::Changed)), Ordering::SeqCst);
        async move {
            let is_refused = match store {
                Store::Well | Store::Unclear => false,
                Store::Slow => {
                    sleep(Duration::from_millis(700)).await;
                    false
                }
                Store::Full => matches!(op, Op::Append(..)),
                Store::ReadOnly => writes,
                Store::Unrenewed => matches!(op, Op::Renew(_)),
                Store::Gone => true,
            };
            match op {
                _ if is_refused => Err(LogError::new("the store has a fault")),
                Op::Append(..) if store == Store::Unclear => Ok(Way::Late(Duration::from_secs(1 << 30))),
                _ => Ok(Way::Through),
            }
        }
        .boxed()
    }
}

/// A server, and its way to the store.
#[derive(Clone)]
pub(crate) struct Node {
    router: Router,
    way: Arc<Path>,
    ledger: Arc<Ledger>,
}

/// The identity of a caller.
#[derive(Clone)]
struct Who(&'static str);

impl Node {
    pub(crate) fn start(log: &Memory) -> Self {
        Self::start_with(log, Limits::default())
    }

    pub(crate) fn start_with(log: &Memory, limits: Limits) -> Self {
        let ledger = Arc::new(Ledger::default());
        let way = Arc::new(Path { store: Mutex::new(Store::Well), asked: AtomicUsize::new(0) });
        let gated = Gated::new(Arc::new(log.clone()), Arc::clone(&way));
        let server = Server::new()
            .threads(gated)
            .thread_options(ThreadOptions::default().lease(LEASE))
            .identity(|who: &Who| who.0.to_owned())
            .limits(limits.runs_per_identity(1))
            .agent(ENDS, Scribe::<false>::new(Arc::clone(&ledger), Arc::new(Steady)))
            .agent(GOES_ON, Scribe::<true>::new(Arc::clone(&ledger), Arc::new(Steady)));
        Self { router: server.router().unwrap(), way, ledger }
    }

    pub(crate) fn set(&self, store: Store) {
        *self.way.store.lock().unwrap() = store;
        self.way.asked.store(0, Ordering::SeqCst);
    }

    fn asked(&self) -> usize {
        self.way.asked.load(Ordering::SeqCst)
    }

    /// Sends a request, and reads its answer in a task.
    pub(crate) fn send(&self, request: Request<Body>) -> Reading {
        let (seen, mut router) = (Arc::new(Mutex::new(Seen::default())), self.router.clone());
        let text = Arc::clone(&seen);
        let task = tokio::spawn(async move {
            let answer = router.call(request).await.unwrap();
            let (status, headers) = (answer.status(), answer.headers().clone());
            let mut body = answer.into_body().into_data_stream();
            let mut is_cut = false;
            while let Some(bytes) = body.next().await {
                match bytes {
                    Ok(bytes) => text.lock().unwrap().text.push_str(std::str::from_utf8(&bytes).unwrap()),
                    Err(_) => is_cut = true,
                }
            }
            (status, headers, is_cut)
        });
        Reading { seen, task }
    }

    pub(crate) fn run(&self, agent: &str, input: &Value) -> Reading {
        self.send(ask::post(agent, input, None))
    }

    /// Checks that the server answers `store_unavailable`, with the time after which the client may try again.
    pub(crate) async fn refuses(&self, request: Request<Body>) {
        let what = request.uri().clone();
        let (status, headers, body, _) = self.send(request).end().await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{what}: {}", body.text);
        assert!(headers.contains_key("retry-after"), "{what}");
        assert!(body.text.contains(r#""code":"store_unavailable""#), "{what}: {}", body.text);
        assert!(!body.text.contains("fault"), "the reason is for the log: {}", body.text);
    }
}

pub(crate) struct Reading {
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<(StatusCode, HeaderMap, bool)>,
}

impl Reading {
    pub(crate) fn seen(&self) -> Seen {
        self.seen.lock().unwrap().clone()
    }

    /// Reads to the end; the last value is true if the answer was cut off.
    pub(crate) async fn end(self) -> (StatusCode, HeaderMap, Seen, bool) {
        let (status, headers, is_cut) = self.task.await.unwrap();
        let seen = self.seen.lock().unwrap().clone();
        (status, headers, seen, is_cut)
    }
}

pub(crate) fn memory() -> Memory {
    let began = Instant::now();
    Memory::with_clock(move || Duration::from_secs(1_800_000_000) + began.elapsed())
}

pub(crate) fn key(agent: &str) -> ThreadKey {
    ThreadKey::new("", agent, "a")
}

pub(crate) async fn whole(log: &Memory, agent: &str) -> Conversation {
    let page = log.read(&key(agent), 0, usize::MAX).await.unwrap();
    let whole = Conversation::read(&page.records).unwrap();
    whole.has_ended().unwrap();
    whole
}

pub(crate) fn connect(agent: &str, cursor: Option<&str>) -> Request<Body> {
    ask::post(&format!("{}/connect", agent.trim_end_matches('/')), &ask::connect("a"), cursor)
}

async fn wait(millis: u64) {
    sleep(Duration::from_millis(millis)).await;
}

#[tokio::test(start_paused = true)]
async fn a_run_outlives_a_store_that_has_a_fault_for_less_than_a_lease() {
    for fault in [Store::Slow, Store::Full, Store::ReadOnly, Store::Gone, Store::Unclear] {
        let log = memory();
        let (node, other) = (Node::start(&log), Node::start(&log));
        let run = node.run(ENDS, &ask::run("a", "r1", "t3 w900 c20 t3"));
        wait(100).await;
        let follower = other.send(ask::bare("GET", "/threads/a/events"));
        wait(50).await;
        node.set(fault);
        other.set(fault);
        wait(300).await;
        if fault == Store::Unclear {
            // A claim waits for as long as a lease.
        } else if fault == Store::Slow {
            let (status, ..) = node.run(ENDS, &ask::run("b", "r2", "t1")).end().await;
            assert_eq!(status, StatusCode::OK);
        } else {
            node.refuses(ask::post(ENDS, &ask::run("b", "r2", "t1"), None)).await;
        }
        match fault {
            Store::Gone => {
                node.refuses(connect(ENDS, None)).await;
                node.refuses(ask::bare("GET", "/threads/a/events")).await;
                node.refuses(ask::bare("POST", "/stop/a")).await;
                node.refuses(ask::bare("DELETE", "/threads/a")).await;
            }
            Store::ReadOnly | Store::Full => {
                node.refuses(ask::bare("POST", "/stop/a")).await;
                // The records can be read.
                let reader = node.send(connect(ENDS, None));
                wait(50).await;
                assert!(reader.seen().text.contains("MESSAGES_SNAPSHOT"), "{fault:?}");
            }
            _ => {}
        }
        wait(600).await;
        node.set(Store::Well);
        other.set(Store::Well);
        let (status, _, seen, is_cut) = run.end().await;
        assert_eq!((status, is_cut), (StatusCode::OK, false), "{fault:?}");
        assert!(seen.events().last().unwrap().contains(r#""type":"success""#), "{fault:?}: {}", seen.text);
        let whole = whole(&log, ENDS).await;
        seen.is_part_of(&whole).unwrap();
        // The reader that could not read comes back.
        wait(100).await;
        let mut followed = Seen { has_prelude: true, ..follower.seen() };
        if !followed.has_end() {
            let cursor = followed.last_id().unwrap().to_owned();
            let (_, _, rest, _) = other.send(connect(ENDS, Some(&cursor))).end().await;
            followed = followed.and(&rest);
        }
        followed.is_part_of(&whole).unwrap_or_else(|error| panic!("{fault:?}: {error}"));
        assert!(followed.has_end(), "{fault:?}: {}", followed.text);
        assert_eq!(node.ledger.judge(&[whole]), 0);
        assert_eq!(node.ledger.effects.lock().unwrap().len(), 1, "{fault:?}");
        let (status, ..) = node.run(ENDS, &ask::run("b", "r3", "t1")).end().await;
        assert_eq!(status, StatusCode::OK, "{fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_run_whose_store_has_a_fault_for_longer_ends_or_goes_on_when_the_store_is_back() {
    for fault in [Store::Full, Store::ReadOnly, Store::Gone, Store::Unclear] {
        for agent in [ENDS, GOES_ON] {
            let log = memory();
            let node = Node::start(&log);
            let run = node.run(agent, &ask::run("a", "r1", "t3 c20 w900 t3"));
            wait(300).await;
            node.set(fault);
            sleep(LEASE * 2).await;
            assert!(!run.seen().has_end(), "{fault:?}: {}", run.seen().text);
            node.set(Store::Well);
            // A client whose stream was cut off comes back.
            let (_, _, mut seen, is_cut) = run.end().await;
            assert_eq!(is_cut, !seen.has_end(), "{fault:?}: {}", seen.text);
            if is_cut {
                let cursor = seen.last_id().unwrap().to_owned();
                let (_, _, rest, _) = node.send(connect(agent, Some(&cursor))).end().await;
                seen = seen.and(&rest);
            }
            let whole = whole(&log, agent).await;
            seen.is_part_of(&whole).unwrap_or_else(|error| panic!("{fault:?}: {error}"));
            assert!(seen.has_end());
            assert_eq!(whole.lost.contains("r1"), agent == ENDS, "{fault:?}: {}", seen.text);
            assert_eq!(whole.restarts("r1"), usize::from(agent == GOES_ON));
            node.ledger.judge(&[whole]);
            assert_eq!(node.ledger.effects.lock().unwrap().len(), 1, "{fault:?}");
        }
    }
}

/// A store that can be read and takes no records: no server can end a run there.
#[tokio::test(start_paused = true)]
async fn the_readers_of_a_run_that_no_server_can_end_get_a_code_in_time() {
    for fault in [Store::Full, Store::ReadOnly] {
        for agent in [ENDS, GOES_ON] {
            let log = memory();
            let (node, other) = (Node::start(&log), Node::start(&log));
            let run = node.run(agent, &ask::run("a", "r1", "t3 c20 w900 t3"));
            wait(300).await;
            let joined = other.send(connect(agent, None));
            let path = format!("{}/threads/a/events", agent.trim_end_matches('/'));
            let follower = node.send(ask::bare("GET", &path));
            wait(50).await;
            node.set(fault);
            other.set(fault);
            let began = Instant::now();
            for reader in [run, joined, follower] {
                let (status, _, seen, is_cut) = reader.end().await;
                assert_eq!(status, StatusCode::OK);
                let time = began.elapsed();
                assert!(time > LEASE * 2 && time < LEASE * 5, "{fault:?} {agent}: {time:?}");
                let is_told = seen.text.trim_end().ends_with(r#""code":"store_unavailable"}"#);
                // A run that another server may continue has not ended.
                assert_eq!((is_told, is_cut), (agent == ENDS, agent == GOES_ON), "{fault:?}: {}", seen.text);
            }
            node.refuses(connect(agent, None)).await;
            // The log says in the end what the readers were told.
            node.set(Store::Well);
            other.set(Store::Well);
            sleep(LEASE * 30).await;
            let whole = whole(&log, agent).await;
            assert_eq!(whole.lost.contains("r1"), agent == ENDS);
        }
    }
}

/// Each attempt to continue a run waits for a clear answer: the readers of many runs do not wait for all attempts.
#[tokio::test(start_paused = true)]
async fn the_readers_of_many_runs_that_no_server_can_continue_get_an_answer_in_time() {
    for (fault, agent) in
        [Store::Unclear, Store::ReadOnly].into_iter().flat_map(|it| [(it, ENDS), (it, GOES_ON)])
    {
        let node = Node::start(&memory());
        let run = |number| node.run(agent, &ask::run(&format!("a{number}"), "r1", "t3 c20 w900 t3"));
        let runs: Vec<_> = (0..30).map(run).collect();
        wait(300).await;
        node.set(fault);
        let began = Instant::now();
        for run in runs {
            let (_, _, seen, is_cut) = run.end().await;
            assert_eq!(is_cut, agent == GOES_ON, "{fault:?}: {}", seen.text);
        }
        assert!(began.elapsed() < LEASE * 5, "{fault:?} {agent}: {:?}", began.elapsed());
    }
}

/// Checks that a number of requests in a time is that of pauses that grow to a second.
#[track_caller]
fn is_patient(node: &Node, began: Instant, what: &str) {
    let (asked, time) = (node.asked(), began.elapsed());
    assert!(
        time >= LEASE - Duration::from_secs(1) && time <= LEASE + Duration::from_secs(1),
        "{what}: {time:?}"
    );
    assert!((5..=80).contains(&asked), "{what}: {asked} requests in {time:?}");
}

#[tokio::test(start_paused = true)]
async fn a_store_without_a_clear_answer_is_asked_with_pauses_for_the_time_of_a_lease() {
    let log = memory();
    // The key of the store.
    let first = Node::start(&log);
    first.set(Store::Unclear);
    let began = Instant::now();
    first.refuses(ask::post(ENDS, &ask::run("a", "r0", "t1"), None)).await;
    is_patient(&first, began, "the key");

    let (owner, other) = (Node::start(&log), Node::start(&log));
    let run = owner.run(ENDS, &ask::run("a", "r1", "t1 w100000"));
    wait(200).await;
    // A run of another server is stopped too.
    other.send(ask::post(ENDS, &ask::run("b", "r2", "t1"), None)).end().await;
    other.set(Store::Unclear);
    let began = Instant::now();
    other.refuses(ask::bare("POST", "/stop/a")).await;
    is_patient(&other, began, "a stop");
    let began = Instant::now();
    other.way.asked.store(0, Ordering::SeqCst);
    other.refuses(ask::post(ENDS, &ask::run("c", "r3", "t1"), None)).await;
    is_patient(&other, began, "a claim");

    // The run of a server that is lost cannot be ended.
    owner.set(Store::Gone);
    drop(run);
    sleep(LEASE * 2).await;
    let began = Instant::now();
    other.way.asked.store(0, Ordering::SeqCst);
    other.refuses(connect(ENDS, None)).await;
    is_patient(&other, began, "the end of a lost run");

    other.set(Store::Well);
    let (status, _, loaded, _) = other.send(connect(ENDS, None)).end().await;
    assert_eq!(status, StatusCode::OK);
    assert!(loaded.text.contains("node_lost"), "{}", loaded.text);
}

#[tokio::test(start_paused = true)]
async fn the_appends_of_a_run_without_a_clear_answer_have_pauses() {
    let log = memory();
    let node = Node::start(&log);
    drop(node.run(ENDS, &ask::run("a", "r1", "t3 w500 t3")));
    wait(200).await;
    node.set(Store::Unclear);
    sleep(LEASE).await;
    let asked = node.asked();
    assert!((5..=150).contains(&asked), "{asked} requests");
}

/// Makes a thread whose run is lost, and cannot be ended: its note is not a note of this crate.
pub(crate) async fn make_unreadable(log: &Memory, number: u64) {
    let key = ThreadKey::new("", ENDS, format!("unreadable {number}"));
    let append = LogAppend {
        at: LogPosition::default(),
        epoch: 1,
        records: vec!["of another program".into()],
        note: Some("{".into()),
        lease: Some(Duration::ZERO),
    };
    log.append(&key, append).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn lost_runs_that_cannot_be_ended_hide_no_other() {
    let log = memory();
    for number in 0..200 {
        make_unreadable(&log, number).await;
    }
    wait(10).await;
    let lost = Node::start(&log);
    drop(lost.run(ENDS, &ask::run("a", "r1", "t1 w100000")));
    wait(200).await;
    lost.set(Store::Gone);
    sleep(LEASE * 2).await;
    assert_eq!(log.head(&key(ENDS)).await.unwrap().lease, Some(Duration::ZERO), "it is lost");
    // Its first request begins the work of the maintenance.
    let other = Node::start(&log);
    other.send(ask::post("/connect", &ask::connect("another"), None)).end().await;
    sleep(LEASE).await;
    let whole = whole(&log, ENDS).await;
    assert!(whole.lost.contains("r1"), "{:?}", whole.events().last());
    assert_eq!(log.expired(1_000).await.unwrap().len(), 200, "the others are as they were");
}

#[tokio::test(start_paused = true)]
async fn a_run_that_goes_on_counts_for_its_identity() {
    let log = memory();
    let of_ada = |mut request: Request<Body>| {
        request.extensions_mut().insert(Who("ada"));
        request
    };
    let (lost, other) = (Node::start(&log), Node::start(&log));
    drop(lost.send(of_ada(ask::post(GOES_ON, &ask::run("a", "r1", "t1 w20000"), None))));
    wait(200).await;
    lost.set(Store::Gone);
    let busy = other.send(of_ada(ask::post(GOES_ON, &ask::run("b", "r2", "w15000"), None)));
    sleep(LEASE * 3).await;
    let key = ThreadKey::new("ada", GOES_ON, "a");
    let is_lost = async || log.head(&key).await.unwrap().lease == Some(Duration::ZERO);
    assert!(is_lost().await, "the other server runs one of ada's, and may run no second");
    // She sees the run as it is, and a new one has to wait.
    let shown = other.send(of_ada(connect(GOES_ON, None)));
    let again = of_ada(ask::post(GOES_ON, &ask::run("a", "r9", "t1"), None));
    let (status, _, refused, _) = other.send(again).end().await;
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.text);
    busy.end().await;
    sleep(LEASE).await;
    assert!(!is_lost().await, "its slot is free");
    assert!(!shown.seen().text.is_empty());
    let further = of_ada(ask::post(GOES_ON, &ask::run("c", "r3", "t1"), None));
    let (status, _, refused, _) = other.send(further).end().await;
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{}", refused.text);
    sleep(LEASE * 8).await;
    let (status, _, seen, is_cut) = shown.end().await;
    assert_eq!((status, is_cut), (StatusCode::OK, false));
    assert!(seen.text.contains("RUN_FINISHED"), "{}", seen.text);
    let page = log.read(&key, 0, usize::MAX).await.unwrap();
    let whole = Conversation::read(&page.records).unwrap();
    assert_eq!((whole.restarts("r1"), whole.succeeded.contains("r1")), (1, true));
}
