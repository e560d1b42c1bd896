//! The memory of clients that never read: the server's own, and that of the system for their sockets.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use agui_tests::http::{Connection, Request};
use serde_json::json;
use tokio::time::sleep;

use crate::attack::{live, target};
use crate::kitchen::asking;

const CLIENTS: usize = 500;

/// A debug build takes its time to fill all buffers.
const PATIENCE: Duration = Duration::from_secs(60);

/// The most that one of them may hold: half of the 375 KB that each took before unsent bytes were limited.
const EACH: usize = 187 * 1000;

#[tokio::test]
async fn clients_that_never_read_hold_little() {
    let (_server, address) = target("-n 1000");
    let before = live(address).await;
    let mut held = Vec::new();
    for number in 0..CLIENTS {
        let mut input = asking("flood");
        input["threadId"] = json!(format!("unread-{number}"));
        // One address may not have all slots.
        let from = Ipv4Addr::new(127, 0, 0, 2 + (number % 4) as u8);
        let body = input.to_string();
        let mut connection = Connection::open_from(from, address).await;
        connection.send(&[Request::run("/", body.as_str()).head(), body.into_bytes()].concat()).await;
        held.push(connection);
    }
    let (own, unsent) = settled(address).await;
    let own = (own - before) / CLIENTS;
    let unsent = unsent / CLIENTS;
    println!("a client that never reads holds {own} bytes of the server, and {unsent} in its socket");
    assert!(own > 16 * 1024 && unsent > 16 * 1024, "they read");
    assert!(own + unsent <= EACH, "{own} bytes of the server, and {unsent} in its socket");
}

/// The bytes of the server and of its sockets, once they no longer grow.
async fn settled(address: SocketAddr) -> (usize, usize) {
    let mut last = (0, 0);
    loop {
        sleep(Duration::from_millis(500)).await;
        let bytes = Request::new("GET", "/live").patience(PATIENCE).send(address).await;
        let now = (bytes.text().parse().unwrap(), unsent(address));
        if now.0 <= last.0 + CLIENTS * 100 && now.1 <= last.1 + CLIENTS * 100 {
            return now;
        }
        last = now;
    }
}

/// The bytes that the sockets of a server hold for their clients, as the kernel counts them.
fn unsent(address: SocketAddr) -> usize {
    let local = format!("0100007F:{:04X}", address.port());
    let table = fs::read_to_string("/proc/net/tcp").unwrap();
    let queues = table.lines().filter_map(|line| {
        let mut fields = line.split_whitespace().skip(1);
        let is_ours = fields.next()? == local;
        let (unsent, _) = fields.nth(2)?.split_once(':')?;
        is_ours.then(|| usize::from_str_radix(unsent, 16).unwrap())
    });
    queues.sum()
}
