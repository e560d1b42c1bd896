//! The effects on messages, state and runs that messages and state alone do not show; and the streams of our agents.

use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    ActivityDeltaEvent, Event, JsonPatch, JsonPointer, PatchOperation, ReasoningEncryptedValueEvent,
    ReasoningEncryptedValueSubtype, RunAgentInput, StateDeltaEvent,
};
use agui_runtime::receive::reduce::{ReduceWarning, Reducer};
use agui_runtime::receive::{PipelineEnd, ReceivePipeline};
use agui_runtime::{agent, testing};
use agui_tests::outside::{Node, Stream};
use agui_tests::verdict::Part;
use serde_json::{Value, json};

use super::both;

fn started() -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r" })
}

pub(super) fn bounded_copies(node: &Node) {
    let double = PatchOperation::copy(JsonPointer::root(), JsonPointer::root().child("l").child("-"));
    let delta = JsonPatch::from_iter(vec![double; 10]);
    let event = StateDeltaEvent::new(delta);
    let stream =
        Stream { messages: json!([]), state: json!({ "l": [] }), events: vec![started(), json!(event)] };
    let theirs = node.fold_many(std::slice::from_ref(&stream)).swap_remove(0);
    assert_eq!(theirs.state.to_string().matches('l').count(), 1 << 10);
    let mut reducer = Reducer::new().with_state(stream.state.clone()).with_copy_limit(256);
    let warning = reducer.apply(&event.into()).unwrap().warning;
    assert!(matches!(warning, Some(ReduceWarning::StatePatch(_))), "{warning:?}");
    assert_eq!(*reducer.state(), stream.state);
}

pub(super) fn bounded_steps(node: &Node) {
    let to_the_end = PatchOperation::move_(JsonPointer::root().child("0"), JsonPointer::root().child("-"));
    let event = StateDeltaEvent::new(JsonPatch::from_iter(vec![to_the_end; 10]));
    let state: Value = (0..100).collect();
    let stream = Stream { messages: json!([]), state, events: vec![started(), json!(event)] };
    let theirs = node.fold_many(std::slice::from_ref(&stream)).swap_remove(0);
    assert_eq!(theirs.state[0], 10);
    let mut reducer = Reducer::new().with_state(stream.state.clone()).with_step_limit(500);
    let warning = reducer.apply(&event.into()).unwrap().warning;
    assert!(matches!(warning, Some(ReduceWarning::StatePatch(_))), "{warning:?}");
    assert_eq!(*reducer.state(), stream.state);
}

pub(super) fn warnings_said(node: &Node) {
    let mut reducer = Reducer::new();
    let value = |subtype| -> Event { ReasoningEncryptedValueEvent::new(subtype, "gone", "x").into() };
    let of_message = value(ReasoningEncryptedValueSubtype::Message);
    let of_call = value(ReasoningEncryptedValueSubtype::ToolCall);
    let delta: Event = ActivityDeltaEvent::new("gone", "plan", JsonPatch::default()).into();
    for event in [&of_message, &of_call] {
        let warning = reducer.apply(event).unwrap().warning;
        assert_eq!(warning, Some(ReduceWarning::NothingToEncrypt { id: "gone".to_owned() }));
    }
    let warning = reducer.apply(&delta).unwrap().warning;
    assert!(matches!(warning, Some(ReduceWarning::NoMessage { id, .. }) if id == "gone"));
    let stream = json!([started(), of_message, of_call, delta]);
    let (ours, theirs) = both(node, Part::Pipeline, &stream);
    assert_eq!(ours["warnings"].as_array().unwrap().len(), 3);
    assert_eq!(theirs["warnings"], json!([]));
}

pub(super) fn deterministic(node: &Node) {
    let job = json!({ "hurry": true, "stream": [
        started(),
        { "type": "TEXT_MESSAGE_START", "messageId": "m" },
        { "type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x" },
        { "type": "TEXT_MESSAGE_END", "messageId": "other" },
    ] });
    let (ours, theirs) = both(node, Part::Pipeline, &job);
    assert_eq!(ours["code"], theirs["code"]);
    assert_eq!(theirs["messages"], json!([]));
    assert_eq!(ours["messages"][0]["content"], "x");
}

pub(super) fn truncated(node: &Node) {
    let (_, theirs) = both(node, Part::Pipeline, &json!([started()]));
    assert_eq!(theirs["accepted"], true);
    let mut pipeline = ReceivePipeline::new();
    pipeline.push_json(started(), &mut |_| {});
    pipeline.drain(|_, _, _| {}).unwrap();
    assert_eq!(pipeline.end(), Ok(PipelineEnd::Truncated));
}

/// Fails in the middle of a message.
#[agent]
async fn failing(run: &mut Run<Failing>, _: Input<Failing>) -> Result<(), Stop> {
    let mut message = run.message().await;
    message.push("partial").await;
    Err(Stop::error("no more"))
}

pub(super) fn error_ends_what_is_open(node: &Node) {
    let input = RunAgentInput::new("t", "r", []).with_protocol_version("1.0");
    let mut events = json!(futures::executor::block_on(testing::run(Failing::new(), input)));
    let types = |events: &Value| -> Vec<String> {
        events.as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(types(&events)[3..], ["TEXT_MESSAGE_END", "RUN_ERROR"]);
    // Without the end it is legal as well.
    events.as_array_mut().unwrap().remove(3);
    let (_, theirs) = both(node, Part::Pipeline, &events);
    assert_eq!(theirs["accepted"], true, "{theirs}");
}
