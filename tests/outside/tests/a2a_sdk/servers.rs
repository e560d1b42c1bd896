//! The official servers, in TypeScript and in Python, as subagents of ours.

use std::sync::Arc;
use std::time::Duration;

use agui_runtime::a2a::A2aClient;
use agui_runtime::protocol::{DataSource, Event, ImagePart, NonNull, ResumeEntry, ResumeStatus, TextPart};
use agui_runtime::testing::{self, RunEnd};
use agui_tests::need;
use agui_tests::outside::{A2aSdk, ExampleServer};
use serde_json::{Value, json};

use crate::planner::Planner;

fn result(events: &[Event]) -> Value {
    match testing::end(events) {
        RunEnd::Success { result: Some(result), .. } => result.clone(),
        _ => panic!("{}", testing::lines(events)),
    }
}

async fn on(thread: &str, remote: &Arc<A2aClient>, text: &str) -> Vec<Event> {
    let mut input = testing::input(text);
    input.thread_id = thread.into();
    testing::run(Planner::new(Arc::clone(remote)), input).await
}

/// Returns the number of tasks that the server has cancelled.
async fn cancelled(server: &ExampleServer) -> u64 {
    let address = server.url().trim_start_matches("http://").parse().unwrap();
    agui_tests::http::Request::new("GET", "/cancelled").send(address).await.json().as_u64().unwrap()
}

/// Talks by the binding that the card below a path names.
async fn converse(server: &ExampleServer, path: &str, binding: &str) {
    let url = format!("{}{path}", server.url().trim_end_matches('/'));
    let remote = Arc::new(A2aClient::connect(url).await.unwrap());
    let card = remote.card();
    assert_eq!(
        (card.name.as_str(), card.supported_interfaces[0].protocol_binding.as_str()),
        ("their desk", binding)
    );

    let events = on("t-1", &remote, "hello").await;
    assert_eq!(testing::texts(&events), ["Good day."], "{}", testing::lines(&events));
    assert_eq!(result(&events)["text"], "Good day.");

    let events = on("t-2", &remote, "message").await;
    assert_eq!(testing::texts(&events), ["No task is needed."]);
    assert_eq!(result(&events)["taskId"], "");

    let events = on("t-3", &remote, "fail").await;
    let RunEnd::Failed { message, .. } = testing::end(&events) else { panic!("{}", testing::lines(&events)) };
    assert!(message.contains("failed the task: There is no ink."), "{message}");

    let asked = on("t-4", &remote, "ask").await;
    let RunEnd::Interrupt([question]) = testing::end(&asked) else { panic!("{}", testing::lines(&asked)) };
    assert_eq!(
        (question.reason.as_str(), question.message.as_deref()),
        ("input_required", Some("Where to?"))
    );
    let mut entry = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved);
    entry.payload = Some(NonNull::from("Rome"));
    let mut input = testing::input("ask");
    (input.thread_id, input.run_id) = ("t-4".into(), "run-2".into());
    input.resume = Some(vec![entry].into());
    let events = testing::run(Planner::new(Arc::clone(&remote)), input).await;
    assert_eq!(testing::texts(&events), ["You said Rome."], "{}", testing::lines(&events));

    files(&remote).await;

    let before = cancelled(server).await;
    let running = tokio::spawn(testing::run(Planner::new(remote), testing::input("wait")));
    tokio::time::sleep(Duration::from_millis(700)).await;
    running.abort();
    while cancelled(server).await == before {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Files and data arrive whole, in both directions.
async fn files(remote: &Arc<A2aClient>) {
    let mut input = testing::input("");
    input.thread_id = "t-5".into();
    let image = ImagePart::new(DataSource::new("aGk=", "image/png"));
    let parts = vec![TextPart::new("file").into(), image.into()];
    input.messages = vec![agui_runtime::protocol::UserMessage::new("user-1", parts).into()];
    let events = testing::run(Planner::new(Arc::clone(remote)), input).await;
    let parts = &result(&events)["artifacts"][0]["parts"];
    assert_eq!(parts[1], json!({ "raw": "aGk=", "filename": "hi.png", "mediaType": "image/png" }));
    let read = &parts[2]["data"]["read"];
    assert_eq!((&read[0]["text"], &read[1]["raw"]), (&json!("file"), &json!("aGk=")), "{read}");
    let shown = events.iter().find_map(|event| match event {
        Event::ActivitySnapshot(activity) => Some(activity),
        _ => None,
    });
    let shown = shown.unwrap_or_else(|| panic!("{}", testing::lines(&events)));
    assert_eq!((shown.activity_type.as_str(), &shown.content["parts"]), ("a2a-artifact", parts));
}

fn with(server: &ExampleServer) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    for (path, binding) in [("", "JSONRPC"), ("/rest", "HTTP+JSON")] {
        let talking = converse(server, path, binding);
        let talked = runtime.block_on(async { tokio::time::timeout(Duration::from_secs(60), talking).await });
        talked.expect("the conversation takes too long");
    }
}

#[test]
fn typescript() {
    let sdk = need!(A2aSdk::typescript());
    with(&sdk.server());
}

#[test]
fn python() {
    let sdk = need!(A2aSdk::python());
    with(&sdk.server());
}
