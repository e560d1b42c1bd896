//! `/lab/tool`: a tool of the user interface that the agent learns of at run time.
//!
//! Tools that the agent knows beforehand are written with `#[tool(frontend)]`, and their answers are typed: see
//! `interrupt.rs` and the demo features.

use agui_runtime::events::JsonPieces;
use agui_runtime::prelude::*;
use serde::Serialize;

/// The arguments, for any name of the tool.
#[derive(Serialize)]
struct Question {
    question: &'static str,
    options: [&'static str; 2],
}

/// Asks a question with the first tool the client has.
#[agent]
pub async fn first_tool(run: &mut Run<FirstTool>, input: Input<FirstTool>) -> Result<(), Stop> {
    if let Some(answer) = input.tool_result_text() {
        run.say(format!("Tool said: {answer}")).await;
        return Ok(());
    }
    let Some(tool) = input.tools().first() else {
        run.say("There is no tool to ask with.").await;
        return Ok(());
    };
    let question = Question { question: "Which color do you like?", options: ["red", "blue"] };
    let mut call = run.client_tool(tool).await; // TOOL_CALL_START
    for piece in JsonPieces::words(&question)? {
        call.push(piece).await; // TOOL_CALL_ARGS
    }
    Err(Stop::await_frontend(call.end()?)) // TOOL_CALL_END, and the client answers in the next run
}
