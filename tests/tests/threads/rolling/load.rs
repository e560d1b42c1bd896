//! Users who ask again and again, and look at every answer. Users who are refused come back when the server says so.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agui_tests::http::{Answer, Connection, Request, Whole};
use serde_json::{Value, json};
use tokio::time::sleep;

use super::node::{AT_LENGTH, MANY_WORDS, WORDS};

pub(super) struct Load {
    balancer: SocketAddr,
    finished: AtomicUsize,
    is_over: AtomicBool,
    /// The threads of the finished runs.
    threads: Mutex<Vec<(String, bool)>>,
    /// The requests that a limit refused.
    refused: AtomicUsize,
    /// The answers after which a connection stayed open, and those connections that a server closed later.
    kept: AtomicUsize,
    hung_up: AtomicUsize,
}

/// The time for which a kept connection is idle.
const IDLE: Duration = Duration::from_millis(300);

impl Load {
    pub(super) fn new(balancer: SocketAddr) -> Self {
        Self {
            balancer,
            finished: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            threads: Mutex::default(),
            refused: AtomicUsize::new(0),
            kept: AtomicUsize::new(0),
            hung_up: AtomicUsize::new(0),
        }
    }

    pub(super) fn finished(&self) -> usize {
        self.finished.load(Ordering::SeqCst)
    }

    pub(super) fn refused(&self) -> usize {
        self.refused.load(Ordering::SeqCst)
    }

    pub(super) fn kept(&self) -> usize {
        self.kept.load(Ordering::SeqCst)
    }

    pub(super) fn hung_up(&self) -> usize {
        self.hung_up.load(Ordering::SeqCst)
    }

    pub(super) fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    /// Asks again and again. Every fourth user asks for long answers.
    pub(super) async fn ask_again_and_again(self: Arc<Self>, user: usize) {
        let is_long = user.is_multiple_of(4);
        for number in 0.. {
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
            let thread = format!("user-{user}-{number}");
            let question = if is_long { AT_LENGTH } else { "Speak." };
            let request = Request::run("/", input(&thread, question).to_string());
            let answer = loop {
                let answer = request.open(self.balancer).await;
                match self.to_wait(&answer) {
                    Some(wait) => sleep(wait).await,
                    None => break answer.whole().await,
                }
            };
            self.check(thread, is_long, &answer);
        }
    }

    /// Returns the time after which a refused client may ask again. Every client honours it.
    fn to_wait(&self, answer: &Answer) -> Option<Duration> {
        if ![429, 503].contains(&answer.status) {
            return None;
        }
        self.refused.fetch_add(1, Ordering::SeqCst);
        let seconds = answer.header("retry-after").expect("a refusal says when to come back");
        Some(Duration::from_secs(seconds.parse().unwrap()))
    }

    /// Asks on one connection, which is idle between two answers. If it was closed meanwhile, the client opens another, as
    /// every client of HTTP does, and asks again: no part of an answer had come.
    pub(super) async fn keep_a_connection(self: Arc<Self>, user: usize) {
        let mut kept = None;
        for number in 0.. {
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
            let thread = format!("keeper-{user}-{number}");
            let request = Request::run("/", input(&thread, "Speak.").to_string());
            let answer = loop {
                let connection = match kept.take() {
                    Some(connection) => connection,
                    None => Connection::open(self.balancer).await,
                };
                let Some(answer) = connection.ask_if_alive(&request).await else {
                    self.hung_up.fetch_add(1, Ordering::SeqCst);
                    continue;
                };
                let wait = self.to_wait(&answer);
                let (answer, connection) = answer.whole_and_connection().await;
                kept = connection;
                match wait {
                    Some(wait) => sleep(wait).await,
                    None => break answer,
                }
            };
            self.check(thread, false, &answer);
            self.kept.fetch_add(usize::from(kept.is_some()), Ordering::SeqCst);
            sleep(IDLE).await;
        }
    }

    fn check(&self, thread: String, is_long: bool, answer: &Whole) {
        assert!(!answer.cut, "{thread} was cut: {}", answer.text());
        assert_eq!(answer.status, 200, "{thread}: {}", answer.text());
        check(&thread, &words(is_long), answer.text());
        self.finished.fetch_add(1, Ordering::SeqCst);
        self.threads.lock().unwrap().push((thread, is_long));
    }

    /// Reads every conversation again, from any server.
    pub(super) async fn check_kept(&self) {
        let threads = self.threads.lock().unwrap().clone();
        for (thread, is_long) in threads {
            let mut input = input(&thread, "");
            input["messages"] = json!([]);
            let answer = Request::run("/connect", input.to_string()).send(self.balancer).await;
            assert_eq!(answer.status, 200, "{thread}: {}", answer.text());
            assert!(answer.text().contains(&words(is_long)), "{thread} is not whole: {}", answer.text());
        }
    }
}

/// The words of an answer.
fn words(is_long: bool) -> String {
    let count = if is_long { MANY_WORDS } else { WORDS };
    (0..count).map(|word| format!("word-{word} ")).collect()
}

fn input(thread: &str, question: &str) -> Value {
    json!({
        "threadId": thread,
        "runId": format!("{thread}-run"),
        "protocolVersion": "1.0",
        "messages": [{ "id": format!("{thread}-question"), "role": "user", "content": question }],
    })
}

/// Checks that a run has each word once, in order, and its end.
fn check(thread: &str, expected: &str, stream: &str) {
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = events.map(|event| serde_json::from_str(event).unwrap()).collect();
    let said: Vec<_> = events.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT").collect();
    let said: String = said.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(said, expected, "{thread}");
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{thread}: {stream}");
}
