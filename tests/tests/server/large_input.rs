//! Large bodies, several at once, in a program with a memory limit.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::SocketAddr;
use std::pin::pin;
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::http::Request;
use agui_tests::outside::ExampleServer;
use futures::future::join_all;

use crate::kitchen::asking;

const MB: usize = 1 << 20;

/// The longest wait of another client, for a debug build that shares its processors with other tests.
const LONGEST: Duration = Duration::from_secs(5);

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
    let len = 10 * MB - 100;
    let part = format!(r#"{{"type":"binary","mimeType":"a/b","url":"{}"}}"#, "x".repeat(60));
    [(filled(state, "[0]", "]}", len), 413), (filled(parts, &part, "]}]}", len), 200)]
}

/// Sends small runs until a future is ready, and returns their waits.
async fn during<T>(busy: impl Future<Output = T>, address: SocketAddr) -> (T, Vec<Duration>) {
    let hello = Request::run("/", asking("hello").to_string());
    let mut waits = Vec::new();
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
            return (result, waits);
        }
    }
}

#[tokio::test]
async fn three_of_the_worst_at_once_do_not_end_a_server_that_has_three_gigabytes() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 3145728 && exec \"$0\"", env!("CARGO_BIN_EXE_served")]);
    let mut server = ExampleServer::spawn("served", command, Duration::from_secs(20)).unwrap();
    let address = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    for (body, status) in bodies() {
        let kind = body.get(..120).unwrap().to_owned();
        let request = Request::run("/", body);
        let answers = join_all((0..3).map(|_| request.send(address)));
        let (answers, served) = during(answers, address).await;
        for answer in answers {
            assert_eq!(answer.status, status, "{kind} {}", answer.text());
        }
        assert!(!served.is_empty(), "{kind}: no other client was served");
        let longest = served.into_iter().max().unwrap();
        assert!(longest <= LONGEST, "{kind}: another client waited for {longest:?}");
        assert!(server.is_running(), "{kind}");
    }
    let events = Request::run("/", asking("hello").to_string()).send(address).await.events();
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    let most = high_water(&server);
    assert!(most <= 3 * 8 * 10 * MB, "{} MB", most / MB);
}
