//! The state shows an argument while a model writes it, in each dialect.

use agui_runtime::model::Model;
use agui_runtime::prelude::*;
use agui_runtime::protocol::Event;
use agui_runtime::state::{ChunkedText, StateError};
use agui_runtime::testing;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::fragments::cut;
use crate::frames::{Said, turn};
use crate::server::{Answer, DIALECTS, Server};

#[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
struct Doc {
    title: String,
    body: ChunkedText,
}

/// Rewrites the document.
#[tool(predict(title = "doc.title", document = "doc.body"))]
async fn write(doc: &StateHandle<Doc>, title: String, document: String) -> Result<bool, StateError> {
    doc.read(|doc| doc.title == title && *doc.body == document)
}

/// Writes with you.
#[agent(state = Doc, tools = [write])]
async fn writer(run: &mut Run<Writer>, _: Input<Writer>, model: &Model) -> Result<(), Stop> {
    run.state().snapshot(&Doc::default()).await?;
    run.chat(model).await
}

/// Returns the states that a client holds, each with the type of the event after which it holds it.
fn states(events: &[Event]) -> Vec<(String, Value)> {
    let mut state = Value::Null;
    let after = |event: &Event| {
        let event = serde_json::to_value(event).unwrap();
        match event["type"].as_str().unwrap() {
            "STATE_SNAPSHOT" => state = event["snapshot"].clone(),
            "STATE_DELTA" => {
                let patch: json_patch::Patch = serde_json::from_value(event["delta"].clone()).unwrap();
                json_patch::patch(&mut state, &patch).unwrap();
            }
            _ => {}
        }
        (event["type"].as_str().unwrap().to_owned(), state.clone())
    };
    events.iter().map(after).collect()
}

/// Returns the text of the document, whose pieces are a list on the wire.
fn body(state: &Value) -> String {
    match &state["body"] {
        Value::Array(pieces) => pieces.iter().filter_map(Value::as_str).collect(),
        other => other.as_str().unwrap_or_default().to_owned(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn the_state_shows_an_argument_while_the_model_writes_it(
        title in "[a-zä€\"\\\\]{0,8}",
        document in "[a-zäß€\\\\\"{}:,\n]{1,40}",
        places in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
    ) {
        let arguments = json!({ "title": title, "document": document });
        let pieces = cut(&arguments.to_string(), places);
        let said = [Said::Call("call_1".into(), "write".into(), pieces.clone())];
        for dialect in DIALECTS {
            let told = turn(dialect, &[Said::Text("Done.".into())]);
            let server = Server::start([Answer::frames(turn(dialect, &said)), Answer::frames(told)]);
            let agent = Writer::new(server.model(dialect).into());
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            let events = runtime.block_on(testing::run(agent, testing::input("Write.")));
            let states = states(&events);
            let at = |kind: &str| states.iter().position(|(event, _)| event == kind).unwrap();
            let lines = testing::lines(&events);
            // The deltas belong to the pieces: a client sees no text that the model has not written yet, and none twice.
            let mut arguments_so_far = String::new();
            let mut before = String::new();
            for (event, (_, state)) in events.iter().zip(&states) {
                if let Event::ToolCallArgs(args) = event {
                    arguments_so_far.push_str(&args.delta);
                }
                let shown = body(state);
                prop_assert!(document.starts_with(&shown) && shown.starts_with(&before), "{}: {}", dialect, lines);
                before = shown;
            }
            prop_assert_eq!(serde_json::from_str::<Value>(&arguments_so_far).unwrap(), arguments.clone());
            let (_, shown) = &states[at("TOOL_CALL_END")];
            prop_assert_eq!(body(shown), document.clone(), "{}: {}", dialect, lines);
            prop_assert_eq!(&shown["title"], &json!(title.clone()));
            let result = events.iter().find_map(|event| match event {
                Event::ToolCallResult(result) => Some(serde_json::to_value(&result.content).unwrap()),
                _ => None,
            });
            prop_assert_eq!(result, Some(json!("true")), "{}: {}", dialect, lines);
            // Gemini's arguments come whole; the others' state changes before the last piece has come.
            let written = &states[at("TOOL_CALL_START")..at("TOOL_CALL_END")];
            let changes = written.iter().filter(|(event, _)| event.starts_with("STATE_")).count();
            let in_pieces = pieces.iter().filter(|piece| !piece.is_empty()).count();
            prop_assert!(changes >= 1 && (changes <= in_pieces || dialect.starts_with("gemini")), "{}: {}", dialect, lines);
        }
    }
}

#[test]
fn a_page_sees_the_text_before_its_last_piece() {
    let pieces = [r#"{"title":"Soup","document":"Stir"#, " slowly", r#"."}"#].map(str::to_owned);
    let said = [Said::Call("call_1".into(), "write".into(), pieces.into())];
    for dialect in DIALECTS.iter().filter(|dialect| !dialect.starts_with("gemini")) {
        let told = turn(dialect, &[Said::Text("Done.".into())]);
        let server = Server::start([Answer::frames(turn(dialect, &said)), Answer::frames(told)]);
        let agent = Writer::new(server.model(dialect).into());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let events = runtime.block_on(testing::run(agent, testing::input("Write.")));
        let mut shown: Vec<_> = states(&events).iter().map(|(_, state)| body(state)).collect();
        shown.dedup();
        assert_eq!(shown, ["", "Stir", "Stir slowly", "Stir slowly."], "{dialect}");
    }
}
