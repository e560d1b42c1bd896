//! A server under attack, as a process of its own: it serves other clients meanwhile, and releases its memory.
//!
//! `AGUI_ATTACK` is the number of attacking connections. Alone on a machine, a debug build holds `AGUI_ATTACK=500
//! AGUI_ATTACK_P99=100`, see `waits`.
#![cfg(target_os = "linux")]

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Command;
use std::time::{Duration, Instant};

use agui_tests::http::{Connection, Request};
use agui_tests::outside::ExampleServer;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::kitchen::asking;
use crate::waits::{self, number};

fn attackers() -> usize {
    number("AGUI_ATTACK", 150)
}

/// A server with these limits of the shell.
pub(crate) fn target(limits: &str) -> (ExampleServer, SocketAddr) {
    target_with(limits, None)
}

/// The same, for a server that stores threads.
pub(crate) fn target_with(limits: &str, store: Option<&str>) -> (ExampleServer, SocketAddr) {
    let mut command = Command::new("sh");
    command.envs(store.map(|store| ("COUNTED_STORE", store)));
    command.arg("-c").arg(format!("ulimit {limits} && exec \"$0\"")).arg(env!("CARGO_BIN_EXE_counted"));
    let server = ExampleServer::spawn("counted", command, Duration::from_secs(60)).unwrap();
    let address = server.url().strip_prefix("http://").unwrap().parse().unwrap();
    (server, address)
}

/// The bytes that a server holds.
pub(crate) async fn live(address: SocketAddr) -> usize {
    Request::new("GET", "/live").send(address).await.text().parse().unwrap()
}

/// Sends other requests meanwhile, each on a connection of its own, and measures their waits. They come from another
/// address than the attacks. There are two for each attacker, so that they outlast the first moments, in which a debug build prints 62 MB of
/// answers.
async fn others(address: SocketAddr, what: &str) {
    let mut times = Vec::new();
    for _ in 0..2 * attackers() {
        let start = Instant::now();
        let run = Request::run("/", asking("hello").to_string()).from(Ipv4Addr::new(127, 0, 0, 2));
        let answer = timeout(Duration::from_secs(20), run.send(address))
            .await
            .unwrap_or_else(|_| panic!("{what}: stuck"));
        assert!(answer.events().len() > 3, "{what}");
        times.push(start.elapsed());
    }
    waits::check(times, what, Duration::from_secs(1));
}

async fn connect(address: SocketAddr, bytes: &[u8]) -> Connection {
    let mut connection = Connection::open(address).await;
    connection.send(bytes).await;
    connection
}

/// Connections without a request, or with an incomplete one.
async fn slow(address: SocketAddr, each: usize) -> Vec<Connection> {
    let run = Request::run("/", asking("hello").to_string());
    let mut held = Vec::new();
    for _ in 0..each {
        held.push(connect(address, b"").await);
        held.push(connect(address, b"POST / HTTP/1.1\r\nhost: local").await);
        held.push(connect(address, &[run.head(), b"{\"thr".to_vec()].concat()).await);
    }
    held
}

/// Runs whose clients read nothing of a long answer.
async fn unread(address: SocketAddr, each: usize) -> Vec<Connection> {
    let mut input = asking("echo");
    input["state"] = json!("x".repeat(1 << 20));
    let mut held = Vec::new();
    for number in 0..each {
        input["threadId"] = json!(format!("unread-{number}"));
        let body = input.to_string();
        let run = Request::run("/", body.as_str());
        held.push(connect(address, &[run.head(), body.into_bytes()].concat()).await);
    }
    held
}

/// Connections whose writing half is closed after the request of a long run.
async fn half_closed(address: SocketAddr, each: usize) -> Vec<TcpStream> {
    let mut held = Vec::new();
    for number in 0..each {
        let mut input = asking("wait");
        input["threadId"] = json!(format!("half-{number}"));
        let body = input.to_string();
        let request = [Request::run("/", body.as_str()).head(), body.into_bytes()].concat();
        let stream = std::net::TcpStream::connect(address).unwrap();
        std::io::Write::write_all(&mut &stream, &request).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        stream.set_nonblocking(true).unwrap();
        held.push(TcpStream::from_std(stream).unwrap());
    }
    held
}

/// HTTP/2 connections: some give no window to the answers of all their streams, and some reset all that they open.
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
                let request =
                    http::Request::post("http://localhost/").header("content-type", "application/json");
                let Ok((answer, mut body)) = ready.send_request(request.body(()).unwrap(), false) else {
                    return;
                };
                let mut input = asking("wait");
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

/// Waits until a server has given back what it took. Bytes are counted, because the allocator of the system keeps most of the pages: of
/// 49 MB after 500 attackers, half a megabyte was in use.
pub(crate) async fn returns(address: SocketAddr, before: usize, what: &str) {
    let room = 256 * 1024;
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let now = live(address).await;
        if now <= before + room {
            println!("{what}: {before} bytes before, {now} bytes after");
            return;
        }
        assert!(Instant::now() < end, "{what}: {before} bytes before, {now} bytes after");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test]
async fn others_are_served_during_every_attack_and_memory_returns() {
    let (_server, address) = target("-n 1000");
    others(address, "nothing").await;
    let before = live(address).await;

    let held = slow(address, attackers()).await;
    others(address, "slow requests").await;
    drop(held);

    let held = unread(address, attackers() / 8).await;
    others(address, "answers that are not read").await;
    drop(held);

    let held = half_closed(address, attackers()).await;
    others(address, "half-closed sockets").await;
    drop(held);

    // Each connection may have a hundred runs, so that these could take all slots of the server many times over.
    let held = streams(address, attackers() / 8).await;
    others(address, "streams without window, and reset streams").await;
    drop(held);

    returns(address, before, "after all attacks").await;
}

#[tokio::test]
async fn a_server_with_a_hundred_descriptors_serves_others_too() {
    let (mut server, address) = target("-n 100");
    // Each attack needs all descriptors many times over.
    let held = slow(address, attackers()).await;
    others(address, "100 descriptors, slow requests").await;
    drop(held);
    others(address, "100 descriptors, afterwards").await;
    assert!(server.is_running());
    assert!(server.output().matches("accept").count() < 100, "the log is flooded: {}", server.output());
    let failed = Request::new("GET", "/counted/agui_accept_errors_total").send(address).await;
    assert!(failed.text().parse::<u64>().unwrap() > 0, "the failures are not counted");
}
