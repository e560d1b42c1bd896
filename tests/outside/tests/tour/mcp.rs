//! `/lab/mcp`: an agent with the tools of an MCP server, which reports, asks, and changes its tool list.

use agui_runtime::client::{HttpAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::protocol::NonNull;
use agui_tests::http::Request;
use serde_json::{Value, json};

use crate::case::{Case, Peer};
use crate::{address, tour};

const ROUTE: &str = "/lab/mcp";

/// Asks for the door to be opened, and decides about the key.
async fn visit(decision: Option<Value>) -> Vec<String> {
    let server = tour();
    let mut session: Session = Session::new(HttpAgent::new(format!("{}{ROUTE}", server.url())).unwrap());
    session.say("Open the door.");
    let asked = session.run().await.unwrap();
    let RunOutcome::Interrupted { interrupts } = &asked.outcome else { panic!("{asked:#?}") };
    let [question] = interrupts.as_slice() else { panic!("{interrupts:#?}") };
    assert_eq!(question.message.as_deref(), Some("The MCP server `door` asks: May I use the key?"));
    let answer = match decision {
        Some(payload) => ResumeValue::resolved(NonNull::new(payload)),
        None => ResumeValue::cancelled(),
    };
    let id = question.id.clone();
    session.resume([(id.as_str(), answer)]).unwrap();
    session.run().await.unwrap();
    let messages: Vec<Value> =
        session.messages().iter().map(|message| serde_json::to_value(message).unwrap()).collect();
    crate::seen::lines(&messages)
}

#[tokio::test]
async fn the_tool_that_comes_later_is_called_in_the_same_run() {
    let lines = visit(Some(json!({ "approved": true }))).await;
    let said = lines.join("\n");
    for part in ["The door is unlocked.", "open", "The door is open.", "That was the door."] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[tokio::test]
async fn without_consent_the_tool_does_not_come() {
    for decision in [Some(json!({ "approved": false })), None] {
        let said = visit(decision).await.join("\n");
        assert!(said.contains("The door stays locked.") && !said.contains("The door is open."), "{said}");
    }
}

#[tokio::test]
async fn the_progress_of_the_server_is_the_progress_of_the_call() {
    let server = tour();
    let body = Case::new(ROUTE, []).body(Peer::Current).to_string();
    let events = Request::run(ROUTE, body).send(address(&server)).await.events();
    let call = events.iter().find(|event| event["type"] == "TOOL_CALL_START").unwrap();
    let progress = events.iter().find(|event| event["name"] == "agui-rust.tool_progress").unwrap();
    let expected = json!({
        "toolCallId": call["toolCallId"], "progress": 1.0, "total": 2.0, "message": "I have found the key.",
    });
    assert_eq!(progress["value"], expected);
}
