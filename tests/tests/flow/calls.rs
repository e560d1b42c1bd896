//! Tool calls that overlap, are cut off, or wait for the client.

use agui_runtime::protocol::{RunAgentInput, TextMessageRole};
use agui_runtime::tools::ToolOf;
use agui_runtime::{Stop, tool};
use serde_json::{Value, json};

use crate::agent::{Script, inside, stream, stream_for, types};

/// Asks the person.
#[tool(frontend)]
async fn confirm(total: u32) -> bool;

/// Shows a picture.
#[tool(frontend)]
async fn show();

/// Asks for a word, if there is one.
#[tool(frontend)]
async fn note() -> Option<u32>;

/// Asks for a name.
#[tool(frontend)]
async fn name() -> String;

impl ToolOf<Script> for confirm {}
impl ToolOf<Script> for show {}
impl ToolOf<Script> for note {}
impl ToolOf<Script> for name {}

/// The input of a client that answers a call of each of these tools.
fn answering(tools: &[&str], content: &str) -> RunAgentInput {
    let calls: Vec<_> = tools
        .iter()
        .map(|tool| json!({"id": tool, "type": "function", "function": {"name": tool, "arguments": "{}"}}))
        .collect();
    let mut messages = vec![json!({"id": "asking", "role": "assistant", "toolCalls": calls})];
    messages.extend(tools.iter().map(
        |tool| json!({"id": format!("{tool}-answer"), "role": "tool", "toolCallId": tool, "content": content}),
    ));
    serde_json::from_value(
        json!({"threadId": "thread", "runId": "run", "protocolVersion": "1.0", "messages": messages}),
    )
    .unwrap()
}

fn outcome(events: &[Value]) -> &Value {
    &events.last().unwrap()["outcome"]
}

#[test]
fn only_a_message_of_the_assistant_carries_calls() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let own = run.say("Shall I?").await;
            let note = run.message().role(TextMessageRole::System).await.end();
            let calls = [
                run.call(confirm { total: 1 }).parent(&own).await?,
                run.call(confirm { total: 2 }).parent(&note).await?,
            ];
            Err(Stop::await_frontend(calls))
        })
    });
    let parents: Vec<_> = inside(&events)
        .iter()
        .filter(|event| event["type"] == "TOOL_CALL_START")
        .map(|event| &event["parentMessageId"])
        .collect();
    assert_eq!(parents, [&json!("test-message-1"), &Value::Null]);
}

#[test]
fn a_frontend_call_that_is_cut_off_fails_the_run() {
    let events = stream(|run, _| {
        Box::pin(async move {
            run.tool::<confirm>().await.push("{\"tot").await;
            run.say("Never mind.").await;
            Ok(())
        })
    });
    assert!(!types(&events).contains(&"TOOL_CALL_END"), "the client would act on half of the arguments");
    assert_eq!(
        events.last().unwrap(),
        &json!({
            "type": "RUN_ERROR",
            "message": "the arguments of the frontend tool `confirm` were cut off",
            "code": "tool_call_cut_off",
        })
    );
}

#[test]
fn a_cancelled_run_ends_the_frontend_call_that_was_cut_off() {
    let events = stream(|run, _| {
        Box::pin(async move {
            run.tool::<confirm>().await.push("{\"tot").await;
            std::mem::forget(run.tool::<confirm>().await);
            Err(Stop::cancelled())
        })
    });
    assert_eq!(
        types(inside(&events)),
        ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_START", "TOOL_CALL_END", "TOOL_CALL_END"]
    );
    assert_eq!(outcome(&events), &json!({"type": "cancelled"}));
}

#[test]
fn pending_calls_are_named_in_the_order_they_were_started() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut first = run.tool::<confirm>().await;
            let mut second = run.tool::<confirm>().await;
            second.push(r#"{"total":2}"#).await;
            first.push(r#"{"total":1}"#).await;
            Err(Stop::await_frontend([second.end()?, first.end()?]))
        })
    });
    assert_eq!(
        outcome(&events),
        &json!({"type": "success", "pendingToolCallIds": ["test-call-1", "test-call-2"]})
    );
}

#[test]
fn an_answer_without_text_is_nothing_unless_it_is_a_string() {
    let events = stream_for(answering(&["confirm", "show", "note", "name"], ""), |_, input| {
        Box::pin(async move {
            assert_eq!(input.frontend_result::<show>()?, Some(()));
            assert_eq!(input.frontend_result::<note>()?, Some(None));
            assert_eq!(input.frontend_result::<name>()?, Some(String::new()));
            let error = input.frontend_result::<confirm>().unwrap_err();
            assert_eq!((error.tool, &*error.path), ("confirm", "."));
            Ok(())
        })
    });
    assert_eq!(inside(&events), [] as [Value; 0]);
}
