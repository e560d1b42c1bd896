//! The state shows a model's text before it is complete.

#![expect(unused_variables, reason = "a signature is the same whether an agent needs all of it or not")]

use agui_runtime::prelude::*;
use agui_runtime::state::{ChunkedText, StateError};
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::agent::{input, inside, judge};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Doc {
    head: Head,
    body: ChunkedText,
    /// Long enough that a delta is shorter than the whole.
    rest: String,
}

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Head {
    title: String,
    note: Option<String>,
    #[serde(serialize_with = "unwritable_if_asked", skip_serializing_if = "is_false")]
    #[serde(default)]
    #[schemars(with = "bool")]
    broken: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

fn unwritable_if_asked<S: Serializer>(_: &bool, _: S) -> Result<S::Ok, S::Error> {
    Err(serde::ser::Error::custom("broken"))
}

fn doc() -> Doc {
    Doc { rest: "x".repeat(600), body: "an older draft".into(), ..Doc::default() }
}

/// Writes the document.
#[tool(predict(document = "doc.body", title = "doc.head.title", note = "doc.head.note"))]
async fn write(
    doc: &StateHandle<Doc>,
    #[serde(rename = "theTitle")] title: String,
    note: Option<String>,
    document: String,
) -> Result<bool, StateError> {
    doc.read(|doc| doc.body.as_str() == document && doc.head.title == title && doc.head.note == note)
}

/// Shows a draft, for the person to accept.
#[tool(frontend, predict(draft = "doc.body"))]
async fn review(doc: &StateHandle<Doc>, draft: String) -> bool;

/// Writes with you.
#[agent(state = Doc, tools = [write, review])]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>, script: &Script) -> Result<(), Stop> {
    script.0(run).await
}

struct Script(for<'r> fn(&'r Run<Writer>) -> futures::future::BoxFuture<'r, Result<(), Stop>>);

fn play(
    script: for<'r> fn(&'r Run<Writer>) -> futures::future::BoxFuture<'r, Result<(), Stop>>,
) -> Vec<Value> {
    let events = block_on(agui_runtime::testing::run(Writer::new(Script(script)), input()));
    let events: Vec<Value> = events.iter().map(crate::agent::json).collect();
    judge(&events);
    assert_ne!(events.last().unwrap()["code"], "panic", "an assertion of the agent failed");
    events
}

/// The arguments and the state in each event.
fn changes(events: &[Value]) -> Vec<Value> {
    inside(events)
        .iter()
        .map(|event| match event["type"].as_str().unwrap() {
            "TOOL_CALL_ARGS" => event["delta"].clone(),
            "STATE_DELTA" => {
                let mut operations = event["delta"].clone();
                let operations = operations.as_array_mut().unwrap();
                operations.iter_mut().map(|op| json!([op["op"], op["path"], op["value"]])).collect()
            }
            "TOOL_CALL_RESULT" => event["content"].clone(),
            other => json!({ "event": other }),
        })
        .collect()
}

/// The client's state at the end.
fn held(events: &[Value]) -> Value {
    let mut held = Value::Null;
    for event in events {
        match event["type"].as_str().unwrap() {
            "STATE_SNAPSHOT" => held = event["snapshot"].clone(),
            "STATE_DELTA" => {
                let patch: json_patch::Patch = serde_json::from_value(event["delta"].clone()).unwrap();
                json_patch::patch(&mut held, &patch).unwrap();
            }
            _ => {}
        }
    }
    held
}

#[test]
fn each_piece_of_an_argument_is_one_small_delta() {
    let events = play(|run| {
        Box::pin(async move {
            run.state().snapshot(&doc()).await?;
            let mut call = run.tool::<write>().await;
            for piece in [
                r#"{"theTitle":"Ri"#,
                r#"sotto","note":null,"docu"#,
                r#"ment":"#,
                r#""Stir"#,
                r" slow\u006",
                r#"cy."#,
                "",
                r#""}"#,
            ] {
                call.push(piece).await;
            }
            assert!(call.end()?.run().await?);
            Ok(())
        })
    });
    assert_eq!(
        json!(changes(&events)),
        json!([
            {"event": "STATE_SNAPSHOT"},
            {"event": "TOOL_CALL_START"},
            r#"{"theTitle":"Ri"#,
            [["add", "/head/title", "Ri"]],
            r#"sotto","note":null,"docu"#,
            [["add", "/head/title", "Risotto"]],
            r#"ment":"#,
            r#""Stir"#,
            [["add", "/body", ["Stir"]]],
            r" slow\u006",
            [["add", "/body/-", " slow"]],
            r#"cy."#,
            [["add", "/body/-", "ly."]],
            r#""}"#,
            {"event": "TOOL_CALL_END"},
            {"event": "STATE_SNAPSHOT"},
            "true",
        ])
    );
    assert_eq!(held(&events)["body"], json!(["Stir", " slow", "ly."]));
    assert_eq!(held(&events)["head"], json!({"title": "Risotto", "note": null}));
}

#[test]
fn by_its_name_and_by_a_frontend_tool_just_the_same() {
    let events = play(|run| {
        Box::pin(async move {
            run.state().snapshot(&doc()).await?;
            let mut call = run.open_call("review").await?;
            for piece in [r#"{"draft":"#, r#""\ud83d"#, r#"\ude00!"#, r#""}"#] {
                call.push(piece).await;
            }
            let done = run.dispatch(vec![call.end()?]).await;
            Err(Stop::await_frontend(done.pending))
        })
    });
    assert_eq!(
        json!(changes(&events)),
        json!([
            {"event": "STATE_SNAPSHOT"},
            {"event": "TOOL_CALL_START"},
            r#"{"draft":"#,
            r#""\ud83d"#,
            [["remove", "/body/0", null]],
            r#"\ude00!"#,
            [["add", "/body/-", "😀!"]],
            r#""}"#,
            {"event": "TOOL_CALL_END"},
            {"event": "STATE_SNAPSHOT"},
        ]),
        "what was there before is gone when the text begins"
    );
}

#[test]
fn arguments_given_at_once_are_shown_at_once() {
    let events = play(|run| {
        Box::pin(async move {
            run.state().snapshot(&doc()).await?;
            let call = write { title: "A".into(), note: Some("b".into()), document: "c".into() };
            assert!(run.call(call).await?.run().await?);
            Ok(())
        })
    });
    assert_eq!(
        changes(&events)[3],
        json!([["add", "/head", {"title": "A", "note": "b"}], ["add", "/body", ["c"]]]),
        "one event, however many arguments it shows"
    );
}

#[test]
fn without_a_baseline_the_call_goes_on() {
    let events = play(|run| {
        Box::pin(async move {
            let mut call = run.tool::<review>().await;
            call.push(r#"{"draft":"a"#).await;
            let state = run.state().snapshot(&doc()).await?;
            call.push("b").await;
            assert_eq!(
                state.read(|doc| doc.body.to_string())?,
                "ab",
                "all of it, from where there is a baseline"
            );
            call.push(r#""}"#).await;
            Err(Stop::await_frontend([call.end()?]))
        })
    });
    assert_eq!(
        json!(changes(&events)[1..5]),
        json!([r#"{"draft":"a"#, {"event": "STATE_SNAPSHOT"}, "b", [["add", "/body", ["ab"]]]])
    );
}

#[test]
fn a_write_from_elsewhere_during_the_call_does_not_stay() {
    play(|run| {
        Box::pin(async move {
            let state = run.state().snapshot(&doc()).await?;
            let mut call = run.tool::<review>().await;
            call.push(r#"{"draft":"one"#).await;
            state.update(|doc| doc.body.push(" (typing)")).await?;
            call.push(" two").await;
            assert_eq!(state.read(|doc| doc.body.to_string())?, "one two");
            call.push(r#""}"#).await;
            Err(Stop::await_frontend([call.end()?]))
        })
    });
}

#[test]
fn nonsense_is_an_error_of_the_call_alone() {
    let events = play(|run| {
        Box::pin(async move {
            let state = run.state().snapshot(&doc()).await?;
            let mut call = run.tool::<write>().await;
            call.push(r#"{"document":"one\q two""#).await;
            assert!(call.end().is_err());
            assert_eq!(state.read(|doc| doc.body.to_string())?, "one");
            Ok(())
        })
    });
    assert_eq!(changes(&events).len(), 7);
    assert_eq!(changes(&events)[5], json!({"event": "STATE_SNAPSHOT"}), "the call has ended all the same");
}

/// A page that writes the arguments into its own copy is one piece behind; here it catches up.
#[test]
fn the_whole_state_follows_the_end_of_a_call_that_was_shown() {
    let events = play(|run| {
        Box::pin(async move {
            run.state().snapshot(&doc()).await?;
            let mut shown = run.tool::<review>().await;
            shown.push(r#"{"draft":"Stir slowly."}"#).await;
            let shown = shown.end()?;
            let mut silent = run.tool::<review>().await;
            silent.push("{").await;
            drop(silent);
            Err(Stop::await_frontend([shown]))
        })
    });
    let snapshots: Vec<_> = events.iter().filter(|event| event["type"] == "STATE_SNAPSHOT").collect();
    assert_eq!(snapshots.len(), 2, "{events:#?}");
    assert_eq!(snapshots[1]["snapshot"]["body"], json!(["Stir slowly."]));
    let at = |kind: &str| events.iter().position(|event| event["type"] == kind).unwrap();
    assert_eq!(events[at("TOOL_CALL_END") + 1]["type"], "STATE_SNAPSHOT");
}

#[test]
fn a_state_that_cannot_be_written_is_reported_by_its_own_update() {
    play(|run| {
        Box::pin(async move {
            let state = run.state().snapshot(&doc()).await?;
            assert!(matches!(state.update(|doc| doc.head.broken = true).await, Err(StateError::Json(_))));
            let mut call = run.tool::<review>().await;
            call.push(r#"{"draft":"one"#).await;
            assert!(matches!(state.update(|_| ()).await, Err(StateError::Json(_))));
            state.update(|doc| doc.head.broken = false).await?;
            call.push(r#" two"}"#).await;
            assert_eq!(state.read(|doc| doc.body.to_string())?, "one two");
            Err(Stop::await_frontend([call.end()?]))
        })
    });
}
