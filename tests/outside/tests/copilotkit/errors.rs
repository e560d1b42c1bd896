//! RUN_ERROR that a run of ours did not write itself: what is open ends before it, or else the client refuses the thread when a page loads
//! it again. `--test server unended` looks at the bytes.

use std::future::pending;
use std::sync::{Arc, mpsc};
use std::task::Poll;
use std::thread;
use std::time::Duration;

use agui_runtime::http::{AgUiInput, AgUiResponse};
use agui_runtime::order::OrderVerifier;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Event, JsonPatch, PatchOperation, ReasoningMessageStartEvent, ReasoningStartEvent, RunErrorEvent,
    RunStartedEvent, StateDeltaEvent, StateSnapshotEvent, StepStartedEvent, TextMessageContentEvent,
    TextMessageStartEvent, ToolCallArgsEvent, ToolCallStartEvent,
};
use agui_runtime::wire::proto;
use agui_runtime::{Limits, Server};
use agui_tests::need;
use agui_tests::outside::{CopilotKit, Generation, Node, Turn};
use axum::Router;
use axum::routing::post;
use futures::{StreamExt, stream};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use crate::places::Place;

/// Begins a message, and never ends it.
#[agent]
async fn stuck(run: &mut Run<Stuck>, _: Input<Stuck>, bell: &Arc<Notify>) -> Result<(), Stop> {
    let mut text = run.message().await;
    text.push("partial").await;
    bell.notify_one();
    pending::<()>().await;
    text.end();
    Ok(())
}

/// Says more than the binary transport carries in one event.
#[agent]
async fn shouter(run: &mut Run<Shouter>, _: Input<Shouter>) -> Result<(), Stop> {
    run.say("x".repeat(11 << 20)).await;
    Ok(())
}

/// A foreign stream, with everything open.
fn open(input: &AgUiInput) -> Vec<Event> {
    vec![
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
    ]
}

async fn fails(input: AgUiInput) -> AgUiResponse {
    let mut events = open(&input);
    events.push(RunErrorEvent::new("no rice").with_code("OUT_OF_STOCK").into());
    input.into_parts().2.stream(stream::iter(events))
}

async fn hangs(input: AgUiInput) -> AgUiResponse {
    let events = open(&input);
    input.into_parts().2.stream(stream::iter(events).chain(stream::pending()))
}

/// A foreign stream with deltas of the state that do not apply, and then a panic.
async fn wrong(input: AgUiInput) -> AgUiResponse {
    let delta = |operation: PatchOperation| Event::from(StateDeltaEvent::new(JsonPatch::from([operation])));
    let place = |path: &str| path.parse().unwrap();
    let mut events = open(&input);
    events.extend([
        StateSnapshotEvent::new(json!({ "n": 1 })).into(),
        delta(PatchOperation::add(place("/missing/list"), json!([]))),
        delta(PatchOperation::replace(place("/n"), 2)),
        delta(PatchOperation::remove(place("/other"))),
    ]);
    let panic = stream::poll_fn(|_| -> Poll<Option<Event>> { panic!("deliberate") });
    input.into_parts().2.stream(stream::iter(events).chain(panic))
}

/// Serves until the bell rings, or the test ends.
pub(crate) fn serve(server: Server, bell: Arc<Notify>) -> String {
    let (ready, address) = mpsc::channel();
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            ready.send(listener.local_addr().unwrap()).unwrap();
            server.serve_on(listener, async move { bell.notified().await }).await.unwrap();
        });
    });
    format!("http://{}", address.recv().unwrap())
}

/// Agents whose runs fail from outside, with the code of the error. One of them ends its server, so each is good for one run.
fn places() -> Vec<(Place, &'static str)> {
    let routes =
        Router::new().route("/fails", post(fails)).route("/hangs", post(hangs)).route("/wrong", post(wrong));
    let limits = Limits::default().run_timeout(Duration::from_millis(300));
    let never = Arc::new(Notify::new());
    let server = Server::new().agent("/stuck", Stuck::new(Arc::default())).limits(limits).routes(routes);
    let url = serve(server, never);
    let bell = Arc::new(Notify::new());
    let ending = Server::new()
        .agent("/", Stuck::new(Arc::clone(&bell)))
        .limits(Limits::default().shutdown_grace(Duration::ZERO));
    let ending = serve(ending, bell);
    vec![
        (Place::open("fails", format!("{url}/fails")), "OUT_OF_STOCK"),
        (Place::open("hangs", format!("{url}/hangs")), "run_timeout"),
        (Place::open("wrong", format!("{url}/wrong")), "panic"),
        (Place::open("stuck", format!("{url}/stuck")), "run_timeout"),
        (Place::open("ending", format!("{ending}/")), "shutdown"),
    ]
}

#[test]
fn the_client_folds_a_run_that_fails_from_outside() {
    let node = need!(Node::ready());
    let shouter = serve(Server::new().agent("/", Shouter::new()), Arc::new(Notify::new()));
    let conversation = |place: &Place| {
        place.conversation(Generation::Legacy).compacted_by(&Generation::ALL).then(Turn::say("hi"))
    };
    let places = places();
    let mut conversations: Vec<_> =
        places.iter().map(|(place, code)| (place.name.as_str(), *code, conversation(place))).collect();
    let binary = conversation(&Place::open("shouter", format!("{shouter}/"))).accept(proto::CONTENT_TYPE);
    conversations.push(("shouter", "unwritable_event", binary));
    for (name, code, conversation) in conversations {
        let report = node.converse(&conversation);
        let turn = &report.turns[0];
        let codes: Vec<_> = turn.run_errors.iter().map(|error| error["code"].as_str()).collect();
        assert_eq!(codes, [Some(code)], "{name}: {:?}", turn.types());
        assert!(turn.error.is_none() && turn.complaints.is_empty(), "{name}: {turn:#?}");
        assert!(turn.compacted.len() == 2, "{name}");
        for (by, compacted) in &turn.compacted {
            assert!(compacted.error.is_none(), "{name}: {by:?} {compacted:?}");
        }
        let mut verifier = OrderVerifier::new();
        for event in &turn.wire {
            let event: Event = serde_json::from_value(event.clone()).unwrap();
            let is_error = matches!(event, Event::RunError(_));
            assert!(!is_error || verifier.open().is_empty(), "{name}: {:?}", verifier.open());
            verifier.check(&event).unwrap();
        }
    }
}

#[test]
fn a_page_loads_the_thread_of_such_a_run_again() {
    let copilotkit = need!(CopilotKit::ready());
    for (place, code) in places() {
        let name = place.name.clone();
        let mut runtime = copilotkit.serve([place.target()]);
        let job = json!({
            "url": runtime.url(), "pools": [[{ "name": name, "says": ["hi"] }]], "script": ["hi"],
        });
        let talk = copilotkit.talk(&job);
        assert!(runtime.is_running(), "{name}: {}", runtime.output());
        let turn = &talk.turns[0];
        assert_eq!(
            (turn.end.as_deref(), turn.code.as_deref()),
            (Some("RUN_ERROR"), Some(code)),
            "{name}: {turn:?}"
        );
        assert_eq!((&turn.error, &talk.reloads[0].error), (&None, &None), "{name}");
    }
}
