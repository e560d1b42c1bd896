//! MESSAGES_SNAPSHOT: an agent restates the conversation.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{Message, Metadata, Timestamp};
use futures::executor::block_on;
use serde_json::{Value, json};

use crate::agent::{input, inside, json, judge, types};

fn history() -> Vec<Message> {
    serde_json::from_value(json!([
        {"id": "old-1", "role": "user", "content": "Rice?"},
        {"id": "old-2", "role": "assistant", "content": "Rice."},
    ]))
    .unwrap()
}

/// Restates the conversation.
#[agent]
async fn historian(run: &mut Run<Historian>, input: Input<Historian>) -> Result<(), Stop> {
    let leak = input.user_text().is_some();
    if leak {
        std::mem::forget(run.message().await);
        std::mem::forget(run.step("remembering").await);
    }
    let at = Timestamp::from_millis(7)?;
    let note = Metadata::from_iter([("a".to_owned(), json!(1))]);
    run.messages_snapshot(history()).timestamp(at).metadata(note).await;
    run.say("Where were we?").await;
    Ok(())
}

fn stream(text: Option<&str>) -> Vec<Value> {
    let mut input = input();
    input.messages = text
        .map(|text| serde_json::from_value(json!({"id": "u", "role": "user", "content": text})).unwrap())
        .into_iter()
        .collect();
    let events = block_on(agui_runtime::testing::run(Historian::new(), input));
    let events: Vec<Value> = events.iter().map(json).collect();
    judge(&events);
    events
}

#[test]
fn the_conversation_can_be_restated() {
    let events = stream(None);
    assert_eq!(
        inside(&events)[0],
        json!({
            "type": "MESSAGES_SNAPSHOT", "messages": history(), "metadata": {"a": 1}, "timestamp": 7,
        })
    );
    assert_eq!(inside(&events).len(), 4);
}

#[test]
fn leaked_items_are_closed_first() {
    assert_eq!(
        types(inside(&stream(Some("hi"))))[..5],
        ["TEXT_MESSAGE_START", "STEP_STARTED", "STEP_FINISHED", "TEXT_MESSAGE_END", "MESSAGES_SNAPSHOT"]
    );
}
