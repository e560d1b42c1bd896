//! The order of events, also where an agent ends early or leaks a guard.

use agui_runtime::Stop;
use agui_runtime::protocol::{Interrupt, RunAgentInput};
use serde_json::json;

use crate::agent::{inside, stream, stream_for, types};

#[test]
fn a_message_is_start_content_end() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut text = run.message().name("Ada").await;
            text.push("Hello").await;
            text.push("").await;
            text.push(", 🦀\u{2028}\n").await;
            assert_eq!(text.end().id().as_str(), "test-message-1");
            Ok(())
        })
    });
    assert_eq!(
        json!(events),
        json!([
            {"type": "RUN_STARTED", "threadId": "thread", "runId": "run", "protocolVersion": "1.0"},
            {"type": "TEXT_MESSAGE_START", "messageId": "test-message-1", "role": "assistant", "name": "Ada"},
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": "test-message-1", "delta": "Hello"},
            {"type": "TEXT_MESSAGE_CONTENT", "messageId": "test-message-1", "delta": ", 🦀\u{2028}\n"},
            {"type": "TEXT_MESSAGE_END", "messageId": "test-message-1"},
            {"type": "RUN_FINISHED", "threadId": "thread", "runId": "run", "outcome": {"type": "success"}},
        ])
    );
}

#[test]
fn messages_may_interleave() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut first = run.message().await;
            let mut second = run.message().await;
            first.push("A1").await;
            second.push("B1").await;
            first.push("A2").await;
            drop(first);
            second.end();
            Ok(())
        })
    });
    let ids: Vec<_> = inside(&events).iter().map(|event| event["messageId"].as_str().unwrap()).collect();
    let (first, second) = ("test-message-1", "test-message-2");
    assert_eq!(ids, [first, second, first, second, first, first, second]);
}

#[test]
fn open_steps_of_one_name_get_numbers() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let search = run.step("search").await;
            let other = run.step("search").await;
            search.finish();
            let again = run.step("search").await;
            drop(again);
            drop(other);
            Ok(())
        })
    });
    let names: Vec<_> = inside(&events)
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), event["stepName"].as_str().unwrap()))
        .collect();
    assert_eq!(
        names,
        [
            ("STEP_STARTED", "search"),
            ("STEP_STARTED", "search#2"),
            ("STEP_FINISHED", "search"),
            ("STEP_STARTED", "search"),
            ("STEP_FINISHED", "search"),
            ("STEP_FINISHED", "search#2"),
        ]
    );
}

#[test]
fn an_early_question_mark_closes_what_is_open() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let _step = run.step("counting").await;
            let mut text = run.message().await;
            text.push("You have ").await;
            "many".parse::<u32>()?;
            Ok(())
        })
    });
    assert_eq!(
        types(&events),
        [
            "RUN_STARTED",
            "STEP_STARTED",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "STEP_FINISHED",
            "RUN_ERROR"
        ]
    );
    assert_eq!(
        events[6],
        json!({"type": "RUN_ERROR", "message": "the agent failed (run run)", "code": "internal_error"})
    );
}

#[test]
fn a_leaked_guard_is_closed_before_the_run_finishes() {
    let events = stream(|run, _| {
        Box::pin(async move {
            std::mem::forget(run.step("forgotten").await);
            std::mem::forget(run.message().await);
            Ok(())
        })
    });
    assert_eq!(
        types(inside(&events)),
        ["STEP_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_END", "STEP_FINISHED"]
    );
}

#[test]
fn a_legacy_client_gets_no_outcome() {
    let legacy = RunAgentInput::new("thread", "run", vec![]);
    let events = stream_for(legacy, |run, _| {
        Box::pin(async move {
            run.say("hi").await;
            Ok(())
        })
    });
    assert_eq!(
        events.last().unwrap(),
        &json!({"type": "RUN_FINISHED", "threadId": "thread", "runId": "run"}),
        "a legacy client gets no outcome"
    );
}

#[test]
fn a_legacy_client_does_not_learn_which_subagent_asks() {
    let legacy = RunAgentInput::new("thread", "run", vec![]);
    let events = stream_for(legacy, |_, _| {
        Box::pin(async {
            let interrupt = Interrupt::new("i-1", "confirmation").with_subagent_run_id("sub-1");
            Err(Stop::interrupt(interrupt))
        })
    });
    assert_eq!(
        events.last().unwrap()["outcome"],
        json!({"type": "interrupt", "interrupts": [{"id": "i-1", "reason": "confirmation"}]})
    );
}
