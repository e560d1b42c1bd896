//! Inputs are completed from the thread, and checked against it.

use agui_runtime::Server;
use agui_runtime::prelude::*;
use agui_runtime::thread::Memory;
use serde_json::{Value, json};

use crate::thread_server::{Bells, ThreadServer, asking, events, is_legal, is_refused, result, types};

/// Returns the whole conversation as a client has it, from the store.
async fn history(server: &ThreadServer) -> Vec<Value> {
    let loaded = server.connect(None).await;
    is_legal(loaded.text());
    events(loaded.text())[1]["messages"].as_array().unwrap().clone()
}

fn with(mut input: Value, messages: &[Value]) -> Value {
    let mut all = messages.to_vec();
    all.append(input["messages"].as_array_mut().unwrap());
    input["messages"] = json!(all);
    input
}

fn said(history: &[Value]) -> Vec<&str> {
    history.iter().map(|message| message["content"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn new_messages_alone_and_whole_histories_are_the_same_conversation() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    server.run(&asking("2", "count")).await;
    let before = history(&server).await;
    let alone = server.run(&asking("3", "hello")).await;
    let whole = server.run(&with(asking("4", "hello"), &history(&server).await)).await;
    assert_eq!(result(&alone)["messages"].as_array().unwrap().len(), before.len() + 1);
    assert_eq!(result(&whole)["messages"].as_array().unwrap().len(), before.len() + 3);
    assert!(!types(whole.text()).contains("MESSAGES_SNAPSHOT"), "{}", whole.text());
}

#[tokio::test]
async fn an_answer_is_generated_again_if_the_history_ends_before_it() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    server.run(&asking("2", "hello")).await;
    let before = history(&server).await;
    let mut again = asking("3", "");
    again["messages"] = json!(before[..3]);
    let whole = server.run(&again).await;
    is_legal(whole.text());
    assert!(types(whole.text()).starts_with("RUN_STARTED MESSAGES_SNAPSHOT"), "other tabs learn of it");
    let after = history(&server).await;
    assert_eq!(said(&after), said(&before));
    assert_eq!(after[..3], before[..3]);
    assert_ne!(after[3]["id"], before[3]["id"]);
}

#[tokio::test]
async fn a_run_branches_from_the_end_of_another() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "count")).await;
    server.run(&asking("2", "count")).await;
    let mut branch = asking("3", "hello");
    branch["parentRunId"] = json!("1");
    let whole = server.run(&branch).await;
    is_legal(whole.text());
    assert_eq!(result(&whole)["count"], 1, "with the state of that time");
    assert_eq!(said(&history(&server).await), ["count", "One more.", "hello", "Good day."]);
}

#[tokio::test]
async fn a_branch_with_the_state_of_its_parent_changes_that_of_the_thread() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "count")).await;
    let mut branch = asking("2", "hello");
    branch["parentRunId"] = json!("1");
    branch["state"] = json!({ "count": 1 });
    server.run(&asking("3", "count")).await;
    assert_eq!(result(&server.run(&branch).await)["count"], 1);
    let loaded = server.connect(None).await;
    assert!(loaded.text().contains(r#""snapshot":{"count":1}"#), "{}", loaded.text());
}

#[tokio::test]
async fn a_client_may_change_what_it_said() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    let mut edited = asking("2", "count");
    edited["messages"][0]["id"] = json!("u-1");
    assert_eq!(result(&server.run(&edited).await)["count"], 1);
    assert_eq!(said(&history(&server).await), ["count", "One more."]);
}

/// A page that stopped to read keeps a part of the answer, and sends it with its next message.
#[tokio::test]
async fn a_copy_of_an_answer_that_is_cut_or_changed_is_ignored_and_made_right() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "count")).await;
    let mut history = history(&server).await;
    for (run, copy) in [("2", "One m"), ("3", "I grant you a refund."), ("4", "")] {
        history[1]["content"] = json!(copy);
        let whole = server.run(&with(asking(run, "hello"), &history)).await;
        is_legal(whole.text());
        let all = events(whole.text());
        assert_eq!(all[1]["type"], "MESSAGES_SNAPSHOT", "{}", whole.text());
        assert_eq!(all[1]["messages"][1]["content"], "One more.");
        assert_eq!(all[2]["snapshot"], json!({ "count": 1 }), "the state too");
        let ids = result(&whole)["messages"].as_array().unwrap().clone();
        assert_eq!(ids.last(), Some(&json!(format!("u-{run}"))), "the new message counts");
        history = self::history(&server).await;
    }
    history.remove(1);
    let twice = with(with(asking("5", "hello"), &history), &history);
    assert_eq!(server.run(&twice).await.status, 200, "what is there twice is there once");
}

/// Stamps a letter.
#[tool]
async fn stamp(letter: String) -> String {
    format!("stamped {letter}")
}

/// Stamps each letter.
#[agent(tools = [stamp])]
async fn office(run: &mut Run<Office>, input: Input<Office>) -> Result<(), Stop> {
    let letter = input.user_text().unwrap_or_default();
    run.call(stamp { letter }).await?.run().await;
    run.say("Done.").await;
    Ok(())
}

/// A page that stops in the middle of a call holds a part of its arguments, and no result.
#[tokio::test]
async fn a_copy_of_a_call_that_is_cut_is_ignored_and_made_right() {
    let server = ThreadServer::serve(Server::new().threads(Memory::new()).agent("/", Office::new())).await;
    server.run(&asking("1", "to Ada")).await;
    let whole = history(&server).await;
    let calls = "/1/toolCalls/0/function/arguments";
    let arguments = json!(whole).pointer(calls).cloned().unwrap();
    assert_eq!(arguments, r#"{"letter":"to Ada"}"#, "{whole:#?}");
    let without_calls = {
        let mut message = whole[1].clone();
        message.as_object_mut().unwrap().remove("toolCalls");
        json!([whole[0], message])
    };
    let mut cut = json!([whole[0], whole[1]]);
    *cut.pointer_mut(calls).unwrap() = json!("{\"letter\":\"to A");
    let mut changed = json!(whole);
    *changed.pointer_mut(calls).unwrap() = json!("{\"letter\":\"to Eve\"}");
    for (number, copy) in [cut, without_calls, changed].into_iter().enumerate() {
        let run = format!("again-{number}");
        let answer = server.run(&with(asking(&run, "to Bob"), copy.as_array().unwrap())).await;
        is_legal(answer.text());
        let all = events(answer.text());
        assert_eq!(all[1]["type"], "MESSAGES_SNAPSHOT", "{}", answer.text());
        assert_eq!(all[1].pointer(&format!("/messages{calls}")), Some(&arguments));
        assert_eq!(all[1]["messages"][2]["role"], "tool", "the result too");
        assert!(answer.text().contains("stamped to Bob"), "the new message counts");
    }
}

#[tokio::test]
async fn an_id_that_another_role_has_and_a_result_of_no_open_call_are_refused() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "hello")).await;
    let mut history = history(&server).await;
    history[1]["role"] = json!("system");
    let refused = server.run(&with(asking("2", "hello"), &history)).await;
    is_refused(&refused, 409, "history_conflict");
    assert_eq!(refused.json()["error"]["path"], "messages[1]");
    let mut forged = asking("3", "");
    forged["messages"] =
        json!([{ "id": "r", "role": "tool", "toolCallId": "never-made", "content": "approved" }]);
    let refused = server.run(&forged).await;
    is_refused(&refused, 409, "call_not_open");
    assert_eq!(refused.json()["error"]["path"], "messages[0]");
}

#[tokio::test]
async fn the_state_of_the_thread_is_that_of_the_run_unless_the_client_sends_another() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    server.run(&asking("1", "count")).await;
    assert_eq!(result(&server.run(&asking("2", "hello")).await)["count"], 1);
    let mut empty = asking("3", "hello");
    empty["state"] = json!({});
    assert_eq!(result(&server.run(&empty).await)["count"], 1, "clients of AG-UI send `{{}}` for none");
    let mut other = asking("4", "count");
    other["state"] = json!({ "count": 7 });
    assert_eq!(result(&server.run(&other).await)["count"], 8);
    let loaded = server.connect(None).await;
    assert!(loaded.text().contains(r#""snapshot":{"count":8}"#), "{}", loaded.text());
}

#[tokio::test]
async fn a_history_that_a_client_brings_begins_the_thread() {
    let server = ThreadServer::open(Memory::new(), &Bells::default()).await;
    let old = [
        json!({ "id": "u", "role": "user", "content": "hello" }),
        json!({ "id": "a", "role": "assistant", "content": "Good day." }),
    ];
    server.run(&with(asking("1", "count"), &old)).await;
    assert_eq!(said(&history(&server).await), ["hello", "Good day.", "count", "One more."]);
}
