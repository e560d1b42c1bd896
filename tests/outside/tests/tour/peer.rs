//! The client of crate `ag-ui`, another implementation of the protocol in Rust.

use std::convert::Infallible;
use std::net::SocketAddr;

use ag_ui::client::transport::{
    EventStream, RawTransportFuture, Transport, TransportFuture, boxed_raw_stream, boxed_stream,
    decode_events, decode_raw_events,
};
use ag_ui::client::{InterruptExt, RunEnd, Thread};
use ag_ui::{Message, RunAgentInput, Tool};
use agui_tests::http::Request;
use futures::stream::iter;
use serde_json::{Value, json};

use crate::case::Peer;
use crate::seen::{Doing, assert_echo, lines, sights};
use crate::{address, tour};

/// A route, as their client reaches it.
#[derive(Clone)]
struct Route {
    address: SocketAddr,
    path: &'static str,
}

impl Route {
    /// The body in small pieces, as on a slow connection.
    async fn body(self, input: RunAgentInput) -> Vec<Result<Vec<u8>, Infallible>> {
        let body = serde_json::to_string(&input).unwrap();
        let answer = Request::run(self.path, body).send(self.address).await;
        assert_eq!(answer.status, 200, "{}: {}", self.path, answer.text());
        answer.body.chunks(7).map(|piece| Ok(piece.to_vec())).collect()
    }
}

impl Transport for Route {
    fn run(&self, input: RunAgentInput) -> TransportFuture {
        let body = self.clone().body(input);
        Box::pin(async move { Ok(boxed_stream(decode_events(iter(body.await))) as EventStream) })
    }

    fn run_raw(&self, input: RunAgentInput) -> RawTransportFuture {
        let body = self.clone().body(input);
        Box::pin(async move { Ok(boxed_raw_stream(decode_raw_events(iter(body.await)))) })
    }
}

fn thread(path: &'static str, address: SocketAddr, peer: Peer, tools: &[&str]) -> Thread<Route> {
    let version = (peer == Peer::Current).then(|| "1.0".to_owned());
    let tools: Vec<Tool> = tools
        .iter()
        .map(|tool| {
            serde_json::from_value(json!({ "name": tool, "description": "Asks.", "parameters": {} })).unwrap()
        })
        .collect();
    Thread::builder(Route { address, path }, format!("peer{path}{peer:?}"))
        .protocol_version(version)
        .tools(tools)
        .build()
        .unwrap()
}

fn conversation(messages: &[Message]) -> Vec<Value> {
    messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
}

#[tokio::test]
async fn it_sees_every_route_as_the_official_clients_do() {
    let server = tour();
    for peer in [Peer::Current, Peer::Legacy] {
        for sight in sights(peer) {
            let (text, tools): (_, &[_]) = match &sight.doing {
                Doing::Saying(text) => (*text, &[]),
                Doing::Offering(tool) => ("hi", &[*tool]),
            };
            let mut thread = thread(sight.route, address(&server), peer, tools);
            let report = thread.send(text).unwrap().collect_report().await;
            let title = format!("{} {peer:?}: {report:#?}", sight.route);
            assert!(report.diagnostics.is_empty(), "{title}");
            // It keeps reasoning apart.
            let thoughts = |line: &String| !line.starts_with("reasoning: ");
            let expected: Vec<String> = sight.lines.into_iter().filter(thoughts).collect();
            assert_eq!(lines(&conversation(thread.messages())[1..]), expected, "{title}");
            assert_eq!(thread.raw_state(), &sight.state, "{title}");
        }
    }
}

#[tokio::test]
async fn it_sees_how_runs_end() {
    let server = tour();
    let at = |path, peer| thread(path, address(&server), peer, &[]);

    let mut failing = at("/lab/error", Peer::Current);
    let end = failing.send("hi").unwrap().collect_report().await.end;
    assert_eq!(end, RunEnd::Failed { message: "lab failure".to_owned(), code: Some("LAB_ERR".to_owned()) });

    let mut cancelled = at("/lab/cancelled", Peer::Current);
    assert_eq!(cancelled.send("hi").unwrap().collect_report().await.end, RunEnd::Cancelled);
    let mut cancelled = at("/lab/cancelled", Peer::Legacy);
    assert_eq!(cancelled.send("hi").unwrap().collect_report().await.end, RunEnd::Success { result: None });

    let mut pending = at("/lab/result", Peer::Current);
    let end = pending.send("hi").unwrap().collect_report().await.end;
    let result = Some(json!({ "score": 0.5, "tags": ["a"] }));
    let pending_tool_call_ids = vec!["pending-1".into()];
    assert_eq!(end, RunEnd::SuccessWithPendingToolCalls { result, pending_tool_call_ids });

    let mut asking = at("/lab/interrupt", Peer::Current);
    asking.send("hi").unwrap().collect_report().await;
    let question = asking.interrupts()[0].clone();
    let report = asking.resume(&question, json!({ "approved": true })).unwrap().collect_report().await;
    assert!(report.diagnostics.is_empty(), "{report:#?}");
    let said = lines(&conversation(&report.new_messages));
    assert_eq!(said, [r#"assistant: Resumed lab-int-1: resolved {"approved": true}"#]);

    let mut both = at("/lab/interrupts_two", Peer::Current);
    both.send("hi").unwrap().collect_report().await;
    let entries = [both.interrupts()[0].resolve(json!("Ada")), both.interrupts()[1].cancel()];
    let report = both.resume_many(entries).unwrap().collect_report().await;
    assert!(report.diagnostics.is_empty(), "{report:#?}");
    assert_eq!(
        lines(&conversation(&report.new_messages)),
        ["assistant: Resumed one=resolved, two=cancelled"]
    );
}

/// Answers every open call with this, and continues.
async fn answered(thread: &mut Thread<Route>, text: &str, answer: &str) -> Vec<String> {
    thread.send(text).unwrap().collect_report().await;
    let messages = conversation(thread.messages());
    let calls: Vec<&Value> =
        messages.iter().filter_map(|message| message["toolCalls"].as_array()).flatten().collect();
    let (last, before) = calls.split_last().expect("it calls");
    let answer = |call: &Value| -> Message {
        let id = format!("answer-{}", call["id"].as_str().unwrap());
        serde_json::from_value(
            json!({ "id": id, "role": "tool", "toolCallId": call["id"], "content": answer }),
        )
        .unwrap()
    };
    before.iter().for_each(|call| thread.push_message(answer(call)).unwrap());
    let report = thread.send_message(answer(last)).unwrap().collect_report().await;
    assert!(report.diagnostics.is_empty(), "{report:#?}");
    lines(&conversation(&report.new_messages))
        .into_iter()
        .filter(|line| line.starts_with("assistant: "))
        .collect()
}

#[tokio::test]
async fn it_answers_calls_and_sends_what_it_has() {
    let server = tour();
    for peer in [Peer::Current, Peer::Legacy] {
        let at = |path, tools: &[&str]| thread(path, address(&server), peer, tools);
        assert_eq!(
            answered(&mut at("/lab/tool", &["choose"]), "hi", "red").await,
            ["assistant: Tool said: red"]
        );
        let rows = [
            ("/agentic_chat", "tool", "assistant: background changed ✓"),
            ("/human_in_the_loop", "hi", "assistant: Ok! I'm working on it."),
            ("/predictive_state_updates", "hi", "assistant: Ok!"),
        ];
        for (route, text, said) in rows {
            assert_eq!(answered(&mut at(route, &[]), text, "done").await, [said], "{route} {peer:?}");
        }
        let mut echoing = at("/lab/echo_input", &["choose"]);
        let props = json!({ "theme": "dark" });
        echoing.set_forwarded_props(props.clone());
        let report = echoing.send("hi").unwrap().collect_report().await;
        assert_echo(lines(&conversation(&report.new_messages)).last().unwrap(), &props);
    }
}
