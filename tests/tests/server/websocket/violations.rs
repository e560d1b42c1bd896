//! Bytes on the wire: violations of RFC 6455, extensions that were not negotiated, pings without an answer, a close in the
//! middle of a run.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::thread::Memory;
use agui_runtime::{Limits, Server};
use serde_json::{Value, json};
use tokio::net::TcpStream;

use super::runs::served;
use super::socket::run;
use super::wire::{CLOSE, COMPRESSED, CONTINUATION, FIN, PING, PONG, TEXT, Wire, frame};
use crate::kitchen::{Cook, Served};

/// A raw DEFLATE block with `{}`.
const DEFLATED: &[u8] = &[0xaa, 0xae, 0x05, 0x00];

#[tokio::test]
async fn a_violation_closes_its_socket_with_the_code_of_the_specification_and_no_other() {
    let served = served(Limits::default()).await;
    let mut witness = Wire::open(served.address, "").await;
    witness.say(&run("1", "wait")).await;
    let unmasked =
        |first: u8, payload: &[u8]| [&[first, u8::try_from(payload.len()).unwrap()], payload].concat();
    let rows: [(&str, Vec<u8>, u16); 13] = [
        ("a frame without a mask", unmasked(FIN | TEXT, b"{}"), 1002),
        ("a ping without a mask", unmasked(FIN | PING, b""), 1002),
        ("a compressed message", frame(FIN | COMPRESSED | TEXT, DEFLATED), 1002),
        ("another reserved bit", frame(FIN | 0x20 | TEXT, b"{}"), 1002),
        ("an unknown opcode", frame(FIN | 3, b"{}"), 1002),
        ("an unknown control frame", frame(FIN | 11, b""), 1002),
        ("a ping in fragments", frame(PING, b"there?"), 1002),
        ("a ping of 126 bytes", frame(FIN | PING, &[b'x'; 126]), 1002),
        ("a continuation of nothing", frame(FIN | CONTINUATION, b"{}"), 1002),
        ("a message within a message", [frame(TEXT, b"{"), frame(FIN | TEXT, b"{}")].concat(), 1002),
        ("text that is not UTF-8", frame(FIN | TEXT, b"\xff\xfe"), 1007),
        (
            "half a character at the end",
            [frame(TEXT, b"{\"\xf0\x9f"), frame(FIN | CONTINUATION, b"\"}")].concat(),
            1007,
        ),
        (
            "more bytes than there are",
            vec![FIN | TEXT, 0x80 | 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
            1009,
        ),
    ];
    for (name, bytes, code) in rows {
        let mut wire = Wire::open(served.address, "").await;
        wire.write(&bytes).await;
        assert_eq!(wire.closed().await, code, "{name}");
    }
    witness.say(&json!({ "type": "cancel", "id": "1" })).await;
    while witness.next_frame().await["type"] != "end" {}
}

#[tokio::test]
async fn a_character_may_be_cut_by_fragments_and_pings_are_answered_between_them() {
    let served = served(Limits::default()).await;
    let mut wire = Wire::open(served.address, "").await;
    let mut asked = run("1", "hello");
    asked["id"] = json!("🦀");
    let text = asked.to_string();
    let middle = text.find('🦀').unwrap() + 2;
    wire.send(TEXT, &text.as_bytes()[..middle]).await;
    wire.send(FIN | PING, b"there?").await;
    assert_eq!(wire.next().await, Some((PONG, b"there?".to_vec())));
    wire.send(CONTINUATION, b"").await;
    wire.send(FIN | CONTINUATION, &text.as_bytes()[middle..]).await;
    let last = loop {
        let frame = wire.next_frame().await;
        if frame["type"] == "end" {
            break frame;
        }
    };
    assert_eq!(last, json!({ "type": "end", "id": "🦀" }));
    wire.send(FIN | CLOSE, &1000_u16.to_be_bytes()).await;
    assert_eq!(wire.closed().await, 1000);
}

#[tokio::test]
async fn a_client_that_offers_compression_gets_a_socket_without_it() {
    let served = served(Limits::default()).await;
    for offered in [
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover; client_max_window_bits=10, x-webkit-deflate-frame",
        "nonsense;;=",
    ] {
        let mut wire = Wire::open(served.address, offered).await;
        assert!(!wire.head.contains("sec-websocket-extensions"), "{offered}: {}", wire.head);
        wire.say(&run("1", "hello")).await;
        while wire.next_frame().await["type"] != "end" {}
        // It is not used without its negotiation either.
        wire.send(FIN | COMPRESSED | TEXT, DEFLATED).await;
        assert_eq!(wire.closed().await, 1002, "{offered}");
    }
}

#[tokio::test]
async fn http_2_has_no_socket_and_announces_none() {
    let served = served(Limits::default()).await;
    let stream = TcpStream::connect(served.address).await.unwrap();
    let (client, connection) = h2::client::handshake(stream).await.unwrap();
    tokio::spawn(connection);
    let mut client = client.ready().await.unwrap();
    let request = http::Request::get(format!("http://{}/agui/ws", served.address)).body(()).unwrap();
    let (answer, _) = client.send_request(request, true).unwrap();
    assert_eq!(answer.await.unwrap().status(), 426);
    // The settings came before the answer.
    assert!(!client.is_extended_connect_protocol_enabled());
}

#[tokio::test]
async fn a_client_that_answers_no_ping_is_cut_in_the_middle_of_its_run() {
    let served = served(Limits::default().write_timeout(Duration::from_millis(400))).await;
    let mut wire = Wire::open(served.address, "").await;
    wire.say(&run("1", "wait")).await;
    let mut pings = 0;
    while let Some((opcode, payload)) = wire.next().await {
        assert!(opcode == TEXT || opcode == PING, "{opcode}: {payload:?}");
        pings += usize::from(opcode == PING);
    }
    assert!(pings > 0);
}

#[tokio::test]
async fn a_close_in_the_middle_of_a_kept_run_loses_nothing() {
    let (cook, _told) = Cook::new();
    let bell = Arc::clone(&cook.bell);
    let served = Served::start(Server::new().websocket().threads(Memory::new()).agent("/", cook)).await;
    let asked = run("1", "wait");
    let is_event = |frame: &Value| frame["type"] == "event";
    let mut first = Wire::open(served.address, "").await;
    first.say(&asked).await;
    let mut seen = Vec::new();
    while seen.len() < 3 {
        seen.extend(Some(first.next_frame().await).filter(is_event));
    }
    first.send(FIN | CLOSE, &1001_u16.to_be_bytes()).await;
    assert_eq!(first.closed().await, 1001);
    bell.notify_one();
    // Goes on after the last event, and then reads the whole.
    let mut rest = asked.clone();
    rest["lastEventId"] = seen.last().unwrap()["eventId"].clone();
    let mut again = Wire::open(served.address, "").await;
    let mut read = async |asked: &Value| {
        again.say(asked).await;
        let mut frames = Vec::new();
        loop {
            let frame = again.next_frame().await;
            if frame["type"] == "end" {
                assert!(frame["error"].is_null(), "{frame}");
                return frames;
            }
            frames.extend(Some(frame).filter(is_event));
        }
    };
    seen.extend(read(&rest).await);
    assert_eq!(seen, read(&asked).await);
    assert!(seen.iter().any(|frame| frame["event"]["delta"] == " is over"), "{seen:#?}");
}
