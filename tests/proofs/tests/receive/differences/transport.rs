//! How bytes become frames, and frames bytes.

use agui_runtime::prelude::*;
use agui_runtime::protocol::StateSnapshotEvent;
use agui_runtime::wire::proto::{self, DecodeFault, Decoded};
use agui_runtime::wire::sse::{Decoder, MAX_RECORD};
use agui_runtime::{agent, router};
use agui_tests::http::Request;
use agui_tests::outside::Node;
use agui_tests::wire::fixture;
use serde_json::{Value, json};

use super::ask;
use crate::proto::{hex, message};
use crate::stream::shown;

pub(super) fn crlf(node: &Node) {
    shown(node, "CrLf");
}

pub(super) fn abort(node: &Node) {
    shown(node, "Abort");
}

pub(super) fn record_bytes(node: &Node) {
    let count = MAX_RECORD / 2 + 1;
    let hex = ["data: {\"type\":\"RAW\",\"event\":\"", "\"}\n\n"].map(|text| hex(text.as_bytes()));
    let theirs = ask(node, "sse.mjs", json!({ "pieces": [hex[0], "c3a9".repeat(count), hex[1]] }));
    assert_eq!(theirs["payloads"][0]["event"].as_str().map(str::len), Some(2 * count));
    let mut decoder = Decoder::new();
    decoder.push(format!("data: {{\"type\":\"RAW\",\"event\":\"{}\"}}\n\n", "é".repeat(count)).as_bytes());
    assert!(decoder.next().is_err());
}

/// Says nothing.
#[agent]
async fn quiet(_: &mut Run<Quiet>, _: Input<Quiet>) -> Result<(), Stop> {
    Ok(())
}

/// The vectors hold the official writer's choice: its package for servers is not one of the client's.
pub(super) fn wildcard_accept(_: &Node) {
    let rows = fixture::json("vectors/proto.json")["accept"].take();
    let wild: Vec<(&str, &str)> = rows
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|row| Some((row["accept"].as_str()?, row["contentType"].as_str()?)))
        .filter(|(accept, _)| accept.contains('*'))
        .collect();
    assert!(wild.len() >= 2 && wild.iter().all(|(_, chosen)| *chosen == proto::CONTENT_TYPE));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router(Quiet::new())).await });
        let input = json!({ "threadId": "t", "runId": "r", "messages": [] }).to_string();
        for (accept, _) in wild {
            let answer = Request::run("/", input.as_str()).header("accept", accept).send(address).await;
            assert_eq!(answer.header("content-type"), Some("text/event-stream"), "{accept}");
        }
    });
}

pub(super) fn fields_within_messages(node: &Node) {
    // RUN_FINISHED with a usage of two bytes whose token count takes a third, the key of the outcome behind it. The
    // rest is fields in either reading.
    let text = "6a200a02080c1201741a01723a0218802a10002a0d61616161616161616161616161";
    let fault = proto::decode(&crate::proto::bytes(text)).unwrap_err().fault();
    assert!(matches!(fault, DecodeFault::Truncated | DecodeFault::Key), "{fault}");
    let theirs = ask(node, "proto.mjs", json!({ "hex": text }));
    assert_eq!(theirs["event"]["usage"][0]["inputTokens"], 128 * 0x2A, "{theirs}");
}

pub(super) fn no_number(node: &Node) {
    let text = r#"{"type":"STATE_SNAPSHOT","snapshot":1e999}"#;
    let theirs = ask(node, "proto.mjs", json!({ "json": text }));
    let infinite = theirs["hex"].as_str().unwrap();
    assert!(infinite.contains(&hex(&f64::INFINITY.to_le_bytes())), "{infinite}");
    let finite = hex(&message(&StateSnapshotEvent::new(json!(1.5)).into()));
    assert_eq!(finite.replace(&hex(&1.5_f64.to_le_bytes()), &hex(&f64::INFINITY.to_le_bytes())), infinite);
    match proto::decode(&crate::proto::bytes(infinite)) {
        Ok(Decoded::Event { json, .. }) => assert_eq!(json["snapshot"], Value::Null),
        other => panic!("{other:?}"),
    }
}
