//! Large bodies, several at once, in a program with a memory limit.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::SocketAddr;
use std::pin::pin;
use std::time::{Duration, Instant};

use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use futures::future::join_all;

use crate::attack::{live, returns, target};
use crate::kitchen::asking;
use crate::waits;

const MB: usize = 1 << 20;

/// The time for three large bodies: a debug build takes 10 s for each on a processor of its own, and the other tests run
/// beside it. The answer to a small request has the usual time.
const PATIENCE: Duration = Duration::from_secs(300);

/// The 99th percentile of the waits of other clients, for the same build.
const P99: Duration = Duration::from_secs(5);

/// The length of a body: the longest that a server takes by default, as in CI, or less of what a debug build reads slowly.
fn megabytes() -> usize {
    if agui_tests::is_exhaustive() { 10 } else { 3 }
}

/// The most memory that the process had at one time, in bytes.
fn high_water(server: &ExampleServer) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}

fn filled(before: &str, filler: &str, after: &str, len: usize) -> String {
    let count = (len - before.len() - after.len()) / (filler.len() + 1);
    format!("{before}{}{after}", vec![filler; count].join(","))
}

/// The bodies that took the most memory before there were limits, and those that take the most within them.
fn bodies() -> [(String, u16); 2] {
    let (state, parts) = (
        r#"{"threadId":"t","runId":"r","messages":[],"state":["#,
        r#"{"threadId":"t","runId":"r","messages":[{"id":"","role":"user","content":["#,
    );
    let len = megabytes() * MB - 100;
    let part = format!(r#"{{"type":"binary","mimeType":"a/b","url":"{}"}}"#, "x".repeat(60));
    [(filled(state, "[0]", "]}", len), 413), (filled(parts, &part, "]}]}", len), 200)]
}

/// Sends small runs until a future is ready, and adds their waits.
async fn during<T>(busy: impl Future<Output = T>, address: SocketAddr, waits: &mut Vec<Duration>) -> T {
    let hello = Request::run("/", asking("hello").to_string());
    let mut busy = pin!(busy);
    loop {
        let start = Instant::now();
        let mut small = pin!(hello.send(address));
        let mut done = None;
        let answer = loop {
            tokio::select! {
                answer = &mut small => break answer,
                result = &mut busy, if done.is_none() => done = Some(result),
            }
        };
        assert_eq!(answer.events().last().unwrap()["type"], "RUN_FINISHED");
        waits.push(start.elapsed());
        if let Some(result) = done {
            return result;
        }
    }
}

#[tokio::test]
async fn three_of_the_worst_at_once_do_not_end_a_server_that_has_three_gigabytes() {
    let (mut server, address) = target("-v 3145728");
    assert!(!Request::run("/", asking("hello").to_string()).send(address).await.events().is_empty());
    let before = live(address).await;
    for (body, status) in bodies() {
        let kind = body.get(..120).unwrap().to_owned();
        let request = Request::run("/", body).patience(PATIENCE);
        let mut waits = Vec::new();
        // A fast build is done before there are enough waits.
        while waits.len() < 100 {
            let answers = join_all((0..3).map(|_| request.send(address)));
            for answer in during(answers, address, &mut waits).await {
                assert_eq!(answer.status, status, "{kind} {}", answer.text());
            }
            assert!(server.is_running(), "{kind}");
        }
        waits::check(waits, &kind, P99);
    }
    let events = Request::run("/", asking("hello").to_string()).send(address).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    let most = high_water(&server);
    assert!(most <= 3 * 8 * megabytes() * MB, "{} MB", most / MB);
    returns(address, before, "after the large bodies").await;
}
