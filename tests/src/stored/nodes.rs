//! Two servers on one store in this process, and a client that follows a conversation over both.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::Server;
use agui_runtime::http::ThreadOptions;
use agui_runtime::thread::{ThreadKey, ThreadLog};
use axum::Router;
use axum::body::Body;
use futures::StreamExt;
use http::{Request, StatusCode};
use serde_json::Value;
use tokio::time::{sleep, timeout};
use tower_service::Service;

use super::point::{Journal, Point};
use super::{Conversation, ENDS, GOES_ON, Gated, Ledger, Scribe, Seen, ask};

/// The time for which a server owns a thread: a machine that builds at the same time may keep a server from its renewal for a
/// second.
pub(super) const LEASE: Duration = Duration::from_secs(3);

/// The time after which a test that waits has failed.
pub(super) const LIMIT: Duration = Duration::from_secs(90);

/// A server and its way to the store.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) router: Router,
    pub(super) point: Arc<Point>,
}

impl Node {
    /// Starts a server that retains a number of records of a thread.
    pub(super) fn start(
        log: &Arc<dyn ThreadLog>,
        point: Arc<Point>,
        ledger: &Arc<Ledger>,
        keep: u64,
    ) -> Self {
        Self::start_with(log, point, ledger, keep, |server| server)
    }

    /// The same with further settings of the server.
    pub(super) fn start_with(
        log: &Arc<dyn ThreadLog>,
        point: Arc<Point>,
        ledger: &Arc<Ledger>,
        keep: u64,
        settings: impl FnOnce(Server) -> Server,
    ) -> Self {
        let ends = Scribe::<false>::new(Arc::clone(ledger), Arc::clone(&point) as _);
        let goes_on = Scribe::<true>::new(Arc::clone(ledger), Arc::clone(&point) as _);
        let options = ThreadOptions::default().lease(LEASE).keep_records(keep);
        let log = Gated::new(Arc::clone(log), Arc::clone(&point));
        let server = settings(Server::new().threads(log).thread_options(options));
        let server = server.agent(ENDS, ends).agent(GOES_ON, goes_on);
        Self { router: server.router().unwrap(), point }
    }

    /// Starts one server on each access to the store, without a fault.
    pub(super) fn start_two(
        logs: &[Arc<dyn ThreadLog>; 2],
        journal: &Arc<Journal>,
        ledger: &Arc<Ledger>,
        keep: u64,
    ) -> [Self; 2] {
        let nowhere = ThreadKey::new("", "", "");
        let start = |log| Self::start(log, Point::new(&nowhere, None, journal), ledger, keep);
        [start(&logs[0]), start(&logs[1])]
    }

    pub(super) fn is_dead(&self) -> bool {
        *self.point.is_dead.borrow()
    }

    /// Reads an answer until it ends, or its server does, or its connection is lost in the middle of an event after a number of events.
    pub(super) async fn read(
        &self,
        request: Request<Body>,
        seen: &mut Seen,
        most: usize,
    ) -> Option<StatusCode> {
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

/// A client of one thread, which has two servers.
pub(super) struct Client {
    pub(super) key: ThreadKey,
    pub(super) nodes: [Node; 2],
    /// The number of events after which the client of a run loses its connection.
    pub(super) cut: usize,
    /// The events that it saw of each run, over its lost connections.
    pub(super) seen: Vec<Seen>,
    /// The number of times that it came back.
    pub(super) returns: usize,
    /// The runs that answer, and the questions.
    answers: Vec<(String, String)>,
}

impl Client {
    pub(super) fn new(key: ThreadKey, nodes: [Node; 2], cut: usize) -> Self {
        Self { key, nodes, cut, seen: Vec::new(), returns: 0, answers: Vec::new() }
    }

    /// Starts a run at the first server, and follows it to its end, on the other if need be. Returns what the client saw.
    pub(super) async fn follow(&mut self, run: &str, input: &Value) -> Seen {
        let mut session = Seen::default();
        for attempt in 0.. {
            let other = &self.nodes[1];
            let node = if attempt > 0 && !other.is_dead() { other } else { &self.nodes[0] };
            let most = if attempt == 0 { self.cut } else { usize::MAX };
            self.returns += usize::from(attempt > 0);
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

    /// Answers a question, and follows the run of the answer to its end.
    pub(super) async fn answer(&mut self, run: &str, question: &str) -> Seen {
        self.answers.push((question.to_owned(), run.to_owned()));
        let input = ask::answer(self.key.thread(), run, question);
        self.follow(run, &input).await
    }

    /// Checks that the client saw the conversation, and that its answers were used up, and no others.
    pub(super) fn judge(&self, whole: &Conversation) {
        for seen in &self.seen {
            seen.is_part_of(whole).unwrap_or_else(|error| panic!("{error}\n{}", seen.text));
        }
        let answers = self.answers.iter().cloned().collect();
        assert_eq!(whole.consumed, answers, "the answers that were used up, and those of the client");
    }

    /// Returns the next request of a client that follows a run.
    fn request(&self, run: &str, input: &Value, session: &Seen, attempt: usize) -> Request<Body> {
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
}

/// Waits until no run of a thread goes on. An engine whose server was away may say so once more.
pub(super) async fn settled(log: &dyn ThreadLog, key: &ThreadKey) {
    let settling = async {
        while !log.head(key).await.is_ok_and(|head| head.lease.is_none()) {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(LIMIT, settling).await.expect("a run never ends, or the store stays away");
}
