//! A server under attack, as a process of its own: others are served meanwhile, and its memory returns.
//!
//! `AGUI_ATTACK` is how many connections attack, and `AGUI_ATTACK_P99` how many milliseconds the slowest but one in a hundred of the
//! others may take. By default the latter only tells a server that is stuck from one that shares its processor with other tests.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::net::SocketAddr;
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::http::{Connection, Request};
use agui_tests::outside::{ExampleServer, built};
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::kitchen::asking;

fn number(variable: &str, otherwise: usize) -> usize {
    env::var(variable).map_or(otherwise, |value| value.parse().unwrap())
}

fn attackers() -> usize {
    number("AGUI_ATTACK", 150)
}

/// A tour that may have so many descriptors.
fn tour(descriptors: usize) -> (ExampleServer, SocketAddr) {
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("ulimit -n {descriptors}; exec {}", built("tour").display()));
    command.env("TOUR_PACE", "1");
    let server = ExampleServer::spawn("tour", command, Duration::from_secs(60)).unwrap();
    let address = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    (server, address)
}

/// The memory of a process, in KiB.
fn memory(server: &ExampleServer) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Serves others meanwhile, each on a connection of its own, and looks at how long they wait.
async fn others(address: SocketAddr, what: &str) {
    let mut times = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        let run = Request::run("/lab/text", asking("hello").to_string());
        let answer = timeout(Duration::from_secs(20), run.send(address))
            .await
            .unwrap_or_else(|_| panic!("{what}: stuck"));
        assert!(answer.events().len() > 3, "{what}");
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let (median, p99) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    println!("{what}: median {median:?}, p99 {p99:?}");
    let limit = Duration::from_millis(number("AGUI_ATTACK_P99", 5_000) as u64);
    assert!(p99 <= limit, "{what}: p99 {p99:?}");
}

async fn connect(address: SocketAddr, bytes: &[u8]) -> Connection {
    let mut connection = Connection::open(address).await;
    connection.send(bytes).await;
    connection
}

/// Connections that ask for nothing, or never finish to ask.
async fn slow(address: SocketAddr, each: usize) -> Vec<Connection> {
    let run = Request::run("/lab/text", asking("hello").to_string());
    let mut held = Vec::new();
    for _ in 0..each {
        held.push(connect(address, b"").await);
        held.push(connect(address, b"POST /lab/text HTTP/1.1\r\nhost: local").await);
        held.push(connect(address, &[run.head(), b"{\"thr".to_vec()].concat()).await);
    }
    held
}

/// Runs whose clients read nothing of a long answer.
async fn unread(address: SocketAddr, each: usize) -> Vec<Connection> {
    let mut input = asking("hello");
    input["state"] = json!("x".repeat(1 << 20));
    let mut held = Vec::new();
    for number in 0..each {
        input["threadId"] = json!(format!("unread-{number}"));
        let body = input.to_string();
        let run = Request::run("/lab/echo_input", body.as_str());
        held.push(connect(address, &[run.head(), body.into_bytes()].concat()).await);
    }
    held
}

/// Connections whose writing half is closed after they asked for a long run.
async fn half_closed(address: SocketAddr, each: usize) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for number in 0..each {
        let mut input = asking("hello");
        input["threadId"] = json!(format!("half-{number}"));
        let body = input.to_string();
        let request = [Request::run("/lab/slow", body.as_str()).head(), body.into_bytes()].concat();
        let stream = std::net::TcpStream::connect(address).unwrap();
        std::io::Write::write_all(&mut &stream, &request).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream.set_nonblocking(true).unwrap();
        held.push(TcpStream::from_std(stream).unwrap());
    }
    held
}

/// HTTP/2 connections: some of which give no window to the answers of all their streams, and some of which reset all they open.
async fn streams(address: SocketAddr, each: usize) -> JoinSet<()> {
    let mut held = JoinSet::new();
    for attacker in 0..each {
        let stream = TcpStream::connect(address).await.unwrap();
        let window = if attacker % 2 == 0 { 0 } else { 65_535 };
        let built =
            h2::client::Builder::new().initial_window_size(window).handshake::<_, bytes::Bytes>(stream).await;
        let (client, connection) = built.unwrap();
        held.spawn(async move { drop(connection.await) });
        held.spawn(async move {
            let mut kept = Vec::new();
            for number in 0..200 {
                let Ok(mut ready) = client.clone().ready().await else { return };
                let request = http::Request::post("http://localhost/lab/slow")
                    .header("content-type", "application/json");
                let Ok((answer, mut body)) = ready.send_request(request.body(()).unwrap(), false) else {
                    return;
                };
                let mut input = asking("hello");
                input["threadId"] = json!(format!("stream-{attacker}-{number}"));
                let _ = body.send_data(input.to_string().into(), true);
                if window == 0 {
                    kept.push((answer, body));
                } else {
                    body.send_reset(h2::Reason::CANCEL);
                }
            }
            std::future::pending::<()>().await;
        });
    }
    held
}

/// Waits until a server has given back what it took, but for what its allocator keeps.
async fn returns(server: &ExampleServer, before: u64, what: &str) {
    let room = 24 * 1024;
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let now = memory(server);
        if now <= before + room {
            println!("{what}: {before} KiB before, {now} KiB after");
            return;
        }
        assert!(Instant::now() < end, "{what}: {before} KiB before, {now} KiB after");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn others_are_served_during_every_attack_and_memory_returns() {
    let (server, address) = tour(1_000);
    others(address, "nothing").await;
    let before = memory(&server);

    let held = slow(address, attackers()).await;
    others(address, "slow requests").await;
    drop(held);

    let held = unread(address, attackers() / 8).await;
    others(address, "answers that are not read").await;
    drop(held);

    let held = half_closed(address, attackers()).await;
    others(address, "half-closed sockets").await;
    drop(held);

    // No more than the server takes: one more is refused with 503, to whoever asks.
    let held = streams(address, (attackers() / 8).min(16)).await;
    others(address, "streams without window, and reset streams").await;
    drop(held);

    returns(&server, before, "after all attacks").await;
}

#[tokio::test]
async fn a_server_with_a_hundred_descriptors_serves_others_too() {
    let (mut server, address) = tour(100);
    // Each attack takes all descriptors many times over.
    let held = slow(address, attackers()).await;
    others(address, "100 descriptors, slow requests").await;
    drop(held);
    others(address, "100 descriptors, afterwards").await;
    assert!(server.is_running());
    assert!(server.output().matches("accept").count() < 100, "the log is flooded: {}", server.output());
}
