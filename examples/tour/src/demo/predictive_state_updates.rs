//! `/predictive_state_updates`: a text that the page shows while it is being written.
//!
//! This page makes the state from the arguments itself, as `PredictState` says. It misses the last word, so the agent
//! sends the whole state after the call. If the agent writes the state, `#[tool(predict(document = "state.document"))]`
//! does both without the page's help.

use agui_runtime::events::JsonPieces;
use agui_runtime::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::pace::Pace;

const STORY: &str = "Once upon a time there was a cat who lived by the sea. Every morning it watched the boats go out, \
                     and every evening it counted them as they came back.";

/// The document on the page.
#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]
pub struct Draft {
    document: String,
}

/// Names the argument of a tool for a part of the state.
#[derive(CustomEvent, Serialize, JsonSchema)]
#[event(name = "PredictState", reserved)]
pub struct PredictState(Vec<Prediction>);

#[derive(Serialize, JsonSchema)]
pub struct Prediction {
    state_key: &'static str,
    tool: &'static str,
    tool_argument: &'static str,
}

/// Writes a document, which the page keeps.
#[tool(frontend)]
pub async fn write_document_local(document: String) -> String;

/// Lets the person keep the changes, or not.
#[tool(frontend)]
pub async fn confirm_changes() -> String;

/// Writes a story word by word, and asks whether it may stay.
#[agent(state = Draft, tools = [write_document_local, confirm_changes], events = [PredictState])]
pub async fn predictive_state_updates(
    run: &mut Run<PredictiveStateUpdates>,
    input: Input<PredictiveStateUpdates>,
    pace: &Pace,
) -> Result<(), Stop> {
    if input.tool_result_text().is_some() {
        run.say("Ok!").await;
        return Ok(());
    }
    let tool = write_document_local::NAME;
    let prediction = Prediction { state_key: "document", tool, tool_argument: "document" };
    run.custom(PredictState(vec![prediction])).await?;

    let story = write_document_local { document: STORY.to_owned() };
    let mut call = run.tool::<write_document_local>().await;
    for word in JsonPieces::words(&story)? {
        call.push(word).await;
        pace.pause(0.05).await;
    }
    let written = call.end()?;
    run.state().snapshot(&Draft { document: story.document }).await?; // STATE_SNAPSHOT
    let confirmation = run.call(confirm_changes {}).await?;
    Err(Stop::await_frontend((written, confirmation)))
}
