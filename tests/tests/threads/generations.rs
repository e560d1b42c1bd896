//! Threads that clients of both generations of AG-UI share: what is kept does not depend on the client that began the run.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{ContentPart, ImagePart, Message, TextPart, UrlSource};
use agui_runtime::thread::Memory;
use agui_runtime::tools::ContentParts;
use agui_tests::http::{Request, Whole};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::thread_server::{ThreadServer, asking, events, is_legal, types};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Album {
    pictures: u32,
    /// Long enough that a change is shorter than the whole.
    places: Vec<String>,
}

/// Draws a picture.
#[tool]
async fn draw(name: String) -> ContentParts {
    let picture = ImagePart::new(UrlSource::new("https://pictures.example/rice.png"));
    vec![TextPart::new(name).into(), ContentPart::Image(picture)].into()
}

/// Looks.
#[agent]
async fn helper(run: &mut Run<Helper>, _: Input<Helper>) -> Result<(), Stop> {
    let step = run.step("look").await;
    run.say("A fine light.").await;
    step.finish();
    Ok(())
}

/// Draws, with a helper that has steps of the same name. Keeps the messages that it got.
#[agent(state = Album, tools = [draw])]
async fn painter(
    run: &mut Run<Painter>,
    input: Input<Painter>,
    got: &Got,
    helper: &Arc<Helper>,
) -> Result<(), Stop> {
    got.0.lock().unwrap().clone_from(&input.messages);
    let album = run.state().adopt_or_snapshot(&input).await?;
    let step = run.step("look").await;
    run.delegate("helper", helper, input.messages.clone()).await?;
    step.finish();
    run.call(draw { name: "rice".to_owned() }).await?.run().await;
    album.update(|album| album.pictures += 1).await?;
    Ok(())
}

#[derive(Clone, Default)]
struct Got(Arc<Mutex<Vec<Message>>>);

fn album() -> Value {
    json!({ "pictures": 4, "places": ["the harbour in the morning", "the hills behind the old town"] })
}

async fn open(got: &Got) -> ThreadServer {
    let painter = Painter::new(got.clone(), Arc::new(Helper::new()));
    ThreadServer::serve(Server::new().threads(Memory::new()).agent("/", painter)).await
}

async fn post(server: &ThreadServer, path: &str, mut input: Value, is_current: bool) -> Whole {
    if !is_current {
        input.as_object_mut().unwrap().remove("protocolVersion");
    }
    Request::run(path, input.to_string()).send(server.address).await
}

fn is_of_the_last_draft(text: &str) {
    assert!(!text.contains("SUBAGENT_") && !text.contains("subagentRunId"), "{text}");
    let mut open = BTreeSet::new();
    for event in events(text) {
        let name = event["stepName"].as_str().unwrap_or_default().to_owned();
        match event["type"].as_str().unwrap() {
            "STEP_STARTED" => assert!(open.insert(name), "two steps of one name are open: {text}"),
            "STEP_FINISHED" => assert!(open.remove(&name), "{text}"),
            "TOOL_CALL_RESULT" => assert_eq!(event["content"], "rice"),
            "RUN_FINISHED" => assert_eq!(event["outcome"], Value::Null),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{text}");
}

#[tokio::test]
async fn a_run_that_a_legacy_client_began_is_stored_whole() {
    let got = Got::default();
    let server = open(&got).await;
    let mut input = asking("1", "Draw.");
    input["state"] = album();
    let older = post(&server, "/", input, false).await;
    is_of_the_last_draft(older.text());
    let told = types(older.text());
    let [snapshot, delta] = ["STATE_SNAPSHOT", "STATE_DELTA"].map(|kind| told.find(kind).expect(&told));
    assert!(snapshot < delta, "the state comes before its first change: {told}");
    let mut again = asking("1", "Draw.");
    again["state"] = album();
    again.as_object_mut().unwrap().remove("protocolVersion");
    let replay = post(&server, "/", again, false).await;
    assert_eq!(events(replay.text()), events(older.text()), "the same request gets the same events");
    // A client of 1.0 reads everything.
    let loaded = post(&server, "/connect", asking("connect", ""), true).await;
    is_legal(loaded.text());
    let messages = &events(loaded.text())[1]["messages"];
    let said = messages.as_array().unwrap().iter().find(|message| message["content"] == "A fine light.");
    assert!(said.unwrap()["subagentRunId"].is_string(), "{messages}");
    let drawn = messages.as_array().unwrap().iter().find(|message| message["role"] == "tool").unwrap();
    assert_eq!(drawn["content"][1]["type"], "image", "{drawn}");
    assert_eq!(events(loaded.text()).pop().unwrap()["outcome"]["type"], "success");
    // The agent gets the picture too, whichever client goes on.
    let next = post(&server, "/", asking("2", "Again."), false).await;
    is_of_the_last_draft(next.text());
    let got = got.0.lock().unwrap();
    let is_picture = |message: &&Message| serde_json::to_string(message).unwrap().contains("rice.png");
    assert!(got.iter().find(is_picture).is_some(), "{got:?}");
}

#[tokio::test]
async fn a_legacy_client_reads_a_run_that_another_began() {
    let server = open(&Got::default()).await;
    let mut input = asking("1", "Draw.");
    input["state"] = album();
    let current = post(&server, "/", input, true).await;
    is_legal(current.text());
    assert!(current.text().contains("SUBAGENT_STARTED"));
    let loaded = post(&server, "/connect", asking("connect", ""), false).await;
    is_of_the_last_draft(loaded.text());
    assert!(types(loaded.text()).starts_with("RUN_STARTED MESSAGES_SNAPSHOT STATE_SNAPSHOT"));
}

#[tokio::test]
async fn a_client_that_sends_no_state_gets_that_of_the_thread() {
    let server = open(&Got::default()).await;
    let mut input = asking("1", "Draw.");
    input["state"] = album();
    post(&server, "/", input, true).await;
    // A second page, which knows the thread by its id alone.
    let next = post(&server, "/", asking("2", "Again."), true).await;
    let snapshot = events(next.text()).into_iter().find(|event| event["type"] == "STATE_SNAPSHOT");
    assert_eq!(snapshot.expect("the deltas apply to it")["snapshot"]["pictures"], 5);
}
