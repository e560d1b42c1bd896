//! Reasoning: spans, their messages, and the events of each.

use std::mem::size_of;

use agui_runtime::protocol::{Metadata, RunAgentInput, Timestamp};
use agui_runtime::{EventFields, Reasoning, ReasoningText};
use serde_json::{Value, json};

use crate::agent::{inside, stream, stream_for, types};

fn metadata(name: &str) -> Metadata {
    Metadata::from_iter([(name.to_owned(), json!(1))])
}

#[test]
fn reasoning_is_a_span_with_messages() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let think = run.reasoning().await;
            let mut thought = think.message().await;
            thought.push("Rice").await;
            thought.push("").await;
            thought.push(" first.").await;
            assert_eq!(thought.id().as_str(), "test-message-2");
            assert_eq!(thought.end().id().as_str(), "test-message-2");
            think.end();
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)),
        json!([
            {"type": "REASONING_START", "messageId": "test-message-1"},
            {"type": "REASONING_MESSAGE_START", "messageId": "test-message-2", "role": "reasoning"},
            {"type": "REASONING_MESSAGE_CONTENT", "messageId": "test-message-2", "delta": "Rice"},
            {"type": "REASONING_MESSAGE_CONTENT", "messageId": "test-message-2", "delta": " first."},
            {"type": "REASONING_MESSAGE_END", "messageId": "test-message-2"},
            {"type": "REASONING_END", "messageId": "test-message-1"},
        ])
    );
}

#[test]
fn a_whole_thought_is_one_write() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let at = Timestamp::from_millis(7)?;
            let thought = run.think("Rice first.").metadata(metadata("acme/model")).timestamp(at).await;
            assert_eq!(thought.id().as_str(), "test-message-2");
            run.think("").await;
            Ok(())
        })
    });
    assert_eq!(
        json!(inside(&events)[..5]),
        json!([
            {"type": "REASONING_START", "messageId": "test-message-1", "timestamp": 7},
            {
                "type": "REASONING_MESSAGE_START", "messageId": "test-message-2", "role": "reasoning",
                "metadata": {"acme/model": 1}, "timestamp": 7,
            },
            {
                "type": "REASONING_MESSAGE_CONTENT", "messageId": "test-message-2", "delta": "Rice first.",
                "timestamp": 7,
            },
            {"type": "REASONING_MESSAGE_END", "messageId": "test-message-2", "timestamp": 7},
            {"type": "REASONING_END", "messageId": "test-message-1", "timestamp": 7},
        ])
    );
    assert_eq!(
        types(&inside(&events)[5..]),
        ["REASONING_START", "REASONING_MESSAGE_START", "REASONING_MESSAGE_END", "REASONING_END"],
        "an empty thought has no content"
    );
}

#[test]
fn thoughts_may_interleave_with_each_other_and_with_text() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let think = run.reasoning().await;
            let other = run.reasoning().await;
            let mut first = think.message().await;
            let mut second = think.message().await;
            let mut text = run.message().await;
            first.push("a").await;
            text.push("b").await;
            second.push("c").await;
            first.end();
            other.end();
            text.end();
            second.end();
            think.end();
            Ok(())
        })
    });
    let order: Vec<_> = inside(&events)
        .iter()
        .map(|event| event["messageId"].as_str().unwrap().strip_prefix("test-message-").unwrap())
        .collect();
    assert_eq!(order.join(""), "1234535432541");
}

#[test]
fn an_early_question_mark_closes_the_message_before_its_span() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let think = run.reasoning().await;
            let mut thought = think.message().await;
            thought.push("How many? ").await;
            "many".parse::<u32>()?;
            Ok(())
        })
    });
    assert_eq!(
        types(&events)[3..],
        ["REASONING_MESSAGE_CONTENT", "REASONING_MESSAGE_END", "REASONING_END", "RUN_ERROR"]
    );
}

#[test]
fn a_leaked_thought_is_closed_with_its_span() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let think = run.reasoning().await;
            std::mem::forget(think.message().await);
            think.end();
            std::mem::forget(run.reasoning().await);
            Ok(())
        })
    });
    assert_eq!(
        types(inside(&events)),
        [
            "REASONING_START",
            "REASONING_MESSAGE_START",
            "REASONING_MESSAGE_END",
            "REASONING_END",
            "REASONING_START",
            "REASONING_END"
        ]
    );
}

#[test]
fn every_event_takes_its_own_fields() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let think = run.reasoning().metadata(metadata("a")).await;
            let mut thought = think.message().metadata(metadata("b")).await;
            thought.push("").metadata(metadata("c")).await;
            thought.end_with(EventFields::new().with_metadata(metadata("d")));
            think.end_with(EventFields::new().with_metadata(metadata("e")));
            Ok(())
        })
    });
    let names: Vec<_> = inside(&events)
        .iter()
        .map(|event| event["metadata"].as_object().unwrap().keys().next().unwrap())
        .collect();
    assert_eq!(names, ["a", "b", "c", "d", "e"]);
}

#[test]
fn a_whole_message_has_its_timestamp_on_every_event() {
    let events = stream(|run, _| {
        Box::pin(async move {
            run.say("Rice.").timestamp(Timestamp::from_millis(7)?).metadata(metadata("a")).await;
            Ok(())
        })
    });
    assert!(inside(&events).iter().all(|event| event["timestamp"] == 7), "{events:#?}");
    let with_metadata: Vec<bool> =
        inside(&events).iter().map(|event| event["metadata"] != Value::Null).collect();
    assert_eq!(with_metadata, [true, false, false]);
}

#[test]
fn a_legacy_client_sees_reasoning_too() {
    let events = stream_for(RunAgentInput::new("thread", "run", vec![]), |run, _| {
        Box::pin(async move {
            run.think("Rice.").await;
            Ok(())
        })
    });
    assert_eq!(inside(&events).len(), 5);
}

#[test]
fn a_handle_has_the_size_of_two_words() {
    assert_eq!(size_of::<Reasoning<'_>>(), 16);
    assert_eq!(size_of::<ReasoningText<'_>>(), 16);
}
