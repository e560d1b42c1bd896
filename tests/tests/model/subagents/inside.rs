//! Tools of a called agent that say something before their end: streamed results, and text that grows in the state.

use std::sync::Arc;

use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
use agui_runtime::protocol::{Event, NonNull};
use agui_runtime::state::{ChunkedText, StateError};
use agui_runtime::testing;
use futures::{Stream, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Thread, results};

/// A note.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Note {
    text: ChunkedText,
}

/// A board with a note, long enough that a delta is shorter than the whole.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Board {
    title: String,
    note: Note,
}

impl AsMut<Note> for Board {
    fn as_mut(&mut self) -> &mut Note {
        &mut self.note
    }
}

/// Writes the note.
#[tool(predict(text = "note.text"))]
async fn jot(note: &StateHandle<Note>, text: String) -> Result<bool, StateError> {
    note.read(|note| note.text.as_str() == text)
}

/// Counts.
#[tool]
fn count(to: u32) -> impl Stream<Item = u32> {
    stream::iter(1..=to)
}

/// Takes notes.
#[agent(state = Note, tools = [jot, count])]
async fn secretary(run: &mut Run<Secretary>, input: Input<Secretary>, model: &Model) -> Result<String, Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).text().await
}

/// Has notes taken.
#[agent(state = Board, tools = [Secretary])]
async fn office(
    run: &mut Run<Office>,
    input: Input<Office>,
    model: &Model,
    secretary: &Arc<Secretary>,
) -> Result<(), Stop> {
    run.state().adopt_or_snapshot(&input).await?;
    run.chat(model).await
}

/// The events of the secretary, and the state of the client, while the secretary makes one call.
fn events_of(call: Reply, is_legacy: bool) -> (Vec<Value>, Vec<Event>) {
    let of_secretary = ScriptedModel::new([call, Reply::text("Noted.")]).pieces(6);
    let secretary = Arc::new(Secretary::new(of_secretary.into()));
    let ask = [Reply::call("secretary", json!({ "task": "Take a note." })), Reply::text("Done.")];
    let mut thread = Thread::new(Office::new(ScriptedModel::new(ask).into(), secretary), "Go.");
    let board = Board { title: "x".repeat(600), note: Note { text: "old".into() } };
    thread.input.state = Some(NonNull::new(serde_json::to_value(board).unwrap()).unwrap());
    if is_legacy {
        thread = thread.legacy();
    }
    let events = thread.run();
    let values = events.iter().map(|event| serde_json::to_value(event).unwrap());
    let of_secretary = values.filter(|event| {
        event["subagentRunId"] == "called-r1-call-2" || event["type"].as_str().unwrap().starts_with("STATE")
    });
    (of_secretary.collect(), events)
}

#[test]
fn an_argument_grows_in_the_part_of_the_state_while_the_model_of_a_called_agent_writes_it() {
    let text = "Buy rice, salt and pepper.";
    let (said, events) = events_of(Reply::call("jot", json!({ "text": text })), false);
    let mut grown = String::new();
    let mut last = "";
    for event in &said {
        for operation in event["delta"].as_array().into_iter().flatten() {
            let path = operation["path"].as_str().unwrap();
            assert!(path.starts_with("/note/text"), "{operation}");
            assert_eq!((event["subagentRunId"].as_str(), last), (Some("called-r1-call-2"), "TOOL_CALL_ARGS"));
            // The first piece replaces the old text, which is a list of pieces.
            let value = &operation["value"];
            grown.push_str(value.as_str().or(value[0].as_str()).unwrap());
        }
        last = event["type"].as_str().unwrap();
    }
    assert_eq!(grown, text, "{}", testing::lines(&events));
    let deltas = said.iter().filter(|event| event["type"] == "STATE_DELTA").count();
    assert!(deltas > 3, "{}", testing::lines(&events));
    assert_eq!(results(&events)[0].1, "true", "the state holds the argument when the tool runs");
    // The page of a legacy client, which knows no authors, ends with the same state.
    let (said, events) = events_of(Reply::call("jot", json!({ "text": text })), true);
    let snapshot = said.iter().rev().find(|event| event["type"] == "STATE_SNAPSHOT").unwrap();
    let pieces = snapshot["snapshot"]["note"]["text"].as_array().unwrap();
    let whole: String = pieces.iter().map(|piece| piece.as_str().unwrap()).collect();
    assert_eq!(whole, text, "{}", testing::lines(&events));
}

#[test]
fn the_items_of_a_streamed_result_come_from_the_called_agent() {
    let (said, events) = events_of(Reply::call("count", json!({ "to": 3 })), false);
    let items: Vec<_> = said.iter().filter(|event| event["type"] == "CUSTOM").collect();
    let values: Vec<_> = items.iter().map(|event| event["value"]["item"].clone()).collect();
    assert_eq!(values, [json!(1), json!(2), json!(3)], "{}", testing::lines(&events));
    let call = said.iter().find(|event| event["type"] == "TOOL_CALL_START").unwrap();
    assert!(items.iter().all(|event| event["value"]["toolCallId"] == call["toolCallId"]));
    assert_eq!(results(&events)[0].1, "[1,2,3]");
    assert_eq!(results(&events)[1].1, "Noted.", "the parent reads the answer of the agent");
}
