//! Questions of an agent that another one has as a tool, asked over MCP: the agent continues where it asked.

use agui_runtime::model::Reply;
use rmcp::model::{CallToolRequestParams, CallToolResponse, InputRequiredResult};
use serde_json::{Value, json};

use crate::office::Desk;
use crate::served_asking::accepted;
use crate::wired::{Client, block_on, said};

pub(crate) fn request(tool: &str, task: &str) -> CallToolRequestParams {
    let Value::Object(arguments) = json!({ "task": task }) else { unreachable!() };
    CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments)
}

pub(crate) async fn asked(client: &Client, request: CallToolRequestParams) -> InputRequiredResult {
    match client.call_tool_once(request).await.unwrap() {
        CallToolResponse::InputRequired(required) => required,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn resumed(
    mut request: CallToolRequestParams,
    state: &str,
    response: Value,
) -> CallToolRequestParams {
    request.input_responses = Some([("question-0".to_owned(), response)].into());
    request.with_request_state(state)
}

/// The text of the call that is made again, and true for a failure.
async fn again(
    client: &Client,
    request: CallToolRequestParams,
    state: &str,
    response: Value,
) -> (String, bool) {
    match client.call_tool_once(resumed(request, state, response)).await.unwrap() {
        CallToolResponse::Complete(result) => said(&result),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn conversation(state: &str) -> Value {
    serde_json::from_str::<Value>(state).unwrap()["conversation"].clone()
}

pub(crate) fn with_conversation(state: &str, conversation: &Value) -> String {
    let mut state: Value = serde_json::from_str(state).unwrap();
    state["conversation"] = conversation.clone();
    state.to_string()
}

pub(crate) fn without_conversation(state: &str) -> String {
    let mut state: Value = serde_json::from_str(state).unwrap();
    state.as_object_mut().unwrap().remove("conversation").unwrap();
    state.to_string()
}

fn publishing() -> [Reply; 3] {
    [
        Reply::call("search", json!({ "words": "rice" })),
        Reply::call("publish", json!({ "text": "rice" })),
        Reply::text("It is out."),
    ]
}

#[test]
fn a_typed_question_is_a_form_and_the_answer_has_the_type() {
    block_on(async {
        let desk = Desk::new([]).await;
        let client = desk.client(Some(9)).await;
        let required = asked(&client, request("guide", "Go.")).await;
        let question = json!(required.input_requests)["question-0"]["params"].clone();
        assert_eq!(question["message"], "Which city?\n{\"near\":\"the sea\"}");
        assert_eq!(question["requestedSchema"]["properties"]["name"]["type"], "string", "{question}");
        assert_eq!(question["requestedSchema"]["required"], json!(["name"]));
        let state = required.request_state.unwrap();
        let oslo = json!({ "action": "accept", "content": { "name": "Oslo" } });
        for wrong in [json!({ "name": 5 }), json!({})] {
            let wrong = json!({ "action": "accept", "content": wrong });
            let (text, failed) = again(&client, request("guide", "Go."), &state, wrong).await;
            assert!(failed && text.contains("name"), "{text}");
        }
        // Another connection. A wrong answer has used nothing up.
        let other = desk.client(Some(9)).await;
        let text = again(&other, request("guide", "Go."), &state, oslo.clone()).await;
        assert_eq!(text, ("Oslo".to_owned(), false));
        let (text, failed) = again(&other, request("guide", "Go."), &state, oslo).await;
        assert!(failed && text.contains("was resumed already"), "{text}");

        let state = asked(&client, request("guide", "Go.")).await.request_state.unwrap();
        let text = again(&client, request("guide", "Go."), &state, json!({ "action": "decline" })).await;
        assert_eq!(text, ("nowhere".to_owned(), false), "the agent reads that its question was cancelled");

        let required = asked(&client, request("guide", "How many nights?")).await;
        let form = &json!(required.input_requests)["question-0"]["params"]["requestedSchema"];
        assert_eq!(form["properties"]["value"]["type"], "integer", "{form}");
        let three = json!({ "action": "accept", "content": { "value": 3 } });
        let state = required.request_state.unwrap();
        let text = again(&client, request("guide", "How many nights?"), &state, three).await;
        assert_eq!(text, ("3 nights".to_owned(), false));
    });
}

/// With a key, and with that of the process.
#[test]
fn an_approval_inside_an_agent_continues_where_it_was_asked() {
    block_on(async {
        for secret in [Some(9), None] {
            let desk = Desk::new(publishing()).await;
            let first = desk.client(secret).await;
            let required = asked(&first, request("author", "Publish rice.")).await;
            let question = &json!(required.input_requests)["question-0"]["params"];
            assert!(question["message"].as_str().unwrap().starts_with("Run `publish`?"), "{question}");
            assert_eq!(desk.counts(), (1, 0));
            let state = required.request_state.unwrap();
            assert!(!state.contains("read about"), "no client reads the conversation: {state}");

            let second = desk.client(secret).await;
            let text = again(&second, request("author", "Publish rice."), &state, accepted(true)).await;
            assert_eq!(text, ("It is out.".to_owned(), false));
            assert_eq!(desk.counts(), (1, 1), "nothing ran twice");
            let read = format!("{:?}", desk.model.prompts().last().unwrap().messages);
            for part in ["Publish rice.", "read about rice", "published rice"] {
                assert!(read.contains(part), "the agent's conversation lacks {part}: {read}");
            }
            let (text, failed) =
                again(&second, request("author", "Publish rice."), &state, accepted(true)).await;
            assert!(failed && text.contains("was resumed already"), "{text}");
        }
    });
}

#[test]
fn a_changed_task_state_or_key_publishes_nothing() {
    block_on(async {
        let desk = Desk::new(publishing()).await;
        let client = desk.client(Some(9)).await;
        let required = asked(&client, request("author", "Publish rice.")).await;
        let state = required.request_state.unwrap();
        let (text, failed) = again(&client, request("author", "Publish tea."), &state, accepted(true)).await;
        assert!(failed && text.contains("other arguments"), "{text}");

        let sealed = conversation(&state);
        let sealed = sealed.as_str().unwrap();
        for other in [json!(format!("A{}", &sealed[1..])), json!("short"), json!("")] {
            let changed = with_conversation(&state, &other);
            let (text, failed) =
                again(&client, request("author", "Publish rice."), &changed, accepted(true)).await;
            assert!(failed && text.contains("the state of the call was changed"), "{text}");
        }
        for without in [without_conversation(&state), with_conversation(&state, &Value::Null)] {
            let refused = resumed(request("author", "Publish rice."), &without, accepted(true));
            let refused = client.call_tool_once(refused).await.unwrap_err().to_string();
            assert!(refused.contains("the request state is not this server's"), "{refused}");
        }

        let stranger = desk.client(Some(8)).await;
        assert!(again(&stranger, request("author", "Publish rice."), &state, accepted(true)).await.1);
        assert_eq!(desk.counts(), (1, 0));
    });
}

#[test]
fn an_agent_may_ask_again() {
    block_on(async {
        let replies = [
            Reply::call("publish", json!({ "text": "one" })),
            Reply::call("publish", json!({ "text": "two" })),
            Reply::text("Both are out."),
        ];
        let desk = Desk::new(replies).await;
        let client = desk.client(Some(9)).await;
        let first = asked(&client, request("author", "Go.")).await.request_state.unwrap();
        let second = asked(&client, resumed(request("author", "Go."), &first, accepted(true))).await;
        assert_eq!(desk.counts(), (0, 1));
        let state = second.request_state.unwrap();
        let text = again(&client, request("author", "Go."), &state, accepted(false)).await;
        assert_eq!((text, desk.counts()), (("Both are out.".to_owned(), false), (0, 1)));
        let read = format!("{:?}", desk.model.prompts().last().unwrap().messages);
        assert!(read.contains("published one") && read.contains("the user refused"), "{read}");
    });
}

/// A tool's own question: from a server behind an agent, to the client before the agent.
#[test]
fn a_servers_question_reaches_the_client_of_the_agent() {
    block_on(async {
        let replies = [Reply::call("order", json!({ "item": "rice" })), Reply::text("Ordered.")];
        let desk = Desk::new(replies).await;
        let client = desk.client(Some(9)).await;
        let required = asked(&client, request("courier", "Rice.")).await;
        let question = json!(required.input_requests)["question-0"]["params"].clone();
        assert_eq!(question["requestedSchema"]["properties"]["street"]["type"], "string", "{question}");
        let state = required.request_state.unwrap();
        assert_eq!(desk.asker.count(), 1);
        let main = json!({ "action": "accept", "content": { "street": "Main" } });
        let text = again(&client, request("courier", "Rice."), &state, main.clone()).await;
        assert_eq!((text, desk.asker.count()), (("Ordered.".to_owned(), false), 2));
        let read = format!("{:?}", desk.model.prompts().last().unwrap().messages);
        assert!(read.contains("opaque/1") && read.contains("Main"), "{read}");
        assert!(again(&client, request("courier", "Rice."), &state, main).await.1);
        assert_eq!(desk.asker.count(), 2, "exactly once");
    });
}
