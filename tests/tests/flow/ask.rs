//! Calls that wait for a question, and continue with its answer.

use agui_runtime::protocol::{Interrupt, RunAgentInput, ToolCallId};
use agui_runtime::tools::ToolOf;
use agui_runtime::{Stop, tool};
use serde_json::{Value, json};

use crate::agent::{Script, inside, stream, stream_for, types};
use crate::helper::{Helper, helper};

/// Sends a letter.
#[tool]
async fn send(text: String) -> String {
    format!("sent {text}")
}

/// Burns a letter.
#[tool]
async fn burn(text: String) -> usize {
    text.len()
}

impl ToolOf<Script> for send {}
impl ToolOf<Script> for burn {}
impl ToolOf<Helper> for send {}

fn outcome(events: &[Value]) -> &Value {
    &events.last().unwrap()["outcome"]
}

fn letter(text: &str) -> send {
    send { text: text.to_owned() }
}

/// A conversation with calls of `send`, by id and arguments, and the answers of some.
fn history(calls: &[(&str, &str)], answered: &[&str]) -> RunAgentInput {
    let calls: Vec<_> = calls
        .iter()
        .map(|(id, arguments)| {
            json!({"id": id, "type": "function", "function": {"name": "send", "arguments": arguments}})
        })
        .collect();
    let mut messages = vec![json!({"id": "calling", "role": "assistant", "toolCalls": calls})];
    messages.extend(answered.iter().map(
        |id| json!({"id": format!("{id}-answer"), "role": "tool", "toolCallId": id, "content": "sent"}),
    ));
    serde_json::from_value(
        json!({"threadId": "thread", "runId": "run", "protocolVersion": "1.0", "messages": messages}),
    )
    .unwrap()
}

#[test]
fn a_question_about_a_call_leaves_it_without_a_result() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let call = run.call(letter("Dear Ada")).await?;
            Err(call.interrupt(Interrupt::new("i-1", "tool_call").with_message("Send it?")))
        })
    });
    assert_eq!(types(inside(&events)), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
    assert_eq!(
        outcome(&events),
        &json!({"type": "interrupt", "interrupts": [
            {"id": "i-1", "reason": "tool_call", "message": "Send it?", "toolCallId": "test-call-1"},
        ]})
    );
}

#[test]
fn questions_that_come_together_are_asked_together() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let first = run.call(letter("Dear Ada")).await?;
            let second = run.call(letter("Dear Grace")).await?;
            let second = second.interrupt(Interrupt::new("i-2", "tool_call"));
            Err(first.interrupt(Interrupt::new("i-1", "tool_call")).and(second))
        })
    });
    assert_eq!(
        outcome(&events)["interrupts"],
        json!([
            {"id": "i-1", "reason": "tool_call", "toolCallId": "test-call-1"},
            {"id": "i-2", "reason": "tool_call", "toolCallId": "test-call-2"},
        ])
    );
    assert!(!types(&events).contains(&"TOOL_CALL_RESULT"));
}

#[test]
fn a_question_that_is_not_asked_after_all_abandons_its_call() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let call = run.call(letter("Dear Ada")).await?;
            drop(call.interrupt(Interrupt::new("i-1", "tool_call")));
            Ok(())
        })
    });
    let result = inside(&events).last().unwrap();
    assert_eq!(
        (&result["toolCallId"], &result["content"]),
        (&json!("test-call-1"), &json!(r#"{"error":"abandoned"}"#))
    );
}

#[test]
fn a_subagents_question_about_its_call_belongs_to_the_subagent() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let writer = helper(|run, _| {
                Box::pin(async move {
                    let call = run.call(letter("Dear Ada")).await?;
                    Err(call.interrupt(Interrupt::new("i-1", "tool_call")))
                })
            });
            run.delegate("writer", &writer, []).await?;
            Ok(())
        })
    });
    assert_eq!(
        outcome(&events)["interrupts"],
        json!([{
            "id": "i-1",
            "reason": "tool_call",
            "toolCallId": "test-call-2",
            "subagentRunId": "test-subagent-1",
        }])
    );
    assert_eq!(
        inside(&events).last().unwrap()["outcome"],
        json!({"type": "suspended", "interruptIds": ["i-1"]})
    );
}

#[test]
fn a_parent_may_do_without_what_its_subagent_asked() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let writer = helper(|run, _| {
                Box::pin(async move {
                    let call = run.call(letter("Dear Ada")).await?;
                    Err(call.interrupt(Interrupt::new("i-1", "tool_call")))
                })
            });
            assert!(run.delegate("writer", &writer, []).await.is_err());
            run.say("No letter, then.").await;
            Ok(())
        })
    });
    let result = inside(&events).last().unwrap();
    assert_eq!(
        (&result["toolCallId"], &result["content"], &result["subagentRunId"]),
        (&json!("test-call-2"), &json!(r#"{"error":"abandoned"}"#), &json!("test-subagent-1"))
    );
}

#[test]
fn the_next_run_brings_the_result_alone() {
    let calls = [("c-1", r#"{"text":"Dear Ada"}"#), ("c-2", r#"{"text":"Dear Grace"}"#), ("c-3", "{}")];
    let events = stream_for(history(&calls, &["c-3"]), |run, input| {
        Box::pin(async move {
            let open = input.pending_calls::<send>();
            assert_eq!(open, [ToolCallId::from("c-1"), "c-2".into()]);
            let call = run.resume_call::<send>(input, &open[0])?;
            assert_eq!(call.arguments().text, "Dear Ada");
            assert_eq!(call.run().await, "sent Dear Ada");
            run.resume_call_with(input, &open[1], letter("Dear Linus"))?.run().await;
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)),
        json!([
            {
                "type": "TOOL_CALL_RESULT",
                "messageId": "test-message-1",
                "toolCallId": "c-1",
                "content": "sent Dear Ada",
            },
            {
                "type": "TOOL_CALL_RESULT",
                "messageId": "test-message-2",
                "toolCallId": "c-2",
                "content": "sent Dear Linus",
            },
        ])
    );
}

#[test]
fn a_call_taken_up_and_dropped_is_abandoned() {
    let events = stream_for(history(&[("c-1", r#"{"text":"x"}"#)], &[]), |run, input| {
        Box::pin(async move {
            drop(run.resume_call::<send>(input, &"c-1".into())?);
            Ok(())
        })
    });
    assert_eq!(inside(&events)[0]["content"], r#"{"error":"abandoned"}"#);
}

#[test]
fn an_open_call_resumes_once() {
    let calls = [("c-1", r#"{"text":"x"}"#), ("c-2", "{}"), ("c-3", r#"{"text":"x"}"#)];
    let events = stream_for(history(&calls, &["c-3"]), |run, input| {
        Box::pin(async move {
            let refused = |id: &str| run.resume_call::<send>(input, &id.into()).unwrap_err().to_string();
            assert_eq!(refused("c-9"), "the conversation has no call `c-9`");
            assert_eq!(refused("c-3"), "the call `c-3` has its result");
            assert_eq!(
                refused("c-2"),
                "arguments of tool `send` at `.`: missing field `text` at line 1 column 2"
            );
            let other = run.resume_call::<burn>(input, &"c-1".into()).unwrap_err();
            assert_eq!(other.to_string(), "the call `c-1` is a call of tool `send`, not of `burn`");
            run.resume_call::<send>(input, &"c-1".into())?.run().await;
            assert_eq!(refused("c-1"), "this run has resumed the call `c-1` already");
            let unread = run.resume_call_with(input, &"c-2".into(), letter("y"))?;
            unread.fail("no").await;
            Err(Stop::cancelled())
        })
    });
    assert_eq!(types(inside(&events)), ["TOOL_CALL_RESULT", "TOOL_CALL_RESULT"]);
}
