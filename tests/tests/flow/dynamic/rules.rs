//! The translation rules, one after the other.

use agui_runtime::Policy;
use agui_runtime::events::DynamicError;
use agui_runtime::order::OrderRule;
use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, AssistantMessage, CustomEvent, Event, EventType, FunctionCall,
    JsonPatch, MessagesSnapshotEvent, NonNull, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype,
    ReasoningMessageStartEvent, RunErrorEvent, RunFinishedEvent, RunStartedEvent, StateSnapshotEvent,
    StepFinishedEvent, StepStartedEvent, SubagentFinishedEvent, SubagentStartedEvent, TextMessageChunkEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent, ToolCall, ToolCallArgsEvent,
    ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
};
use serde_json::{Value, json};

use super::forwarded;
use super::program::{Play, Program};
use crate::agent::{input, json, stream_for, types};

fn events<const N: usize>(events: [Event; N]) -> [Event; N] {
    events
}

/// Type and id of every event.
fn types_and_ids(events: &[Value]) -> Vec<String> {
    let members = ["messageId", "toolCallId", "stepName", "subagentRunId"];
    events
        .iter()
        .map(|event| {
            let id = members.iter().find_map(|member| event[member].as_str()).unwrap_or_default();
            format!("{} {id}", event["type"].as_str().unwrap()).trim_end().to_owned()
        })
        .collect()
}

#[track_caller]
fn repaired<const N: usize>(fed: [Event; N], expected: &[&str]) {
    let (events, refused) = forwarded(Policy::Repair, fed);
    assert_eq!(types_and_ids(&events), expected);
    assert!(refused.is_empty(), "{refused:?}");
}

#[track_caller]
fn refused<const N: usize>(fed: [Event; N], rule: OrderRule) {
    let played = Program::new(Policy::Strict).then(fed.into_iter().map(Play::Feed)).play();
    let rules: Vec<_> = played
        .refused
        .iter()
        .map(|error| match error {
            DynamicError::Order(error) => error.rule(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(rules, [rule]);
}

#[test]
fn content_without_start_opens_its_message() {
    let fed = || events([TextMessageContentEvent::new("m", "x").into()]);
    refused(fed(), OrderRule::TextContentNotOpen);
    repaired(fed(), &["TEXT_MESSAGE_START m", "TEXT_MESSAGE_CONTENT m", "TEXT_MESSAGE_END m"]);
}

#[test]
fn content_after_the_end_goes_on_with_the_same_message() {
    let fed = || {
        events([
            TextMessageStartEvent::new("m").into(),
            TextMessageEndEvent::new("m").into(),
            TextMessageContentEvent::new("m", "late").into(),
        ])
    };
    refused(fed(), OrderRule::TextContentNotOpen);
    let expected = [
        "TEXT_MESSAGE_START m",
        "TEXT_MESSAGE_END m",
        "TEXT_MESSAGE_START m",
        "TEXT_MESSAGE_CONTENT m",
        "TEXT_MESSAGE_END m",
    ];
    repaired(fed(), &expected);
}

#[test]
fn a_second_start_or_end_is_left_out() {
    let fed = || {
        events([
            TextMessageStartEvent::new("m").into(),
            TextMessageStartEvent::new("m").into(),
            TextMessageEndEvent::new("m").into(),
        ])
    };
    refused(fed(), OrderRule::TextDuplicateStart);
    repaired(fed(), &["TEXT_MESSAGE_START m", "TEXT_MESSAGE_END m"]);
    repaired([StepFinishedEvent::new("s").into()], &[]);
    repaired([SubagentFinishedEvent::new("s").into()], &[]);
}

#[test]
fn a_result_ends_the_arguments_before_it_and_comes_once() {
    let fed = || {
        events([
            ToolCallStartEvent::new("c", "search").into(),
            ToolCallArgsEvent::new("c", "{}").into(),
            ToolCallResultEvent::new("r", "c", "42").into(),
        ])
    };
    refused(fed(), OrderRule::ResultBeforeEnd);
    let expected = ["TOOL_CALL_START c", "TOOL_CALL_ARGS c", "TOOL_CALL_END c", "TOOL_CALL_RESULT r"];
    repaired(fed(), &expected);
    let [start, args, result] = fed();
    repaired([start, args, result.clone(), result], &expected);
}

#[test]
fn a_call_id_used_again_is_another_call() {
    let call = || events([ToolCallStartEvent::new("c", "search").into(), ToolCallEndEvent::new("c").into()]);
    let [start, end] = call();
    let result: Event = ToolCallResultEvent::new("r", "c", "42").into();
    let [again, end_again] = call();
    let result_again: Event = ToolCallResultEvent::new("r2", "c", "43").into();
    refused([start.clone(), end.clone(), result.clone(), again.clone()], OrderRule::CallAfterResult);
    repaired(
        [start, end, result, again, end_again, result_again],
        &[
            "TOOL_CALL_START c",
            "TOOL_CALL_END c",
            "TOOL_CALL_RESULT r",
            "TOOL_CALL_START c~1",
            "TOOL_CALL_END c~1",
            "TOOL_CALL_RESULT r2",
        ],
    );
}

#[test]
fn one_id_for_two_kinds_of_message_becomes_two_ids() {
    let fed =
        || events([ReasoningMessageStartEvent::new("m").into(), TextMessageStartEvent::new("m").into()]);
    refused(fed(), OrderRule::MessageIdReused);
    repaired(
        fed(),
        &[
            "REASONING_MESSAGE_START m",
            "TEXT_MESSAGE_START m~1",
            "TEXT_MESSAGE_END m~1",
            "REASONING_MESSAGE_END m",
        ],
    );
}

#[test]
fn a_tag_that_disagrees_becomes_the_opener_s() {
    let fed = || {
        events([
            SubagentStartedEvent::new("a", "helper").into(),
            TextMessageStartEvent::new("m").with_subagent_run_id("a").into(),
            TextMessageContentEvent::new("m", "x").with_subagent_run_id("b").into(),
        ])
    };
    refused(fed(), OrderRule::OwnerMismatch);
    let (events, _) = forwarded(Policy::Repair, fed());
    assert_eq!(events[2]["subagentRunId"], "a");
    assert_eq!(types(&events[3..]), ["TEXT_MESSAGE_END", "SUBAGENT_ERROR"], "what it left open is closed");
}

#[test]
fn an_unannounced_tag_is_kept_and_outlives_its_subagent() {
    let (events, refused) = forwarded(
        Policy::Strict,
        [
            CustomEvent::new("a", json!(1)).with_subagent_run_id("x").into(),
            SubagentStartedEvent::new("y", "helper").into(),
            SubagentFinishedEvent::new("y").into(),
            CustomEvent::new("b", json!(1)).with_subagent_run_id("y").into(),
        ],
    );
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!((&events[0]["subagentRunId"], &events[3]["subagentRunId"]), (&json!("x"), &json!("y")));
}

#[test]
fn events_of_the_run_are_never_forwarded() {
    let fed = || {
        events([
            RunStartedEvent::new("t", "r").into(),
            RunFinishedEvent::new("t", "r").into(),
            RunErrorEvent::new("no").into(),
            MessagesSnapshotEvent::new(vec![]).into(),
        ])
    };
    let played = Program::new(Policy::Strict).then(fed().map(Play::Feed)).play();
    assert_eq!(
        played.refused,
        [
            DynamicError::RunEvent { event_type: EventType::RunStarted },
            DynamicError::RunEvent { event_type: EventType::RunFinished },
            DynamicError::RunEvent { event_type: EventType::RunError },
            DynamicError::MessagesSnapshot,
        ]
    );
    repaired(fed(), &[]);
}

#[test]
fn items_of_others_are_not_touched() {
    let value =
        ReasoningEncryptedValueEvent::new(ReasoningEncryptedValueSubtype::Message, "test-message-1", "x");
    let program = Program::new(Policy::Strict).then([
        Play::Open,
        Play::Feed(value.clone().into()),
        Play::Feed(TextMessageContentEvent::new("test-message-1", "x").into()),
        Play::Feed(TextMessageStartEvent::new("test-message-1").into()),
        Play::Feed(ToolCallStartEvent::new("c", "search").with_parent_message_id("test-message-1").into()),
    ]);
    let played = program.play();
    let [own, order] = &played.refused[..] else { panic!("{:?}", played.refused) };
    let id = "test-message-1".to_owned();
    assert_eq!(*own, DynamicError::NotItsOwn { event_type: EventType::ReasoningEncryptedValue, id });
    assert!(matches!(order, DynamicError::Order(error) if error.rule() == OrderRule::TextContentNotOpen));
    let out: Vec<Value> = played.events.iter().map(json).collect();
    assert_eq!(out[2]["messageId"], "test-message-2", "the id is the typed message's");
    assert_eq!(out[3]["parentMessageId"], "test-message-2");
    let (_, refused) =
        forwarded(Policy::Strict, [ActivityDeltaEvent::new("a", "plan", JsonPatch::default()).into()]);
    assert_eq!(refused.len(), 1);
}

#[test]
fn ids_of_the_conversation_are_changed_and_its_open_calls_can_be_answered() {
    let mut program = Program::new(Policy::Strict).then([
        Play::Feed(TextMessageStartEvent::new("old").into()),
        Play::Feed(ActivitySnapshotEvent::new("old-2", "plan", Box::default()).into()),
        Play::Feed(ToolCallResultEvent::new("r", "asked", "42").into()),
        Play::Feed(ToolCallResultEvent::new("r-2", "unknown", "42").into()),
    ]);
    let call = ToolCall::new("asked", FunctionCall::new("search", "{}"));
    program.input.messages = vec![
        AssistantMessage::new("old").with_content("hi").into(),
        AssistantMessage::new("old-2").with_tool_calls(vec![call]).into(),
    ];
    let input = program.input.clone();
    let played = program.play();
    let events: Vec<Value> = played.events.iter().map(json).collect();
    assert_eq!(events[1]["messageId"], "test-message-1");
    assert!(
        matches!(&played.refused[..], [DynamicError::Order(activity), DynamicError::Order(unknown)]
        if activity.rule() == OrderRule::MessageIdReused && unknown.rule() == OrderRule::ResultOfUnknownCall),
        "{:?}",
        played.refused
    );
    assert_eq!((&events[2]["type"], &events[2]["toolCallId"]), (&json!("TOOL_CALL_RESULT"), &json!("asked")));
    assert_eq!(played.judge(&input), Ok(()));
}

fn pending(plays: impl IntoIterator<Item = Event>) -> Value {
    let played = Program::new(Policy::Repair).then(plays.into_iter().map(Play::Feed)).play();
    json(played.events.last().unwrap())["outcome"]["pendingToolCallIds"].clone()
}

#[test]
fn unanswered_calls_are_pending_in_order() {
    let call = |id: &str, tool: &str| -> [Event; 2] {
        [ToolCallStartEvent::new(id, tool).into(), ToolCallEndEvent::new(id).into()]
    };
    let answer = |id: &str| -> Event { ToolCallResultEvent::new(format!("r-{id}"), id, "42").into() };
    let all = || call("a", "search").into_iter().chain(call("b", "confirm")).chain(call("c", "search"));
    assert_eq!(pending(all()), json!(["a", "b", "c"]));
    assert_eq!(pending(all().chain([answer("a")])), json!(["b", "c"]));
    assert_eq!(
        pending(all().chain([answer("a"), answer("b"), answer("c")])),
        json!(["b"]),
        "a frontend tool"
    );
    let reopened = [ToolCallStartEvent::new("a", "search").into(), ToolCallEndEvent::new("a").into()];
    assert_eq!(pending(all().chain(reopened)), json!(["a", "b", "c"]));
}

#[test]
fn a_call_that_is_cut_off_is_answered_unless_it_is_the_user_interface_s() {
    let cut = |tool: &str| {
        [Event::from(ToolCallStartEvent::new("c", tool)), ToolCallArgsEvent::new("c", "{").into()]
    };
    let (events, _) = forwarded(Policy::Strict, cut("search"));
    assert_eq!(types(&events), ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END", "TOOL_CALL_RESULT"]);
    let played = Program::new(Policy::Strict).then(cut("confirm").map(Play::Feed)).play();
    let last = json(played.events.last().unwrap());
    assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("tool_call_cut_off")));
}

#[test]
fn steps_of_one_name_do_not_meet() {
    let program = Program::new(Policy::Strict).then([
        Play::Step,
        Play::Feed(StepStartedEvent::new("p0").into()),
        Play::Step,
        Play::Feed(StepFinishedEvent::new("p0").into()),
    ]);
    let events: Vec<Value> = program.play().events.iter().map(json).collect();
    assert_eq!(
        types_and_ids(&events[1..5]),
        ["STEP_STARTED p0", "STEP_STARTED p0#2", "STEP_FINISHED p0", "STEP_FINISHED p0#2"]
    );
}

#[test]
fn chunks_are_passed_with_what_they_leave_out() {
    let text = |delta: &str| TextMessageChunkEvent::new().with_delta(delta);
    let plays = [
        Play::Feed(text("a").with_message_id("m").with_name("Ada").into()),
        Play::Open,
        Play::Feed(text("b").into()),
        Play::Feed(ToolCallChunkEvent::new().with_tool_call_id("c").with_tool_call_name("search").into()),
        Play::Feed(ToolCallChunkEvent::new().with_delta("{}").into()),
        Play::Feed(ToolCallResultEvent::new("r", "c", "42").into()),
        Play::Feed(ToolCallChunkEvent::new().with_tool_call_id("d").with_tool_call_name("confirm").into()),
        Play::Feed(ToolCallChunkEvent::new().with_delta("{}").into()),
        Play::Feed(ToolCallChunkEvent::new().with_tool_call_id("e").with_tool_call_name("search").into()),
    ];
    let played = Program::new(Policy::Strict).passing_chunks().then(plays).play();
    assert_eq!(played.refused, []);
    let out: Vec<Value> = played.events.iter().map(json).collect();
    let id = "test-message-1";
    assert_eq!(
        json!(out[1..out.len() - 1]),
        json!([
            {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": "a", "name": "Ada"},
            {"type": "TEXT_MESSAGE_START", "messageId": id, "role": "assistant", "name": "typed"},
            {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "role": "assistant", "delta": "b", "name": "Ada"},
            {"type": "TOOL_CALL_CHUNK", "toolCallId": "c", "toolCallName": "search"},
            {"type": "TOOL_CALL_CHUNK", "delta": "{}"},
            {"type": "TOOL_CALL_RESULT", "messageId": "r", "toolCallId": "c", "content": "42"},
            {"type": "TOOL_CALL_START", "toolCallId": "d", "toolCallName": "confirm"},
            {"type": "TOOL_CALL_ARGS", "toolCallId": "d", "delta": "{}"},
            {"type": "TOOL_CALL_END", "toolCallId": "d"},
            {"type": "TOOL_CALL_CHUNK", "toolCallId": "e", "toolCallName": "search"},
            {"type": "TEXT_MESSAGE_END", "messageId": id},
        ])
    );
    assert_eq!(out.last().unwrap()["outcome"]["pendingToolCallIds"], json!(["d", "e"]));
}

#[test]
fn the_state_is_the_typed_state_s_once_that_has_a_baseline() {
    let events = stream_for(input().with_state(NonNull::new(json!({"a": 1})).unwrap()), |run, input| {
        Box::pin(async move {
            let mut foreign = run.dynamic(Policy::Strict);
            foreign.feed(StateSnapshotEvent::new(json!({"b": 2}))).await?;
            assert!(run.state().adopt(input)?.is_none(), "the client holds something else now");
            run.state().adopt_or_snapshot(input).await?;
            let late = foreign.feed(StateSnapshotEvent::new(json!({"b": 3}))).await;
            let event_type = EventType::StateSnapshot;
            assert_eq!(late, Err(DynamicError::TypedState { event_type }));
            let mut repairing = run.dynamic(Policy::Repair);
            assert_eq!(repairing.feed(StateSnapshotEvent::new(json!({"b": 4}))).await, Ok(()));
            Ok(())
        })
    });
    let snapshots: Vec<_> = events.iter().filter(|event| event["type"] == "STATE_SNAPSHOT").collect();
    assert_eq!(
        json!(snapshots.iter().map(|event| &event["snapshot"]).collect::<Vec<_>>()),
        json!([{"b": 2}, {"a": 1}])
    );
}

#[test]
fn a_stream_after_the_adoption_cannot_change_the_state() {
    stream_for(input().with_state(NonNull::new(json!({"a": 1})).unwrap()), |run, input| {
        Box::pin(async move {
            run.state().adopt(input)?.unwrap();
            let mut foreign = run.dynamic(Policy::Strict);
            assert!(foreign.feed(StateSnapshotEvent::new(json!({"b": 2}))).await.is_err());
            Ok(())
        })
    });
}

#[test]
fn fields_of_the_write_replace_those_of_the_event() {
    let events = stream_for(input(), |run, _| {
        Box::pin(async move {
            let mut foreign = run.dynamic(Policy::Strict);
            let mut event = CustomEvent::new("ping", json!(1));
            event.metadata = Some(serde_json::from_value(json!({"theirs": 1}))?);
            foreign.feed(event.clone()).await?;
            foreign.feed(event).metadata(serde_json::from_value(json!({"ours": 1}))?).await?;
            Ok(())
        })
    });
    assert_eq!(
        (&events[1]["metadata"], &events[2]["metadata"]),
        (&json!({"theirs": 1}), &json!({"ours": 1}))
    );
}
