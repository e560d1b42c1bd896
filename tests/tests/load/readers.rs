//! Readers of a long stored thread in a server with 1 GB of addresses, which never read or all read at once: what they make it hold, and
//! how long others wait meanwhile. Alone on a machine, a debug build holds `AGUI_ATTACK_P99=100`.
#![cfg(target_os = "linux")]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use agui_runtime::wire::proto;
use agui_tests::folder::Folder;
use agui_tests::http::{Connection, Request};
use serde_json::{Value, json};
use tokio::sync::oneshot::{self, error::TryRecvError};
use tokio::task::JoinSet;
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

/// The requests of readers.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Connect,
    Events,
    /// Clients of AG-UI before 1.0.
    Legacy,
    Binary,
    WebSocket,
    BinaryWebSocket,
}

/// The kinds that share the bytes of one copy, and all.
const SHARING: &[Kind] = &[Kind::Connect, Kind::Events];
const ALL: &[Kind] =
    &[Kind::Connect, Kind::Events, Kind::Legacy, Kind::Binary, Kind::WebSocket, Kind::BinaryWebSocket];

/// Returns the bytes of a request to read the thread from its beginning, or after an event.
fn request(kind: Kind, after: Option<&str>) -> Request {
    let path = after.map(|after| format!("/threads/long/events?after={after}"));
    let events = Request::new("GET", path.as_deref().unwrap_or("/threads/long/events"));
    match kind {
        Kind::Connect | Kind::Legacy => Request::run("/connect", connecting(kind, after).to_string()),
        Kind::Events | Kind::WebSocket | Kind::BinaryWebSocket => events,
        Kind::Binary => events.header("accept", proto::CONTENT_TYPE),
    }
}

fn connecting(kind: Kind, after: Option<&str>) -> Value {
    let mut input = json!({ "threadId": "long", "runId": "c", "messages": [] });
    if kind != Kind::Legacy {
        input["protocolVersion"] = json!("1.0");
    }
    if let Some(cursor) = after {
        input["lastSeenEventId"] = json!(cursor);
    }
    input
}

/// Returns what a client sends that reads the thread.
fn bytes(kind: Kind, after: Option<&str>) -> Vec<u8> {
    let format = match kind {
        Kind::WebSocket => "json",
        Kind::BinaryWebSocket => "binary",
        _ => return request(kind, after).bytes(),
    };
    let upgrade = Request::new("GET", "/agui/ws")
        .header("connection", "upgrade")
        .header("upgrade", "websocket")
        .header("sec-websocket-version", "13")
        .header("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA==")
        .header("sec-websocket-protocol", "agui-runtime.v1");
    let input = connecting(kind, None);
    let mut run = json!({ "type": "run", "id": "1", "path": "/connect", "format": format, "input": input });
    if let Some(cursor) = after {
        run["lastEventId"] = json!(cursor);
    }
    let run = run.to_string();
    // One masked frame of text; the mask is zero.
    let mut bytes = upgrade.bytes();
    bytes.extend([0x81, 0xfe]);
    bytes.extend(u16::try_from(run.len()).unwrap().to_be_bytes());
    bytes.extend([0; 4]);
    bytes.extend(run.into_bytes());
    bytes
}

/// Other clients meanwhile: their waits.
async fn others(address: SocketAddr, count: usize, what: &str) -> Vec<Duration> {
    let mut times = Vec::new();
    for number in 0..count {
        let start = Instant::now();
        let mut input = asking("hello");
        input["threadId"] = json!(format!("other-{what}-{number}"));
        let run = Request::run("/", input.to_string()).from(Ipv4Addr::new(127, 0, 0, 9));
        assert!(run.send(address).await.text().contains("RUN_FINISHED"));
        times.push(start.elapsed());
    }
    times
}

async fn never_read(store: &str, kinds: &[Kind]) {
    // In KiB of addresses.
    let (_server, address) = target_with("-n 3000 && ulimit -v 1000000", Some(store));
    let first = fill(address).await;
    let before = live(address).await;
    let mut held = Vec::new();
    for number in 0..READERS {
        // One address may not have all readers.
        let from = Ipv4Addr::new(127, 0, 0, 2 + (number % 4) as u8);
        let kind = kinds[number / 4 % kinds.len()];
        let after = (number / 4 / kinds.len() % 2 == 1).then_some(first.as_str());
        let mut connection = Connection::open_from(from, address).await;
        connection.send(&bytes(kind, after)).await;
        held.push(connection);
    }
    let what = format!("{store}, {} kinds", kinds.len());
    waits::check(others(address, 200, "unread").await, &what, Duration::from_millis(500));
    sleep(Duration::from_secs(1)).await;
    let own = live(address).await.saturating_sub(before);
    println!("{what}: {READERS} readers that never read hold {own} bytes");
    let open = Request::new("GET", "/counted/agui_readers_open").send(address).await.text().to_owned();
    // The budget has no room for all readers that share no copy: the server sends some away.
    let least = if kinds == SHARING { READERS } else { READERS / 2 };
    assert!((least..=READERS).contains(&open.parse().unwrap()), "{what}: {open} readers are there");
    assert!(own <= MOST, "{what}: {own} bytes");
    // A client that reads gets the whole conversation.
    for (after, runs) in [(None, 3), (Some(first.as_str()), 2)] {
        let whole = request(Kind::Connect, after).from(Ipv4Addr::new(127, 0, 0, 9)).send(address).await;
        assert_eq!(whole.status, 200);
        let text = whole.text();
        assert!(
            text.len() > runs * LONG && text.contains("RUN_FINISHED"),
            "{after:?} has {} bytes",
            text.len()
        );
    }
    drop(held);
    sleep(Duration::from_secs(2)).await;
    let left = live(address).await.saturating_sub(before);
    assert!(left < MOST / 8, "{what}: {left} bytes are left");
}

#[tokio::test]
async fn readers_of_a_thread_in_memory_that_never_read_share_one_copy() {
    never_read("memory", SHARING).await;
}

#[tokio::test]
async fn readers_of_a_thread_in_a_file_that_never_read_share_one_copy() {
    let folder = Folder::new("readers");
    never_read(folder.0.join("threads.db").to_str().unwrap(), SHARING).await;
}

#[tokio::test]
async fn readers_of_every_kind_that_never_read_have_one_budget() {
    never_read("memory", ALL).await;
}

/// The readers that read at once.
const AT_ONCE: usize = 64;

#[tokio::test]
async fn readers_that_read_at_once_share_one_copy_too() {
    let (_server, address) = target_with("-n 3000 && ulimit -v 1000000", Some("memory"));
    let first = fill(address).await;
    let before = live(address).await;
    let mut readers = JoinSet::new();
    for number in 0..AT_ONCE {
        let from = Ipv4Addr::new(127, 0, 0, 2 + (number % 4) as u8);
        let after = (number % 2 == 1).then_some(first.as_str());
        let request = request(Kind::Connect, after).from(from);
        readers.spawn(async move {
            let whole = request.send(address).await;
            assert!(whole.status == 200 && whole.body.len() > 2 * LONG, "{}", whole.status);
        });
    }
    let (done, is_done) = oneshot::channel::<()>();
    let peak = tokio::spawn(async move {
        let (mut peak, mut is_done) = (0, is_done);
        while is_done.try_recv().is_err_and(|error| error == TryRecvError::Empty) {
            peak = peak.max(live(address).await);
            sleep(Duration::from_millis(20)).await;
        }
        peak
    });
    waits::check(others(address, 100, "read").await, "readers that read", Duration::from_millis(500));
    while let Some(read) = readers.join_next().await {
        read.unwrap();
    }
    done.send(()).unwrap();
    let own = peak.await.unwrap().saturating_sub(before);
    println!("{AT_ONCE} readers that read hold {own} bytes at most");
    assert!(own <= MOST, "{own} bytes");
}
