//! Questions of agents over MCP, whose state the client keeps: each response counts once, with its own conversation.

use std::time::Duration;

use agui_runtime::RunOptions;
use agui_runtime::model::Reply;
use rmcp::model::{CallToolRequestParams, CallToolResponse};
use serde_json::{Value, json};

use crate::office::Desk;
use crate::served_agents::{asked, conversation, request, resumed, with_conversation, without_conversation};
use crate::wired::{Client, block_on, said};

/// The text of a call that is made, and true for a failure.
async fn made(client: &Client, request: CallToolRequestParams) -> (String, bool) {
    match client.call_tool_once(request).await.unwrap() {
        CallToolResponse::Complete(result) => said(&result),
        other => panic!("{other:?}"),
    }
}

fn city(name: &str) -> Value {
    json!({ "action": "accept", "content": { "name": name } })
}

fn declined() -> Value {
    json!({ "action": "decline" })
}

#[test]
fn a_refusal_continues_an_agent_once() {
    block_on(async {
        let desk = Desk::new([]).await;
        let (here, there) = (desk.client(Some(9)).await, desk.client(Some(9)).await);
        let go = || request("guide", "Go.");
        let state = asked(&here, go()).await.request_state.unwrap();
        let refuse = || resumed(go(), &state, declined());
        let texts = tokio::join!(made(&here, refuse()), made(&there, refuse()));
        let texts = [texts.0, texts.1];
        let count = |failed: bool, part: &str| {
            texts.iter().filter(|(text, own)| *own == failed && text.contains(part)).count()
        };
        assert_eq!((count(false, "nowhere"), count(true, "was resumed already")), (1, 1), "{texts:?}");
        for later in [refuse(), resumed(go(), &state, city("Oslo"))] {
            let (text, failed) = made(&here, later).await;
            assert!(failed && text.contains("was resumed already"), "{text}");
        }

        let state = asked(&here, go()).await.request_state.unwrap();
        let text = made(&here, resumed(go(), &state, city("Oslo"))).await;
        assert_eq!(text, ("Oslo".to_owned(), false));
        let (text, failed) = made(&here, resumed(go(), &state, declined())).await;
        assert!(failed && text.contains("was resumed already"), "{text}");
    });
}

#[test]
fn an_expired_question_continues_no_agent() {
    block_on(async {
        let desk = Desk::new([]).await;
        let options = RunOptions::default().interrupt_lifetime(Duration::from_millis(1));
        let client = desk.client_with(options, true).await;
        let state = asked(&client, request("guide", "Go.")).await.request_state.unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
        for late in [declined(), city("Oslo")] {
            let (text, failed) = made(&client, resumed(request("guide", "Go."), &state, late)).await;
            assert!(failed && text.contains("the question has expired"), "{text}");
        }
    });
}

/// The question names no call, so only the conversation tells where the agent was.
#[test]
fn a_question_continues_in_its_own_conversation_alone() {
    block_on(async {
        let replies = [
            Reply::call("search", json!({ "words": "fjords" })),
            Reply::text("Which one?"),
            Reply::text("Really?"),
            Reply::text("Booked:"),
        ];
        let desk = Desk::new(replies).await;
        let client = desk.client(Some(9)).await;
        let plan = || request("planner", "A trip.");
        let first = asked(&client, plan()).await.request_state.unwrap();
        let second = asked(&client, resumed(plan(), &first, city("Oslo"))).await.request_state.unwrap();
        assert_eq!(desk.model.prompts().len(), 3);

        let without = resumed(plan(), &without_conversation(&second), city("Bergen"));
        let refused = client.call_tool_once(without).await.unwrap_err().to_string();
        assert!(refused.contains("the request state is not this server's"), "{refused}");
        let mut partial = resumed(plan(), &second, city("Bergen"));
        partial.input_responses = None;
        let refused = client.call_tool_once(partial).await.unwrap_err().to_string();
        assert!(refused.contains("`question-0` has no response"), "{refused}");
        let older = with_conversation(&second, &conversation(&first));
        let twice = {
            let mut state: Value = serde_json::from_str(&second).unwrap();
            state["asked"]["question-1"] = state["asked"]["question-0"].clone();
            state.to_string()
        };
        let none = {
            let mut state: Value = serde_json::from_str(&second).unwrap();
            state["asked"] = json!({});
            state.to_string()
        };
        let invented = {
            let mut state: Value = serde_json::from_str(&second).unwrap();
            for number in 0..1_000 {
                state["asked"][format!("invented-{number}")] = json!([format!("invented-{number}"), false]);
            }
            state.to_string()
        };
        for changed in [older, twice, none, invented] {
            let mut call = resumed(plan(), &changed, city("Bergen"));
            let state: Value = serde_json::from_str(&changed).unwrap();
            let keys = state["asked"].as_object().unwrap().keys();
            call.input_responses = Some(keys.map(|key| (key.clone(), city("Bergen"))).collect());
            let (text, failed) = made(&client, call).await;
            assert!(failed && text.contains("the state of the call was changed"), "{text}");
        }
        assert_eq!(desk.model.prompts().len(), 3, "no agent continued");

        let text = made(&client, resumed(plan(), &second, city("Bergen"))).await;
        assert_eq!(text, ("Booked: Bergen".to_owned(), false));
        let read = format!("{:?}", desk.model.prompts().last().unwrap().messages);
        for part in ["A trip.", "read about fjords", "Which one?", "Really?"] {
            assert!(read.contains(part), "the agent's conversation lacks {part}: {read}");
        }
    });
}

/// An agent without messages has an empty conversation, which is sealed too.
#[test]
fn a_question_without_a_conversation_opens_with_its_own_state_alone() {
    block_on(async {
        let desk = Desk::new([]).await;
        let client = desk.client(Some(9)).await;
        let go = || request("guide", "Go.");
        let first = asked(&client, go()).await.request_state.unwrap();
        let second = asked(&client, go()).await.request_state.unwrap();
        let mixed = with_conversation(&second, &conversation(&first));
        let (text, failed) = made(&client, resumed(go(), &mixed, city("Oslo"))).await;
        assert!(failed && text.contains("the state of the call was changed"), "{text}");
        let without = resumed(go(), &without_conversation(&second), city("Oslo"));
        client.call_tool_once(without).await.unwrap_err();
        let text = made(&client, resumed(go(), &second, city("Oslo"))).await;
        assert_eq!(text, ("Oslo".to_owned(), false));
    });
}

#[test]
fn a_conversation_above_the_limit_fails_the_call() {
    block_on(async {
        // The conversation has the words in the call and in the result.
        for (words, fits) in [(130_000, true), (131_072, false)] {
            let replies = [
                Reply::call("search", json!({ "words": "x".repeat(words) })),
                Reply::text("Which one?"),
                Reply::text("Booked:"),
            ];
            let desk = Desk::new(replies).await;
            let client = desk.client(Some(9)).await;
            let plan = || request("planner", "A trip.");
            if fits {
                let state = asked(&client, plan()).await.request_state.unwrap();
                let text = made(&client, resumed(plan(), &state, city("Oslo"))).await;
                assert_eq!(text, ("Booked: Oslo".to_owned(), false));
            } else {
                let (text, failed) = made(&client, plan()).await;
                assert!(failed && text.contains("above 262144"), "{text}");
            }
        }
    });
}

/// A client that cannot ask needs no conversation, so none is too long.
#[test]
fn a_call_that_cannot_ask_keeps_no_conversation() {
    block_on(async {
        let words = "x".repeat(131_072);
        let desk =
            Desk::new([Reply::call("search", json!({ "words": words })), Reply::text("Which one?")]).await;
        let client = desk.client_with(RunOptions::default(), false).await;
        let (text, failed) = made(&client, request("planner", "A trip.")).await;
        assert!(failed && text.contains("the tool asked the user of a page"), "{text}");
        assert_eq!(desk.model.prompts().len(), 2);
    });
}
