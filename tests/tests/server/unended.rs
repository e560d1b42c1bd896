//! Streams of any source for a legacy client: nothing is open before RUN_ERROR, and each STATE_DELTA applies. `--test copilotkit errors` sends the same
//! runs through CopilotKit's runtime and its client.

use std::time::Duration;

use agui_runtime::http::{AgUiInput, AgUiResponse};
use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{
    Event, JsonPatch, PatchOperation, ReasoningMessageStartEvent, ReasoningStartEvent, RunErrorEvent,
    RunFinishedEvent, RunStartedEvent, StateDeltaEvent, StateSnapshotEvent, StepStartedEvent,
    TextMessageContentEvent, TextMessageStartEvent, ToolCallArgsEvent, ToolCallStartEvent,
};
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Server};
use agui_tests::http::Request;
use agui_tests::log::Log;
use axum::Router;
use axum::routing::post;
use futures::{StreamExt, stream};
use serde_json::Value;
use tracing::Level;

use crate::kitchen::{Cook, Served, asking, asking_as_before};

/// The types of a stream that an official client takes, and the code of the RUN_ERROR at its end.
fn failed(events: &[Event]) -> (Vec<&str>, Option<&str>) {
    let mut verifier = OrderVerifier::new();
    for event in events {
        let is_error = matches!(event, Event::RunError(_));
        assert!(!is_error || verifier.open().is_empty(), "{:?} at the error: {events:#?}", verifier.open());
        verifier.check(event).unwrap_or_else(|error| panic!("{error}: {events:#?}"));
    }
    let Some(Event::RunError(error)) = events.last() else { panic!("no error: {events:#?}") };
    (events.iter().map(|event| event.event_type().as_str()).collect(), error.code.as_deref())
}

/// The events of a body as text.
fn events_of(body: &str) -> Vec<Event> {
    let frames = body.lines().filter_map(|line| line.strip_prefix("data: "));
    frames.map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

const WAITING: [&str; 5] =
    ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_ERROR"];

/// All kinds of open items, followed by a handler's own end.
async fn forwarded(input: AgUiInput) -> AgUiResponse {
    let then = input.messages.last().map(|message| serde_json::to_value(message).unwrap()["content"].clone());
    let (input, _, reply) = input.into_parts();
    let events: Vec<Event> = vec![
        RunStartedEvent::new(input.thread_id.clone(), input.run_id.clone()).into(),
        StepStartedEvent::new("plan").into(),
        ReasoningStartEvent::new("r").into(),
        ReasoningMessageStartEvent::new("r").into(),
        TextMessageStartEvent::new("a").into(),
        TextMessageStartEvent::new("b").into(),
        TextMessageContentEvent::new("b", "second").into(),
        TextMessageContentEvent::new("a", "first").into(),
        ToolCallStartEvent::new("c", "price").with_parent_message_id("a").into(),
        ToolCallArgsEvent::new("c", "{\"name\":").into(),
    ];
    let events = stream::iter(events);
    match then.as_ref().and_then(Value::as_str) {
        Some("fail") => {
            let error: Event = RunErrorEvent::new("no rice").with_code("OUT_OF_STOCK").into();
            reply.stream(events.chain(stream::iter([error])))
        }
        _ => reply.stream(events.chain(stream::pending())),
    }
}

/// Two runs in one stream, each with state events.
async fn with_state(input: AgUiInput) -> AgUiResponse {
    let (_, _, reply) = input.into_parts();
    let operation = PatchOperation::replace("/n".parse().unwrap(), 2);
    let delta = || Event::from(StateDeltaEvent::new(JsonPatch::from([operation.clone()])));
    let events: Vec<Event> = ["first", "second"]
        .into_iter()
        .flat_map(|run| {
            let snapshot = StateSnapshotEvent::new(serde_json::json!({"n": 1}));
            [
                RunStartedEvent::new("t", run).into(),
                delta(),
                delta(),
                snapshot.into(),
                delta(),
                RunFinishedEvent::new("t", run).into(),
            ]
        })
        .collect();
    reply.stream(stream::iter(events))
}

/// Deltas after a snapshot: one that applies, one to a member that is not there, and one that builds on it.
async fn with_wrong_deltas(input: AgUiInput) -> AgUiResponse {
    let (_, _, reply) = input.into_parts();
    let delta = |operation: PatchOperation| Event::from(StateDeltaEvent::new(JsonPatch::from([operation])));
    let place = |path: &str| path.parse().unwrap();
    let events: Vec<Event> = vec![
        RunStartedEvent::new("t", "r").into(),
        StateSnapshotEvent::new(serde_json::json!({"n": 1})).into(),
        delta(PatchOperation::replace(place("/n"), 2)),
        delta(PatchOperation::add(place("/missing/list"), serde_json::json!([]))),
        delta(PatchOperation::add(place("/missing/list/-"), 1)),
        delta(PatchOperation::add(place("/last"), 3)),
        RunFinishedEvent::new("t", "r").into(),
    ];
    reply.stream(stream::iter(events))
}

#[tokio::test]
async fn a_delta_that_does_not_apply_is_left_out_with_one_warning() {
    let (log, _recording) = Log::record(Level::WARN);
    for serial in [false, true] {
        let served = served(|server| server.serial(serial)).await;
        for (input, deltas, warnings) in [(asking("who"), 4, 0), (asking_as_before("who"), 2, 1)] {
            let events = run(&served, "/wrong", &input).await;
            let sent: Vec<_> = events
                .iter()
                .filter_map(|event| match event {
                    Event::StateDelta(delta) => {
                        Some(serde_json::to_value(&delta.delta).unwrap()[0]["path"].clone())
                    }
                    _ => None,
                })
                .collect();
            assert_eq!(sent.len(), deltas, "{sent:?}");
            assert_eq!((&sent[0], &sent[deltas - 1]), (&"/n".into(), &"/last".into()));
            let lines = log.take();
            let left_out = lines.iter().filter(|line| line.contains("STATE_DELTA left out"));
            assert_eq!(left_out.count(), warnings, "{lines:#?}");
        }
    }
}

const FORWARDED: [&str; 10] = [
    "RUN_STARTED",
    "STEP_STARTED",
    "REASONING_START",
    "REASONING_MESSAGE_START",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_START",
    "TEXT_MESSAGE_CONTENT",
    "TEXT_MESSAGE_CONTENT",
    "TOOL_CALL_START",
    "TOOL_CALL_ARGS",
];
const ENDS: [&str; 7] = [
    "TOOL_CALL_END",
    "TEXT_MESSAGE_END",
    "TEXT_MESSAGE_END",
    "REASONING_MESSAGE_END",
    "REASONING_END",
    "STEP_FINISHED",
    "RUN_ERROR",
];

async fn served(change: impl FnOnce(Server) -> Server) -> Served {
    let routes = Router::new()
        .route("/forwarded", post(forwarded))
        .route("/state", post(with_state))
        .route("/wrong", post(with_wrong_deltas));
    Served::start(change(Server::new().agent("/", Cook::new().0).routes(routes))).await
}

async fn run(served: &Served, path: &str, input: &Value) -> Vec<Event> {
    let answer = Request::run(path, input.to_string()).send(served.address).await;
    assert!(!answer.cut);
    events_of(answer.text())
}

#[tokio::test]
async fn when_the_server_ends() {
    for path in ["/", "/forwarded"] {
        let mut served =
            served(|server| server.limits(Limits::default().shutdown_grace(Duration::ZERO))).await;
        let mut answer = Request::run(path, asking_as_before("wait").to_string()).open(served.address).await;
        let mut body = answer.until(if path == "/" { "waiting" } else { "TOOL_CALL_ARGS" }).await;
        served.stop();
        body.push_str(answer.whole().await.text());
        let events = events_of(&body);
        let (types, code) = failed(&events);
        assert_eq!(code, Some("shutdown"), "{path}");
        if path == "/" {
            assert_eq!(types, WAITING);
        } else {
            assert_eq!(types, [&FORWARDED[..], &ENDS].concat());
        }
        served.ended().await.unwrap();
    }
}

#[tokio::test]
async fn when_a_run_takes_too_long() {
    let served =
        served(|server| server.limits(Limits::default().run_timeout(Duration::from_millis(100)))).await;
    let events = run(&served, "/", &asking_as_before("wait")).await;
    assert_eq!(failed(&events), (WAITING.to_vec(), Some("run_timeout")));
    let events = run(&served, "/forwarded", &asking_as_before("wait")).await;
    assert_eq!(failed(&events), ([&FORWARDED[..], &ENDS].concat(), Some("run_timeout")));
}

#[tokio::test]
async fn when_an_event_has_no_binary_form() {
    let served = served(|server| server).await;
    let request = Request::run("/", asking_as_before("too long").to_string());
    let answer = request.header("accept", proto::CONTENT_TYPE).send(served.address).await;
    let events = crate::binary::events(&answer.body);
    let types = ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "RUN_ERROR"];
    assert_eq!(failed(&events), (types.to_vec(), Some("unwritable_event")));
}

#[tokio::test]
async fn when_the_stream_of_a_handler_fails() {
    let served = served(|server| server).await;
    let events = run(&served, "/forwarded", &asking_as_before("fail")).await;
    assert_eq!(failed(&events), ([&FORWARDED[..], &ENDS].concat(), Some("OUT_OF_STOCK")));
    // A client of 1.0 accepts the error as it is.
    let events = run(&served, "/forwarded", &asking("fail")).await;
    let types: Vec<_> = events.iter().map(|event| event.event_type().as_str()).collect();
    assert_eq!(types, [&FORWARDED[..], &["RUN_ERROR"]].concat());
}

#[tokio::test]
async fn a_run_begins_with_the_state_of_its_client_before_a_delta() {
    const LEFT: [&str; 4] = ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA", "RUN_FINISHED"];
    const SENT: [&str; 6] =
        ["RUN_STARTED", "STATE_DELTA", "STATE_DELTA", "STATE_SNAPSHOT", "STATE_DELTA", "RUN_FINISHED"];
    let added = [&SENT[..1], &["STATE_SNAPSHOT"], &SENT[1..]].concat();
    let holding = |state: Value| {
        let mut input = asking_as_before("who");
        input["state"] = state;
        input
    };
    let (log, _recording) = Log::record(Level::WARN);
    for serial in [false, true] {
        let served = served(|server| server.serial(serial)).await;
        for (input, expected, warnings) in [
            (asking("who"), [&SENT[..], &SENT].concat(), 0),
            (holding(serde_json::json!({"n": 7})), [added.clone(), added.clone()].concat(), 0),
            // No delta applies to a state without the member, or to none; the second run goes on from the first.
            (holding(serde_json::json!({})), [&LEFT[..], &added].concat(), 1),
            (holding(Value::Null), [&LEFT[..], &added].concat(), 1),
        ] {
            let events = run(&served, "/state", &input).await;
            let types: Vec<_> = events.iter().map(|event| event.event_type().as_str()).collect();
            assert_eq!(types, expected, "serial: {serial}, {}", input["state"]);
            if input["state"] == serde_json::json!({"n": 7}) {
                let snapshots = events.iter().filter_map(|event| match event {
                    Event::StateSnapshot(snapshot) => {
                        Some(serde_json::to_value(&snapshot.snapshot).unwrap()["n"].clone())
                    }
                    _ => None,
                });
                assert_eq!(
                    snapshots.collect::<Vec<_>>(),
                    [7, 1, 2, 1],
                    "the state that was sent, then of the first run"
                );
            }
            let lines = log.take();
            let left_out = lines.iter().filter(|line| line.contains("STATE_DELTA left out"));
            assert_eq!(left_out.count(), warnings, "{lines:#?}");
        }
    }
}

/// The oldest clients refuse an item that begins before the last one has ended.
#[tokio::test]
async fn when_one_item_comes_after_the_other() {
    let served = served(|server| server.serial(true)).await;
    let events = run(&served, "/forwarded", &asking_as_before("fail")).await;
    assert_eq!(failed(&events).1, Some("OUT_OF_STOCK"));
    let mut open = None;
    let wire: Vec<Value> = events.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    for wire in &wire {
        let (ty, id) =
            (wire["type"].as_str().unwrap(), wire["messageId"].as_str().or(wire["toolCallId"].as_str()));
        let is_item = ty.starts_with("TEXT") || ty.starts_with("TOOL") || ty.starts_with("REASONING_MESSAGE");
        match (is_item, ty.ends_with("_START"), ty.ends_with("_END")) {
            (true, true, _) => assert_eq!(open.replace(id), None, "{events:#?}"),
            (true, _, true) => assert_eq!(open.take(), Some(id), "{events:#?}"),
            (true, ..) => assert_eq!(open, Some(id), "{events:#?}"),
            _ => {}
        }
    }
    assert_eq!(events.len(), FORWARDED.len() + ENDS.len());
}
