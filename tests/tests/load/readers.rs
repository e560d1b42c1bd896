//! Readers of a long stored thread that never read, in a server with 1 GB of addresses: what they make it hold, and how long others
//! wait meanwhile. Alone on a machine, a debug build holds `AGUI_ATTACK_P99=100`.
#![cfg(target_os = "linux")]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use agui_tests::folder::Folder;
use agui_tests::http::{Connection, Request};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::attack::{live, target_with};
use crate::kitchen::asking;
use crate::waits;

const READERS: usize = 1000;

/// The most that all of them may make the server hold.
const MOST: usize = 64 * 1000 * 1000;

/// The length of the message of each of three runs.
const LONG: usize = 3 * 1000 * 1000;

fn long(run: usize) -> Value {
    let mut input = asking("hello");
    input["threadId"] = json!("long");
    input["runId"] = json!(format!("r{run}"));
    input["messages"] = json!([{ "id": format!("u{run}"), "role": "user", "content": "x".repeat(LONG) }]);
    input
}

/// Returns the cursor of the first event.
async fn fill(address: SocketAddr) -> String {
    let mut first = None;
    for run in 0..3 {
        let answer = Request::run("/", long(run).to_string()).send(address).await;
        assert_eq!(answer.status, 200, "{}", answer.text().get(..400).unwrap_or_default());
        let id = answer.text().lines().find_map(|line| line.strip_prefix("id: ")).map(str::to_owned);
        first = first.or(id);
    }
    first.unwrap()
}

/// The kinds of requests of readers.
fn request(kind: usize, first: &str) -> Request {
    let connect = |cursor: Option<&str>| {
        let mut input = json!({ "threadId": "long", "runId": "c", "protocolVersion": "1.0", "messages": [] });
        if let Some(cursor) = cursor {
            input["lastSeenEventId"] = json!(cursor);
        }
        Request::run("/connect", input.to_string())
    };
    match kind % 4 {
        0 => connect(None),
        1 => Request::new("GET", "/threads/long/events"),
        2 => Request::new("GET", &format!("/threads/long/events?after={first}")),
        _ => connect(Some(first)),
    }
}

async fn never_read(store: &str) {
    // In KiB of addresses.
    let (_server, address) = target_with("-n 3000 && ulimit -v 1000000", Some(store));
    let first = fill(address).await;
    let before = live(address).await;
    let mut held = Vec::new();
    for number in 0..READERS {
        // One address may not have all readers.
        let from = Ipv4Addr::new(127, 0, 0, 2 + (number % 4) as u8);
        let mut connection = Connection::open_from(from, address).await;
        connection.send(&request(number / 4, &first).bytes()).await;
        held.push(connection);
    }
    let mut times = Vec::new();
    for number in 0..100 {
        let start = Instant::now();
        let mut input = asking("hello");
        input["threadId"] = json!(format!("other-{number}"));
        let run = Request::run("/", input.to_string()).from(Ipv4Addr::new(127, 0, 0, 9));
        assert!(run.send(address).await.text().contains("RUN_FINISHED"));
        times.push(start.elapsed());
    }
    waits::check(times, store, Duration::from_millis(500));
    sleep(Duration::from_secs(1)).await;
    let own = live(address).await.saturating_sub(before);
    println!("{store}: {READERS} readers that never read hold {own} bytes");
    assert!(own > READERS * 4 * 1024, "they are not there");
    assert!(own <= MOST, "{store}: {own} bytes");
    // A client that reads gets the whole conversation.
    for (kind, runs) in [(0, 3), (3, 2)] {
        let whole = request(kind, &first).from(Ipv4Addr::new(127, 0, 0, 9)).send(address).await;
        assert_eq!(whole.status, 200);
        let text = whole.text();
        assert!(
            text.len() > runs * LONG && text.contains("RUN_FINISHED"),
            "kind {kind} has {} bytes",
            text.len()
        );
    }
    drop(held);
    sleep(Duration::from_secs(2)).await;
    let left = live(address).await.saturating_sub(before);
    assert!(left < MOST / 8, "{store}: {left} bytes are left");
}

#[tokio::test]
async fn readers_of_a_thread_in_memory_that_never_read_share_one_copy() {
    never_read("memory").await;
}

#[tokio::test]
async fn readers_of_a_thread_in_a_file_that_never_read_share_one_copy() {
    let folder = Folder::new("readers");
    never_read(folder.0.join("threads.db").to_str().unwrap()).await;
}
