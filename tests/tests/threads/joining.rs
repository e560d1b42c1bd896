//! A client may join a run after any of its events.

use agui_runtime::protocol::{Event, Message};
use agui_runtime::receive::ReceivePipeline;
use agui_tests::joined::{everything, joined};
use serde_json::Value;

use crate::thread_server::{events, is_legal};

fn folded(events: &[Value]) -> (Vec<Message>, Value) {
    let mut pipeline = ReceivePipeline::new();
    for event in events {
        let event: Event = serde_json::from_value(event.clone()).unwrap();
        pipeline.receive(event, |_, _, _| {}).unwrap();
    }
    pipeline.into_reducer().into_parts()
}

#[tokio::test]
async fn after_each_event_the_conversation_is_the_same_in_the_end() {
    let all = everything();
    let expected = folded(&all);
    for count in 1..=all.len() {
        let text = joined(count).await;
        is_legal(&text);
        assert_eq!(folded(&events(&text)), expected, "joined after {count} events:\n{text}");
    }
}
