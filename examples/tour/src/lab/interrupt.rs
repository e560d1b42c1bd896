//! `/lab/interrupt`: an action that waits for the user's consent.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Interrupt, JsonObject};
use serde_json::json;

use crate::lab::resumed::spelled_out;

/// Sends an email.
#[tool]
pub async fn send_email(to: String, subject: String) -> bool {
    !to.is_empty() && !subject.is_empty()
}

/// Asks before it sends an email.
#[agent(tools = [send_email])]
pub async fn interrupt(run: &mut Run<Interrupted>, input: Input<Interrupted>) -> Result<(), Stop> {
    let answers = input.resume();
    if !answers.is_empty() {
        let answers: Vec<_> = answers.iter().map(spelled_out).collect();
        run.say(format!("Resumed {}", answers.join(", "))).await;
        return Ok(());
    }
    let email = send_email { to: "ada@example.com".to_owned(), subject: "Hello".to_owned() };
    let call = run.call(email).provider_id("lab-int-call").await?; // TOOL_CALL_START, ARGS, END
    let question = Interrupt::new("lab-int-1", "tool_call")
        .with_message("May I send this email?")
        .with_response_schema(approval());
    Err(call.interrupt(question)) // RUN_FINISHED, interrupted; no TOOL_CALL_RESULT
}

fn approval() -> JsonObject {
    let members = json!({ "approved": { "type": "boolean" } });
    JsonObject::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), members),
        ("required".to_owned(), json!(["approved"])),
    ])
}
