//! Requests at once on two servers, and readers that are slow, on any engine.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::{ThreadCursor, ThreadKey, ThreadLog};
use futures::StreamExt;
use http::StatusCode;
use tokio::time::{sleep, timeout};
use tower_service::Service;

use super::nodes::{LIMIT, Node, settled};
use super::point::Journal;
use super::{Conversation, ENDS, Ledger, Seen, ask};

/// The number of threads, so that the order of the requests differs.
const THREADS: usize = 8;

/// Two servers of one store, all records, and the effects of the agents.
struct Cluster {
    nodes: [Node; 2],
    journal: Arc<Journal>,
    ledger: Arc<Ledger>,
}

impl Cluster {
    fn open(logs: &[Arc<dyn ThreadLog>; 2], keep: u64) -> Self {
        let (journal, ledger) = (Arc::new(Journal::default()), Arc::new(Ledger::default()));
        let nodes = Node::start_two(logs, &journal, &ledger, keep);
        Self { nodes, journal, ledger }
    }

    /// Sends an input to one server, and reads the answer to its end.
    async fn send(&self, node: usize, input: &serde_json::Value) -> (StatusCode, Seen) {
        let mut seen = Seen::default();
        let read = self.nodes[node].read(ask::post(ENDS, input, None), &mut seen, usize::MAX);
        let status = timeout(LIMIT, read).await.expect("a request hangs").unwrap();
        (status, seen)
    }

    /// Reads all records of a thread that ever were.
    async fn whole(&self, log: &dyn ThreadLog, thread: &str) -> Conversation {
        let key = ThreadKey::new("", ENDS, thread);
        settled(log, &key).await;
        Conversation::read(&self.journal.records(&key)).unwrap_or_else(|error| panic!("{error}"))
    }
}

/// Answers one question on both servers at once: one answer counts, the other is refused.
pub async fn of_two_answers_one_counts(logs: [Arc<dyn ThreadLog>; 2]) {
    let cluster = Cluster::open(&logs, 1_000);
    for thread in (0..THREADS).map(|number| format!("answers {number}")) {
        let (_, asked) = cluster.send(0, &ask::run(&thread, "asks", "t1 q")).await;
        let question = asked.question().unwrap();
        let (first, second) =
            (ask::answer(&thread, "first", &question), ask::answer(&thread, "second", &question));
        let answers = futures::join!(cluster.send(0, &first), cluster.send(1, &second));
        let mut statuses = [answers.0.0, answers.1.0];
        statuses.sort_unstable();
        assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT], "{answers:?}");
        let whole = cluster.whole(&*logs[0], &thread).await;
        assert_eq!(whole.consumed.len(), 1);
        for (status, seen) in [&answers.0, &answers.1] {
            assert!(*status != StatusCode::OK || seen.has_end(), "{seen:?}");
            seen.is_part_of(&whole).unwrap();
        }
        let ledger = cluster.ledger.of(&thread);
        assert_eq!(ledger.answered.lock().unwrap().len(), 1, "the agent acted upon two answers");
    }
}

/// Sends one request to both servers at once: it is one run, which both clients see whole.
pub async fn one_id_is_one_run(logs: [Arc<dyn ThreadLog>; 2]) {
    let cluster = Cluster::open(&logs, 1_000);
    for thread in (0..THREADS).map(|number| format!("one run {number}")) {
        let input = ask::run(&thread, "r", "t3 c20 t3");
        let (one, other) = futures::join!(cluster.send(0, &input), cluster.send(1, &input));
        assert_eq!((one.0, other.0), (StatusCode::OK, StatusCode::OK));
        assert_eq!(one.1.text, other.1.text, "two clients of one run see the same");
        let whole = cluster.whole(&*logs[1], &thread).await;
        assert_eq!(whole.runs, ["r"]);
        assert!(one.1.has_end() && one.1.events().count() == whole.events().count());
        let counts: Vec<_> =
            cluster.ledger.of(&thread).effects.lock().unwrap().values().map(|effect| effect.count).collect();
        assert_eq!(counts, [1], "the tool ran once");
    }
}

/// Follows a thread on one server, slower than its records are trimmed on the other: the stream ends before a gap, and the
/// cursor is refused afterwards.
pub async fn a_reader_slower_than_the_trim_is_cut_off_and_comes_back(logs: [Arc<dyn ThreadLog>; 2]) {
    let cluster = Cluster::open(&logs, 2);
    let thread = "slow";
    cluster.send(0, &ask::run(thread, "r0", "t2")).await;
    let mut router = cluster.nodes[1].router.clone();
    let follow = ask::bare("GET", &format!("/threads/{thread}/events?protocolVersion=1.0"));
    let answer = router.call(follow).await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let mut body = answer.into_body().into_data_stream();
    let mut seen = Seen { has_prelude: true, text: String::new() };
    // The beginning alone: the rest waits for its reader.
    while seen.last_id().is_none() {
        let bytes = timeout(LIMIT, body.next()).await.unwrap().unwrap().unwrap();
        seen.text.push_str(std::str::from_utf8(&bytes).unwrap());
    }
    for run in 1..6 {
        cluster.send(0, &ask::run(thread, &format!("r{run}"), "t4")).await;
    }
    let key = ThreadKey::new("", ENDS, thread);
    let read: ThreadCursor = seen.last_id().unwrap().parse().unwrap();
    // A gap: the trims follow the runs, and there may be several.
    let is_gone = async {
        while logs[0].head(&key).await.unwrap().first <= read.seq() + 1 {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(LIMIT, is_gone).await.expect("nothing is trimmed");
    // A follower has no end, so it is read while something comes.
    while let Ok(Some(Ok(bytes))) = timeout(Duration::from_millis(500), body.next()).await {
        seen.text.push_str(std::str::from_utf8(&bytes).unwrap());
    }
    let whole = cluster.whole(&*logs[0], thread).await;
    seen.is_part_of(&whole).unwrap_or_else(|error| panic!("{error}\n{}", seen.text));
    assert!(!seen.text.contains(r#""runId":"r5""#), "the reader was not slower than the trim: {}", seen.text);
    let cursor = seen.last_id().unwrap().to_owned();
    let mut again = Seen::default();
    let connect = ask::post("/connect", &ask::connect(thread), Some(&cursor));
    let status = cluster.nodes[1].read(connect, &mut again, usize::MAX).await;
    assert_eq!(status, Some(StatusCode::GONE), "{}", again.text);
    let mut loaded = Seen { has_prelude: true, text: String::new() };
    let connect = ask::post("/connect", &ask::connect(thread), None);
    assert_eq!(cluster.nodes[1].read(connect, &mut loaded, usize::MAX).await, Some(StatusCode::OK));
    loaded.is_part_of(&whole).unwrap();
    assert!(loaded.has_end());
}
