//! `/lab/mcp`: an agent with the tools of an MCP server, which reports, asks, and changes its tool list. `/lab/mcp_token`: a server behind
//! a token. `/lab/mcp_library`: resources and prompts. `/lab/mcp_served`: an agent's tools as a server.

use agui_runtime::client::{HttpAgent, LocalAgent, ResumeValue, RunOutcome, Session};
use agui_runtime::mcp::McpClient;
use agui_runtime::model::{Model, Reply, ScriptedModel};
use agui_runtime::prelude::*;
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

/// The results of a run's calls, in order, and then the texts.
async fn told(route: &'static str, user: Option<&str>) -> Vec<String> {
    let server = tour();
    let body = Case::new(route, []).body(Peer::Current).to_string();
    let mut request = Request::run(route, body);
    if let Some(user) = user {
        request = request.header("x-tour-user", user);
    }
    let events = request.send(address(&server)).await.events();
    let of = |kind: &str, member: &str| {
        let values = events.iter().filter(|event| event["type"] == kind).map(|event| &event[member]);
        // Parts are a list.
        values
            .map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            .collect::<Vec<_>>()
    };
    [of("TOOL_CALL_RESULT", "content"), of("TEXT_MESSAGE_CONTENT", "delta")].concat()
}

/// The server refuses the stored token, and the function refreshes the token of the same user.
#[tokio::test]
async fn each_user_reaches_the_server_with_a_token_of_their_own() {
    for (user, owner) in
        [(None, "guest"), (Some("ada"), "ada"), (Some("bob"), "bob"), (Some("a-books"), "guest")]
    {
        let told = told("/lab/mcp_token", user).await;
        assert_eq!(told, [format!("{owner} has borrowed Dune.").as_str(), "That is all you have."]);
    }
}

#[tokio::test]
async fn the_model_reads_resources_and_prompts() {
    let told = told("/lab/mcp_library", None).await;
    let [list, book, prompt, said] = told.as_slice() else { panic!("{told:?}") };
    assert!(list.contains("book://dune"), "{list}");
    assert!(book.contains("A boy comes to a desert planet."), "{book}");
    assert!(prompt.contains("Review Dune in one sentence."), "{prompt}");
    assert_eq!(said, "It begins on a desert planet.");
}

/// Has the tools of an MCP server.
#[agent]
async fn house(run: &mut Run<House>, _: Input<House>, model: &Model, server: &McpClient) -> Result<(), Stop> {
    run.chat(model).tools(server.tools().await?).await
}

#[tokio::test]
async fn the_agent_is_an_mcp_server_that_asks_its_client() {
    let server = tour();
    let client = McpClient::http(format!("{}/lab/mcp_served", server.url()).as_str()).await.unwrap();
    let names: Vec<_> = client.tools().await.unwrap().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["copy_key", "list_doors"]);

    let copy = Reply::call("copy_key", json!({ "door": "cellar" }));
    let model = ScriptedModel::new([copy, Reply::text("Done.")]);
    let agent = House::new(model.into(), client);
    let mut session: Session = Session::new(LocalAgent::new(agent));
    session.say("Copy the key.");
    let asked = session.run().await.unwrap();
    let RunOutcome::Interrupted { interrupts } = &asked.outcome else { panic!("{asked:#?}") };
    let question = interrupts[0].message.clone().unwrap();
    assert!(question.contains("Run `copy_key`?") && question.contains("cellar"), "{question}");
    let id = interrupts[0].id.clone();
    let consent = ResumeValue::resolved(NonNull::new(json!({ "approved": true })));
    session.resume([(id.as_str(), consent)]).unwrap();
    session.run().await.unwrap();
    let messages = json!(session.messages()).to_string();
    assert!(
        messages.contains("Here is a second key to the cellar.") && messages.contains("Done."),
        "{messages}"
    );
}
