//! Versions of the protocol on a stored thread: each reader gets its own, whichever client began the run.

use std::collections::BTreeMap;

use agui_runtime::prelude::*;
use agui_runtime::protocol::{EncryptedValue, ProtocolVersion};
use agui_runtime::thread::Memory;
use agui_runtime::{Peer, Server};
use agui_tests::http::Request;
use agui_tests::log::Log;
use serde_json::{Value, json};
use tracing::Level;

use crate::thread_server::{ThreadServer, events};

/// Signs a text.
#[agent]
async fn signer(run: &mut Run<Signer>, _: Input<Signer>) -> Result<(), Stop> {
    let text = run.say("Hi").await;
    run.encrypted(&text, EncryptedValue::new("x").with_type("acme.signature")).await;
    Ok(())
}

/// An input with a typed value, from a client with this version.
fn input(run: &str, version: Option<&str>) -> Value {
    let mut input = json!({ "threadId": "t", "runId": run, "tools": [], "context": [], "messages": [
        { "id": run, "role": "user", "content": "Hi", "encryptedValue": "u", "encryptedValueType": "acme.user" },
    ] });
    if let Some(version) = version {
        input["protocolVersion"] = json!(version);
    }
    input
}

/// The version that each RUN_STARTED declares, and the types of encrypted values, in the order of the text.
fn seen(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut declared, mut types) = (Vec::new(), Vec::new());
    for event in events(text) {
        if event["type"] == "RUN_STARTED" {
            declared.push(event["protocolVersion"].as_str().unwrap_or("none").to_owned());
        }
        types.extend(["acme.user", "acme.signature"].into_iter().filter(|of| event.to_string().contains(of)));
    }
    (declared, types.into_iter().map(str::to_owned).collect())
}

/// A server whose clients that declare no version are `assumed`.
async fn open(assumed: Peer) -> ThreadServer {
    ThreadServer::serve(Server::new().threads(Memory::new()).assume_peer(assumed).agent("/", Signer::new()))
        .await
}

const FIRST: Peer = Peer::Speaks(ProtocolVersion::V1_0);

#[tokio::test]
async fn each_reader_is_given_its_own_version_whichever_client_began_the_run() {
    for assumed in [Peer::Legacy, FIRST, Peer::CURRENT] {
        let speaks = |version: Option<&str>| match version {
            None if assumed == Peer::CURRENT => "1.1",
            None | Some("1.0") => "1.0",
            Some(_) => "1.1",
        };
        for began in [None, Some("1.0"), Some("1.1"), Some("1.7")] {
            let server = open(assumed).await;
            let begins = || Request::run("/", input("r", began).to_string());
            let what = format!("began {began:?}, assumed {assumed:?}");
            let stored_types: &[&str] = match speaks(began) {
                // A client of 1.0 has no types to send.
                "1.0" => &["acme.signature"],
                _ => &["acme.user", "acme.signature"],
            };
            // The same request again reads the stored run.
            for _ in 0..2 {
                let (declared, types) = seen(begins().send(server.address).await.text());
                assert_eq!(declared, [speaks(began)], "{what}");
                let expected = if speaks(began) == "1.0" { &[][..] } else { stored_types };
                assert_eq!(types, expected, "{what}");
            }
            for joins in [None, Some("1.0"), Some("1.1"), Some("1.7")] {
                let joined =
                    Request::run("/connect", input("c", joins).to_string()).send(server.address).await;
                let (declared, types) = seen(joined.text());
                assert_eq!(declared, [speaks(joins)], "{what}, {joins:?} joins");
                let expected = if speaks(joins) == "1.0" { &[][..] } else { stored_types };
                assert_eq!(types, expected, "{what}, {joins:?} joins");
            }
        }
    }
}

#[tokio::test]
async fn who_follows_a_thread_says_the_version_in_the_address() {
    for (assumed, parameter, version, types) in [
        (Peer::Legacy, "", "1.1", 3),
        (Peer::Legacy, "?protocolVersion=1.0", "1.0", 0),
        (Peer::Legacy, "?protocolVersion=1.1", "1.1", 3),
        (Peer::Legacy, "?protocolVersion=1.7", "1.1", 3),
        (FIRST, "", "1.0", 0),
        (FIRST, "?protocolVersion=1.1", "1.1", 3),
        (Peer::CURRENT, "", "1.1", 3),
    ] {
        let server = open(assumed).await;
        Request::run("/", input("before", Some("1.0")).to_string()).send(server.address).await;
        let path = format!("/threads/t/events{parameter}");
        let mut follower = Request::new("GET", &path).open(server.address).await;
        let mut text = follower.until("RUN_FINISHED").await;
        Request::run("/", input("after", Some("1.1")).to_string()).send(server.address).await;
        text += &follower.until("RUN_FINISHED").await;
        let (declared, found) = seen(&text);
        assert_eq!(declared, [version, version], "{assumed:?}, {parameter:?}: {text}");
        assert_eq!(found.len(), types, "{assumed:?}, {parameter:?}: {text}");
    }
    let server = open(Peer::Legacy).await;
    let refused = Request::new("GET", "/threads/t/events?protocolVersion=2.0").send(server.address).await;
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("unsupported_protocol_version"), "{}", refused.text());
}

#[tokio::test]
async fn the_log_has_what_a_reader_of_an_earlier_version_loses() {
    let server = open(Peer::Legacy).await;
    Request::run("/", input("first", Some("1.1")).to_string()).send(server.address).await;
    Request::run("/", input("second", Some("1.1")).to_string()).send(server.address).await;
    let warnings = |lines: Vec<String>| {
        lines.into_iter().filter(|line| line.contains("lacks members or an event")).count()
    };
    for (joins, expected) in [(None, 1), (Some("1.0"), 1), (Some("1.1"), 0)] {
        let (log, _recording) = Log::record(Level::WARN);
        Request::run("/connect", input("c", joins).to_string()).send(server.address).await;
        assert_eq!(warnings(log.take()), expected, "{joins:?} joins");
    }
    for (version, expected) in [("1.0", 1), ("1.1", 0)] {
        let (log, _recording) = Log::record(Level::WARN);
        let path = format!("/threads/t/events?protocolVersion={version}");
        let mut follower = Request::new("GET", &path).open(server.address).await;
        follower.until("RUN_FINISHED").await;
        Request::run("/", input(&format!("after {version}"), Some("1.1")).to_string())
            .send(server.address)
            .await;
        follower.until("RUN_FINISHED").await;
        assert_eq!(warnings(log.take()), expected, "{version} follows");
    }
}

/// Returns the conversation of a reader, by message id.
async fn conversation(server: &ThreadServer) -> BTreeMap<String, Value> {
    let joined = Request::run("/connect", input("c", Some("1.1")).to_string()).send(server.address).await;
    let snapshot =
        events(joined.text()).into_iter().find(|event| event["type"] == "MESSAGES_SNAPSHOT").unwrap();
    let messages = snapshot["messages"].as_array().unwrap().iter();
    messages.map(|message| (message["id"].as_str().unwrap().to_owned(), message.clone())).collect()
}

#[tokio::test]
async fn types_that_no_producer_may_send_reach_no_reader() {
    let server = open(Peer::Legacy).await;
    let mut odd = input("r", Some("1.1"));
    let message = |id: &str, role: &str, members: Value| {
        let mut message =
            json!({ "id": id, "role": role, "content": "Hi", "encryptedValueType": "acme.user" });
        message.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        message
    };
    let call = json!({ "id": "k", "type": "function", "function": { "name": "n", "arguments": "{}" },
        "encryptedValueType": "acme.user" });
    odd["messages"] = json!([
        message("a type without a value", "user", json!({})),
        message("on a call", "assistant", json!({ "toolCalls": [call] })),
        message("the result", "tool", json!({ "toolCallId": "k" })),
        message(
            "on an activity",
            "activity",
            json!({ "activityType": "PLAN", "content": {}, "encryptedValue": "u" })
        ),
        message("whole", "user", json!({ "encryptedValue": "u" })),
    ]);
    let run = Request::run("/", odd.to_string()).send(server.address).await;
    let read = conversation(&server).await;
    for text in [run.text(), &json!(read).to_string()] {
        assert_eq!(text.matches("acme.user").count(), 1, "{text}");
    }
    assert_eq!(read["whole"]["encryptedValueType"], "acme.user");
}

#[tokio::test]
async fn a_type_that_a_client_changes_on_restore_stays_as_stored() {
    let server = open(Peer::Legacy).await;
    Request::run("/", input("first", Some("1.1")).to_string()).send(server.address).await;
    let stored = conversation(&server).await;
    let mut sent: Vec<Value> = ["first", "agent"]
        .map(|of| stored.iter().find(|(id, _)| (*id == "first") == (of == "first")).unwrap().1.clone())
        .into();
    sent.iter_mut().for_each(|message| message["encryptedValueType"] = json!("acme.changed"));
    let next = |run: &str, messages: &[Value]| {
        let mut next = input(run, Some("1.1"));
        next["messages"].as_array_mut().unwrap().splice(..0, messages.iter().cloned());
        Request::run("/", next.to_string())
    };
    next("second", &sent).send(server.address).await;
    let read = conversation(&server).await;
    assert_eq!(read.len(), 4, "{read:#?}");
    for (id, message) in &stored {
        assert_eq!(&read[id], message, "a client returns values and types as they were");
    }
    // Another content is another message, with what comes with it.
    sent[0]["content"] = json!("Hello");
    sent[0].as_object_mut().unwrap().remove("encryptedValueType");
    next("third", &sent[..1]).send(server.address).await;
    let read = conversation(&server).await;
    assert_eq!((&read["first"]["content"], &read["first"]["encryptedValue"]), (&json!("Hello"), &json!("u")));
    assert_eq!(read["first"].get("encryptedValueType"), None, "{read:#?}");
}
