//! Clients that break the rules of the socket.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use axum::extract::Request as AxumRequest;
use axum::middleware::{Next, from_fn};
use futures::SinkExt as _;
use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

use super::runs::served;
use super::socket::{Socket, run};
use crate::kitchen::{Cook, Served, asking};

#[tokio::test]
async fn garbage_closes_the_socket_and_nothing_else() {
    let served = served(Limits::default().body_size(1000)).await;
    let mut witness = Socket::open(served.address).await;
    witness.run("1", "wait").await;
    witness.until("waiting").await;
    let text = |text: &str| Message::text(text.to_owned());
    let rows: [(Message, u16); 12] = [
        (text("garbage"), 1008),
        (text(""), 1008),
        (text("[]"), 1008),
        (text(r#"{"type":"run"}"#), 1008),
        (text(r#"{"type":"dance","id":"1"}"#), 1008),
        (text(r#"{"type":"run","id":"1","path":"/"}"#), 1008),
        (text(r#"{"type":"run","id":"","path":"/","input":{}}"#), 1008),
        (text(r#"{"type":"window","id":"1"}"#), 1008),
        (text(r#"{"type":"cancel","id":7}"#), 1008),
        (text(&format!(r#"{{"type":"cancel","id":"{}"}}"#, "x".repeat(256))), 1008),
        (Message::binary(b"bytes".to_vec()), 1003),
        (text(&"x".repeat(80_000)), 1009),
    ];
    for (message, code) in rows {
        let mut socket = Socket::open(served.address).await;
        socket.0.send(message.clone()).await.unwrap();
        assert_eq!(socket.closed().await.0, code, "{message:?}");
    }
    // Bytes that are no frames: reserved bits, no mask, a text that is not UTF-8, a control frame that is too long.
    let raw: [(&[u8], u16); 4] = [
        (b"\xf1\x80\x00\x00\x00\x00", 1002),
        (b"\x81\x02hi", 1002),
        (b"\x81\x82\x00\x00\x00\x00\xff\xfe", 1007),
        (b"\x89\xfe\x00\xff\x00\x00\x00\x00", 1002),
    ];
    for (bytes, code) in raw {
        let mut socket = Socket::open(served.address).await;
        let mut frame = bytes.to_vec();
        frame.resize(300, 0);
        socket.0.get_mut().write_all(if code == 1002 { &frame } else { bytes }).await.unwrap();
        assert_eq!(socket.closed().await.0, code, "{bytes:?}");
    }
    witness.run("2", "hello").await;
    witness.until_end("2").await;
}

#[tokio::test]
async fn an_id_that_is_in_use_closes_the_socket() {
    let served = served(Limits::default()).await;
    let mut socket = Socket::open(served.address).await;
    socket.run("1", "wait").await;
    socket.run("1", "wait").await;
    let (code, reason) = socket.closed().await;
    assert_eq!((code, reason.as_str()), (1008, "the `id` belongs to a run that goes on"));
}

#[tokio::test]
async fn a_message_may_come_in_fragments_with_pings_between() {
    let served = served(Limits::default()).await;
    let mut socket = Socket::open(served.address).await;
    let text = run("1", "hello").to_string();
    let pieces: Vec<&[u8]> = text.as_bytes().chunks(7).collect();
    for (at, piece) in pieces.iter().enumerate() {
        let kind = if at == 0 { Data::Text } else { Data::Continue };
        let frame = Frame::message(piece.to_vec(), OpCode::Data(kind), at + 1 == pieces.len());
        socket.0.send(Message::Frame(frame)).await.unwrap();
        if at % 5 == 0 {
            socket.0.send(Message::Ping(b"there?".as_slice().into())).await.unwrap();
        }
    }
    let mut has_ended = false;
    while !has_ended {
        if let Message::Text(text) = socket.message().await {
            has_ended = text.contains(r#""type":"end""#);
            assert!(!text.contains("error"), "{text}");
        }
    }
}

#[tokio::test]
async fn ten_thousand_runs_on_one_socket_get_a_hundred_places() {
    const RUNS: usize = 10_000;
    let (cook, _told) = Cook::new();
    let started = std::sync::Arc::clone(&cook.runs);
    let served = Served::start(Server::new().websocket().agent("/", cook)).await;
    let mut socket = Socket::open(served.address).await;
    let (mut open, mut refused) = (Vec::new(), HashMap::<String, usize>::new());
    let mut take = |frame: serde_json::Value| match frame["type"].as_str().unwrap() {
        "open" => open.push(frame["id"].as_str().unwrap().to_owned()),
        "end" => {
            let code = frame["body"]["error"]["code"].as_str().unwrap_or("none").to_owned();
            *refused.entry(code).or_default() += 1;
        }
        _ => {}
    };
    for first in (0..RUNS).step_by(100) {
        for number in first..first + 100 {
            socket.0.feed(Message::text(run(&number.to_string(), "wait").to_string())).await.unwrap();
        }
        socket.0.flush().await.unwrap();
        for _ in 0..100 {
            // The opening of a run, or its refusal.
            loop {
                let frame = socket.frame().await;
                let counts = frame["type"] == "open" || frame["type"] == "end";
                take(frame);
                if counts {
                    break;
                }
            }
        }
    }
    assert_eq!((open.len(), refused), (100, HashMap::from([("too_many_streams".to_owned(), RUNS - 100)])));
    assert_eq!(started.load(std::sync::atomic::Ordering::Relaxed), 100);
    // A slot that is left is free at once.
    socket.send(&json!({ "type": "cancel", "id": open[0] })).await;
    socket.until_end(&open[0]).await;
    socket.run("last", "hello").await;
    assert_eq!(socket.until_end("last").await.pop().unwrap(), json!({ "type": "end", "id": "last" }));
}

#[tokio::test]
async fn a_message_that_is_never_complete_is_given_up() {
    let limits = Limits::default().body_timeout(Duration::from_millis(200));
    let served = served(limits).await;
    let mut socket = Socket::open(served.address).await;
    // A masked frame of 100 bytes, of which ten arrive.
    socket.0.get_mut().write_all(b"\x81\xe4\x00\x00\x00\x00{\"type\":\"r").await.unwrap();
    assert_eq!(socket.closed().await, (1008, "a message took too long".to_owned()));
}

#[tokio::test]
async fn pings_between_fragments_give_a_message_no_more_time_and_need_none_themselves() {
    let served = served(Limits::default().body_timeout(Duration::from_millis(200))).await;
    let mut quiet = Socket::open(served.address).await;
    quiet.0.send(Message::Ping(b"there?".as_slice().into())).await.unwrap();
    assert!(matches!(quiet.message().await, Message::Pong(_)));
    let mut socket = Socket::open(served.address).await;
    let begun = Frame::message(b"{".to_vec(), OpCode::Data(Data::Text), false);
    socket.0.send(Message::Frame(begun)).await.unwrap();
    for _ in 0..30 {
        socket.0.send(Message::Ping(b"there?".as_slice().into())).await.unwrap();
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(socket.closed().await, (1008, "a message took too long".to_owned()));
    quiet.run("1", "hello").await;
    quiet.until_end("1").await;
}

#[tokio::test]
async fn an_input_that_is_not_read_yet_counts_for_the_bytes_of_all_requests() {
    let (arrived, gate) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let layer = from_fn({
        let (arrived, gate) = (Arc::clone(&arrived), Arc::clone(&gate));
        move |request: AxumRequest, next: Next| {
            let (arrived, gate) = (Arc::clone(&arrived), Arc::clone(&gate));
            async move {
                arrived.notify_one();
                gate.notified().await;
                next.run(request).await
            }
        }
    });
    let limits = Limits::default().body_size(350_000).total_body_size(400_000);
    let server = Server::new().websocket().agent("/", Cook::new().0).limits(limits).layer(layer);
    let served = Served::start(server).await;
    let mut first = Socket::open(served.address).await;
    let mut large = run("1", "hello");
    large["input"]["forwardedProps"] = json!("x".repeat(250_000));
    first.send(&large).await;
    arrived.notified().await;
    let mut second = Socket::open(served.address).await;
    let frame = Frame::message(vec![b' '; 250_000], OpCode::Data(Data::Text), false);
    second.0.send(Message::Frame(frame)).await.unwrap();
    assert_eq!(second.closed().await.0, 1013);
    // The run counts its input itself: twice, it would not fit.
    gate.notify_one();
    assert_eq!(first.until_end("1").await.pop().unwrap(), json!({ "type": "end", "id": "1" }));
}

#[tokio::test]
async fn unfinished_messages_count_for_the_bytes_of_all_requests() {
    let limits = Limits::default().body_size(300_000).total_body_size(400_000);
    let served = served(limits).await;
    let begun = async || {
        let mut socket = Socket::open(served.address).await;
        let frame = Frame::message(vec![b' '; 250_000], OpCode::Data(Data::Text), false);
        socket.0.send(Message::Frame(frame)).await.unwrap();
        socket
    };
    let mut first = begun().await;
    // A ping completes no message; its answer says that the fragment has arrived.
    first.0.send(Message::Ping(b"there?".as_slice().into())).await.unwrap();
    assert!(matches!(first.message().await, Message::Pong(_)));
    let mut second = begun().await;
    assert_eq!(second.closed().await.0, 1013);
    drop(first);
    let answer = async || Request::run("/", asking("hello").to_string()).send(served.address).await.status;
    while answer().await != 200 {}
}
