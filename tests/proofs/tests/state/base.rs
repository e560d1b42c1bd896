//! The client's baseline, at the start and later.

use agui_runtime::prelude::*;
use agui_runtime::protocol::NonNull;
use agui_runtime::state::{Shadow, StateChange};
use agui_runtime::testing;
use futures::executor::block_on;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The events of a run of this agent, as JSON.
fn run<A: Agent>(agent: A, state: Option<Value>) -> Vec<Value> {
    let mut input = testing::input("Hi");
    input.state = state.and_then(NonNull::new);
    let events = block_on(testing::run(agent, input));
    let is_state = |event: &&Value| event["type"].as_str().is_some_and(|name| name.starts_with("STATE"));
    let events: Vec<Value> = events.iter().map(|event| json!(event)).collect();
    events.iter().filter(is_state).cloned().collect()
}

/// Its content may be null.
#[derive(State, Serialize, Deserialize, JsonSchema, Debug, Clone)]
struct Note {
    title: String,
    text: Option<String>,
    any: Value,
}

const TITLE: &str =
    "so long that what changes is told by operations, because they are shorter than the whole";

impl Default for Note {
    fn default() -> Self {
        Self { title: TITLE.to_owned(), text: None, any: Value::Null }
    }
}

/// Writes a note.
#[agent(state = Note)]
async fn writer(run: &mut Run<Writer>, input: Input<Writer>) -> Result<(), Stop> {
    let note = run.state().adopt_or_snapshot(&input).await?;
    note.update(|note| note.any = json!({ "a": null, "b": [null] })).await?;
    note.update(|note| note.text = Some("x".to_owned())).await?;
    note.update(|note| note.text = None).await?;
    Ok(())
}

#[test]
fn nothing_is_stripped_on_its_way_out() {
    let delta = |path: &str, value: &Value| json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": path, "value": value }] });
    assert_eq!(
        run(Writer::new(), None),
        [
            json!({ "type": "STATE_SNAPSHOT", "snapshot": { "title": TITLE, "text": null, "any": null } }),
            delta("/any", &json!({ "a": null, "b": [null] })),
            delta("/text", &json!("x")),
            delta("/text", &Value::Null),
        ]
    );
}

#[test]
fn every_run_has_a_base_of_its_own() {
    // After any earlier run, the first event about the state is a snapshot, unless the client sends the baseline.
    let first = run(Writer::new(), None);
    assert_eq!((&first[0]["type"], first.len()), (&json!("STATE_SNAPSHOT"), 4));
    assert_eq!(run(Writer::new(), None), first);
    let kept =
        run(Writer::new(), Some(json!({ "title": TITLE, "text": null, "any": { "a": null, "b": [null] } })));
    let kept: Vec<_> = kept.iter().map(|event| &event["type"]).collect();
    assert_eq!(kept, ["STATE_DELTA", "STATE_DELTA"], "what it has is not told again");
}

#[test]
fn a_client_that_changed_its_copy_gets_the_whole() {
    // It can be read as the state, but the state writes other JSON: operations would meet another document.
    let less = json!({ "title": "t", "any": 1 });
    let more = json!({ "title": "t", "text": null, "any": 1, "mine": true });
    for held in [less, more] {
        let events = run(Writer::new(), Some(held.clone()));
        assert_eq!(
            events[0],
            json!({ "type": "STATE_SNAPSHOT", "snapshot": { "title": "t", "text": null, "any": 1 } }),
            "{held}"
        );
    }
}

#[test]
fn a_client_that_lost_its_copy_gets_the_whole_again() {
    let mut list = vec!["rice".to_owned(); 40];
    let (mut shadow, first) = Shadow::start(&list).unwrap();
    list.push("saffron".to_owned());
    assert!(matches!(shadow.flush(&list).unwrap(), StateChange::Delta(_)));
    let again = shadow.resend().unwrap();
    assert_eq!(again, serde_json::to_string(&list).unwrap());
    assert_ne!(again, first);
    list.push("salt".to_owned());
    assert_eq!(
        shadow.flush(&list).unwrap(),
        StateChange::Delta(r#"[{"op":"add","path":"/-","value":"salt"}]"#),
        "and deltas go on from there"
    );
}
