//! Versions of the protocol between our own ends: a client of AG-UI 1.0 gets and sends no member of 1.1, over every transport.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use agui_runtime::client::{Accept, HttpAgent, Session};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    AssistantMessage, EncryptedValue, Event, FunctionCall, Message, ReasoningMessage, ToolCall, ToolMessage,
    UserMessage,
};
use agui_runtime::receive::{FrameIntake, PeerCeiling, ReceivePipeline};
use agui_runtime::thread::Memory;
use agui_runtime::{Policy, Server, testing};
use serde_json::{Value, json};

use crate::in_time;

const TYPE: &str = "acme.signature";

fn signature(value: &str) -> EncryptedValue {
    EncryptedValue::new(value).with_type(TYPE)
}

/// Signs a text and a thought, and says which types the input has.
#[agent]
async fn signer(run: &mut Run<Signer>, input: Input<Signer>) -> Result<(), Stop> {
    let types: Vec<_> =
        input.messages.iter().filter_map(Message::encrypted).map(|value| value.value_type).collect();
    let text = run.say(format!("{types:?}")).await;
    run.encrypted(&text, signature("first")).await;
    run.encrypted(&text, signature("second")).await;
    let thought = run.think("Hm.").await;
    run.encrypted(&thought, signature("third")).await;
    // A new value without a type removes the type.
    run.encrypted(&thought, "fourth").await;
    Ok(())
}

/// A server, and agents behind all transports.
async fn transports(server: Server) -> Vec<(&'static str, HttpAgent)> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server.websocket().agent("/signer", Signer::new());
    tokio::spawn(async move { server.serve_on(listener, std::future::pending()).await });
    let agent = || HttpAgent::new(format!("http://{address}/signer")).unwrap();
    let socket = |accept| agent().websocket(format!("ws://{address}/agui/ws")).unwrap().accept(accept);
    vec![
        ("server-sent events", agent().accept(Accept::Sse)),
        ("binary", agent().accept(Accept::Binary)),
        ("socket", socket(Accept::Sse)),
        ("binary socket", socket(Accept::Binary)),
    ]
}

fn values(session: &Session) -> Vec<EncryptedValue> {
    session.messages().iter().filter_map(Message::encrypted).collect()
}

async fn join(session: &mut Session) {
    let turn = in_time(session.connect()).await.unwrap().expect("the thread has a run");
    in_time(turn.finish()).await.unwrap();
}

#[tokio::test]
async fn a_value_has_its_type_for_clients_whose_version_has_types() {
    for (transport, agent) in transports(Server::new()).await {
        let mut current: Session = Session::new(agent.clone()).with_thread_id(format!("current {transport}"));
        assert_eq!(in_time(current.run()).await.unwrap().text(), "[]", "{transport}");
        assert_eq!(values(&current), [signature("second"), EncryptedValue::new("fourth")], "{transport}");
        let next = in_time(current.run()).await.unwrap().text();
        assert_eq!(next, r#"[Some("acme.signature"), None]"#, "{transport}");

        let first: PeerCeiling = "1.0.0".parse().unwrap();
        let mut earlier: Session =
            Session::new(agent).with_thread_id(format!("earlier {transport}")).with_ceiling(first);
        in_time(earlier.run()).await.unwrap();
        assert_eq!(values(&earlier), ["second", "fourth"].map(EncryptedValue::new), "{transport}");
        assert_eq!(in_time(earlier.run()).await.unwrap().text(), "[None, None]", "{transport}");
    }
}

#[tokio::test]
async fn a_stored_thread_keeps_types_for_the_clients_that_read_them() {
    for (transport, agent) in transports(Server::new().threads(Memory::new())).await {
        let first: PeerCeiling = "1.0.0".parse().unwrap();
        let session =
            |thread: &str| Session::new(agent.clone()).with_thread_id(format!("{thread} {transport}"));
        for thread in ["current", "earlier"] {
            let mut began: Session = match thread {
                "current" => session(thread),
                _ => session(thread).with_ceiling(first),
            };
            in_time(began.run()).await.unwrap();
            // Whichever client began the run, the thread has the types.
            let mut joined: Session = session(thread);
            join(&mut joined).await;
            assert_eq!(
                values(&joined),
                [signature("second"), EncryptedValue::new("fourth")],
                "{thread}, {transport}"
            );
            let mut joined: Session = session(thread).with_ceiling(first);
            join(&mut joined).await;
            assert_eq!(
                values(&joined),
                ["second", "fourth"].map(EncryptedValue::new),
                "{thread}, {transport}"
            );
            let next = in_time(joined.run()).await.unwrap().text();
            assert_eq!(next, r#"[Some("acme.signature"), None]"#, "{thread}, {transport}");
        }
    }
}

/// Restates the conversation with a type on each kind of place, and a type without a value.
#[agent]
async fn restater(run: &mut Run<Restater>, _: Input<Restater>) -> Result<(), Stop> {
    let call = ToolCall::new("c", FunctionCall::new("price", "{}")).with_encrypted(signature("call"));
    let lone = ReasoningMessage::new("r", "Hm.").with_encrypted_value_type(TYPE);
    let messages = [
        UserMessage::new("u", "Hi").with_encrypted(signature("user")).into(),
        AssistantMessage::new("a").with_tool_calls([call]).into(),
        lone.into(),
    ];
    run.messages_snapshot(messages).await;
    Ok(())
}

#[tokio::test]
async fn a_snapshot_has_what_the_version_has_and_no_type_without_a_value() {
    let count = |events: &[Event]| json!(events).to_string().matches("encryptedValueType").count();
    for (version, types) in [("1.0", 0), ("1.1", 2), ("1.9", 2)] {
        let input = testing::input("Hi").with_protocol_version(version);
        let events = testing::run(Restater::new(), input).await;
        assert_eq!(count(&events), types, "{version}");
        let declared = json!(events[0])["protocolVersion"].clone();
        assert_eq!(declared, if version == "1.0" { "1.0" } else { "1.1" });
    }
    let mut input = testing::input("Hi");
    input.protocol_version = None;
    assert_eq!(count(&testing::run(Restater::new(), input).await), 0, "a draft has no types");
}

#[test]
fn inputs_for_earlier_agents_lose_types_with_a_warning() {
    use agui_runtime::receive::{LegacyTranslator, WarningKind};
    let message = || Message::from(UserMessage::new("u", "Hi").with_encrypted(signature("x")));
    for (ceiling, version, kept) in
        [("1.1.0", Some("1.1"), true), ("1.0.3", Some("1.0"), false), ("0.0.57", None, false)]
    {
        let mut input = testing::input("Hi");
        input.messages = vec![message()];
        let warnings = Arc::new(AtomicUsize::new(0));
        LegacyTranslator::new().with_ceiling(ceiling.parse().unwrap()).outgoing(&mut input, &mut |warning| {
            assert_eq!(
                (warning.kind(), warning.path()),
                (&WarningKind::Unsent, "/messages/0/encryptedValueType")
            );
            warnings.fetch_add(1, Ordering::Relaxed);
        });
        assert_eq!(input.protocol_version.as_deref(), version);
        let value: Value = json!(input.messages);
        assert_eq!(value[0].get("encryptedValueType").is_some(), kept, "{ceiling}");
        assert_eq!(value[0]["encryptedValue"], "x");
        assert_eq!(warnings.load(Ordering::Relaxed), usize::from(!kept), "{ceiling}");
    }
}

#[tokio::test]
async fn types_without_a_value_leave_neither_end() {
    for (transport, agent) in transports(Server::new()).await {
        let warnings = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&warnings);
        let call = ToolCall::new("c", FunctionCall::new("price", "{}")).with_encrypted_value_type(TYPE);
        let messages: [Message; 4] = [
            UserMessage::new("u", "Hi").with_encrypted(signature("u")).into(),
            UserMessage::new("lone", "Hi").with_encrypted_value_type(TYPE).into(),
            AssistantMessage::new("a").with_tool_calls([call]).into(),
            ToolMessage::new("t", "7", "c").into(),
        ];
        let recording = [
            json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" }),
            json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages }),
            json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" }),
        ];
        let session: Session = Session::new(agent).with_warnings(move |warning| {
            assert_eq!(warning.kind(), &agui_runtime::receive::WarningKind::Unsent);
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let lines = recording.map(|event| event.to_string()).join("\n");
        // The agent says which types its input has.
        let mut session = session.restore_lines(&lines).unwrap();
        session.say("Again");
        let text = in_time(session.run()).await.unwrap().text();
        assert_eq!(text, r#"[Some("acme.signature")]"#, "{transport}");
        assert_eq!(warnings.load(Ordering::Relaxed), 2, "{transport}");
    }
}

/// Forwards another agent's events.
#[agent]
async fn forwarder(run: &mut Run<Forwarder>, _: Input<Forwarder>) -> Result<(), Stop> {
    let mut foreign = run.dynamic(Policy::Strict);
    for event in foreign_events() {
        foreign.feed(event).await?;
    }
    Ok(())
}

fn foreign_events() -> Vec<Event> {
    let text = |value: Value| serde_json::from_value::<Event>(value).unwrap();
    vec![
        text(json!({ "type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant" })),
        text(json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi" })),
        text(json!({ "type": "TEXT_MESSAGE_END", "messageId": "m" })),
        text(json!({
            "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m",
            "encryptedValue": "x", "encryptedValueType": TYPE,
        })),
    ]
}

#[tokio::test]
async fn forwarded_and_compacted_values_have_their_types() {
    for (version, types) in [("1.0", 0), ("1.1", 1)] {
        let input = testing::input("Hi").with_protocol_version(version);
        let events = testing::run(Forwarder::new(), input).await;
        let compacted = agui_runtime::receive::compact::compact(events.clone());
        for events in [events, compacted] {
            let text = json!(events).to_string();
            assert_eq!(text.matches(TYPE).count(), types, "{version}: {text}");
            assert_eq!(text.matches(r#""encryptedValue":"x""#).count(), 1, "{version}: {text}");
        }
    }
}

#[test]
fn a_restored_message_has_the_type_of_the_snapshot() {
    let started = json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.1" });
    let message = |members: Value| {
        let mut message = json!({ "id": "u", "role": "user", "content": "Hi" });
        message.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": [message] })
    };
    let mut pipeline = ReceivePipeline::new();
    let mut intake = FrameIntake::new();
    let mut warnings = Vec::new();
    let mut last = |events: &[Value]| {
        for event in events {
            let event =
                intake.text(&event.to_string(), &mut |warning| warnings.push(warning.to_string())).unwrap();
            pipeline.push(event.unwrap());
        }
        pipeline.drain(|_, _, _| {}).unwrap();
        pipeline.reducer().messages().last().unwrap().encrypted()
    };
    let typed = message(json!({ "encryptedValue": "a", "encryptedValueType": TYPE }));
    assert_eq!(last(&[started, typed]), Some(EncryptedValue::new("a").with_type(TYPE)));
    // Another type is the new one; a snapshot without a type has none.
    let changed = message(json!({ "encryptedValue": "b", "encryptedValueType": "acme.other" }));
    assert_eq!(last(&[changed]), Some(EncryptedValue::new("b").with_type("acme.other")));
    assert_eq!(last(&[message(json!({ "encryptedValue": "c" }))]), Some(EncryptedValue::new("c")));
    // Neither a type alone nor one on an activity is a value.
    assert_eq!(last(&[message(json!({ "encryptedValueType": TYPE }))]), None);
    let activity = json!({ "type": "MESSAGES_SNAPSHOT", "messages": [
        { "id": "p", "role": "activity", "activityType": "PLAN", "content": {}, "encryptedValueType": TYPE },
    ] });
    assert_eq!(last(&[activity]), None);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].contains("/messages/0/encryptedValueType"), "{warnings:?}");
}
