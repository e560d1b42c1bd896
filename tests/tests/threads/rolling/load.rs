//! Users who ask again and again, and look at every answer.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use agui_tests::http::Request;
use serde_json::{Value, json};

use super::node::WORDS;

pub(super) struct Load {
    balancer: SocketAddr,
    finished: AtomicUsize,
    is_over: AtomicBool,
    /// The threads of the finished runs.
    threads: Mutex<Vec<String>>,
}

impl Load {
    pub(super) fn new(balancer: SocketAddr) -> Self {
        Self {
            balancer,
            finished: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            threads: Mutex::default(),
        }
    }

    pub(super) fn finished(&self) -> usize {
        self.finished.load(Ordering::SeqCst)
    }

    pub(super) fn stop(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }

    pub(super) async fn ask_again_and_again(self: Arc<Self>, user: usize) {
        for number in 0.. {
            if self.is_over.load(Ordering::SeqCst) {
                return;
            }
            let thread = format!("user-{user}-{number}");
            let answer = Request::run("/", input(&thread).to_string()).send(self.balancer).await;
            assert!(!answer.cut, "{thread} was cut: {}", answer.text());
            assert_eq!(answer.status, 200, "{thread}: {}", answer.text());
            check(&thread, answer.text());
            self.finished.fetch_add(1, Ordering::SeqCst);
            self.threads.lock().unwrap().push(thread);
        }
    }

    /// Reads every conversation again, from any server.
    pub(super) async fn check_kept(&self) {
        let threads = self.threads.lock().unwrap().clone();
        for thread in threads {
            let mut input = input(&thread);
            input["messages"] = json!([]);
            let answer = Request::run("/connect", input.to_string()).send(self.balancer).await;
            assert_eq!(answer.status, 200, "{thread}: {}", answer.text());
            let all: String = (0..WORDS).map(|word| format!("word-{word} ")).collect();
            assert!(answer.text().contains(&all), "{thread} is not whole: {}", answer.text());
        }
    }
}

fn input(thread: &str) -> Value {
    json!({
        "threadId": thread,
        "runId": format!("{thread}-run"),
        "protocolVersion": "1.0",
        "messages": [{ "id": format!("{thread}-question"), "role": "user", "content": "Speak." }],
    })
}

/// Checks that a run has each word once, in order, and its end.
fn check(thread: &str, stream: &str) {
    let events = stream.lines().filter_map(|line| line.strip_prefix("data: "));
    let events: Vec<Value> = events.map(|event| serde_json::from_str(event).unwrap()).collect();
    let said: Vec<_> = events.iter().filter(|event| event["type"] == "TEXT_MESSAGE_CONTENT").collect();
    let said: String = said.iter().filter_map(|event| event["delta"].as_str()).collect();
    let expected: String = (0..WORDS).map(|word| format!("word-{word} ")).collect();
    assert_eq!(said, expected, "{thread}");
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED", "{thread}: {stream}");
}
