//! Chunks that are forwarded without expanding them.

use std::sync::Arc;

use agui_runtime::events::DynamicError;
use agui_runtime::manifest::AgentSource;
use agui_runtime::protocol::{
    AssistantMessage, CustomEvent, Event, EventType, ReasoningMessageChunkEvent, SubagentRunId,
    TextMessageChunkEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, ToolCallArgsEvent, ToolCallChunkEvent, ToolCallResultEvent,
};
use agui_runtime::{Agent, FinishedRun, Input, Policy, Run, Stop};
use serde_json::{Value, json};

use super::program::{Play, Program};
use crate::agent::{inside, json, judge, stream};

fn text(delta: &str) -> TextMessageChunkEvent {
    let mut chunk = TextMessageChunkEvent::new().with_message_id("m").with_delta(delta);
    chunk.subagent_run_id = Some(SubagentRunId::from("a"));
    chunk
}

fn call(id: &str, delta: &str) -> ToolCallChunkEvent {
    let mut chunk = ToolCallChunkEvent::new().with_tool_call_id(id).with_tool_call_name("search");
    chunk.parent_message_id = Some("m".into());
    chunk.delta = Some(delta.to_owned());
    chunk.subagent_run_id = Some(SubagentRunId::from("a"));
    chunk
}

struct Restating;

impl Agent for Restating {
    type State = ();
    type Request = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<FinishedRun<'r, ()>, Stop> {
        let message = AssistantMessage::new("m").with_content("one");
        run.messages_snapshot(vec![message.into()]).await;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        AgentSource {
            description: "Says whose the message is",
            version: "0.0.0",
            rust_path: std::any::type_name::<Self>(),
            ..AgentSource::new("restating")
        }
    }
}

#[test]
fn a_restated_owner_is_not_contradicted() {
    let events = stream(|run, _| {
        Box::pin(async move {
            let mut foreign = run.dynamic(Policy::Strict).pass_chunks();
            foreign.feed(text("one")).await?;
            foreign.feed(call("before", "{")).await?;
            let restating = Arc::new(Restating);
            run.delegate("restating", &restating, []).await?;
            foreign.feed(text("two")).await?;
            foreign.feed(call("before", "}")).await?;
            foreign.feed(call("after", "{}")).await?;
            for id in ["before", "after"] {
                let mut result = ToolCallResultEvent::new(format!("r-{id}"), id, "42");
                result.subagent_run_id = Some(SubagentRunId::from("a"));
                foreign.feed(result).await?;
            }
            Ok(())
        })
    });
    let told: Vec<Value> = inside(&events)
        .iter()
        .filter(|event| event["type"].as_str().unwrap().ends_with("_CHUNK"))
        .map(|event| {
            let id = event["messageId"].as_str().or(event["toolCallId"].as_str());
            json!([id, event["subagentRunId"], event["parentMessageId"]])
        })
        .collect();
    assert_eq!(
        json!(told),
        json!([
            ["m", "a", null],
            ["before", "a", "m"],
            ["m", null, null],
            ["before", "a", null],
            ["after", "a", null],
        ])
    );
}

/// The items that each chunk names; the tags are left out.
#[test]
fn only_what_the_client_may_have_ended_is_named_again() {
    let chunk = |id: Option<&str>, delta: &str| -> Event {
        let mut chunk = TextMessageChunkEvent::new().with_delta(delta);
        chunk.message_id = id.map(Into::into);
        chunk.into()
    };
    let thought = |id: Option<&str>| -> Event {
        let mut chunk = ReasoningMessageChunkEvent::new().with_delta("hm");
        chunk.message_id = id.map(Into::into);
        chunk.into()
    };
    let fed = [
        chunk(Some("m"), "1"),
        chunk(None, "2"),
        chunk(Some("m"), "3"),
        CustomEvent::new("aside", 1).into(),
        chunk(Some("m"), "4"),
        chunk(Some("n"), "5"),
        chunk(None, "6"),
        chunk(Some("m"), "7"),
        thought(Some("t")),
        thought(None),
    ];
    let (events, refused) = played(Policy::Strict, fed);
    assert_eq!(refused, []);
    let chunks = events.iter().filter(|event| event["type"] != "CUSTOM");
    let said: Vec<[&Value; 3]> =
        chunks.map(|event| [&event["messageId"], &event["role"], &event["delta"]]).collect();
    assert_eq!(
        json!(said),
        json!([
            ["m", "assistant", "1"],
            [null, null, "2"],
            [null, null, "3"],
            ["m", "assistant", "4"],
            ["n", "assistant", "5"],
            [null, null, "6"],
            ["m", "assistant", "7"],
            ["t", null, "hm"],
            [null, null, "hm"],
        ])
    );
}

fn played(policy: Policy, fed: impl IntoIterator<Item = Event>) -> (Vec<Value>, Vec<DynamicError>) {
    let played = Program::new(policy).passing_chunks().then(fed.into_iter().map(Play::Feed)).play();
    let events: Vec<Value> = played.events.iter().map(json).collect();
    judge(&events);
    (inside(&events).to_vec(), played.refused)
}

#[test]
fn an_item_keeps_its_form() {
    let mixed = || -> Vec<Event> {
        vec![
            text("one ").into(),
            TextMessageContentEvent::new("m", "NOT LOST ").into(),
            TextMessageEndEvent::new("m").into(),
            TextMessageStartEvent::new("m").into(),
            text("two").into(),
            call("c", "{").into(),
            ToolCallArgsEvent::new("c", "}").into(),
        ]
    };
    let (events, refused) = played(Policy::Strict, mixed());
    let error = |event_type, id: &str| DynamicError::Mixed { event_type, id: id.to_owned() };
    assert_eq!(
        refused,
        [
            error(EventType::TextMessageContent, "m"),
            error(EventType::TextMessageEnd, "m"),
            error(EventType::TextMessageStart, "m"),
            error(EventType::ToolCallArgs, "c"),
        ]
    );
    let deltas =
        |events: &[Value]| -> String { events.iter().filter_map(|event| event["delta"].as_str()).collect() };
    assert_eq!(deltas(&events), "one two{");
    let (events, refused) = played(Policy::Repair, mixed());
    assert_eq!(refused, []);
    assert_eq!(deltas(&events), "one NOT LOST two{}");
    assert!(events.iter().all(|event| event["type"].as_str().unwrap().ends_with("_CHUNK")), "{events:#?}");
}

#[test]
fn chunks_say_what_their_item_was_opened_with() {
    let said = |role: TextMessageRole, name: &str| -> Event {
        TextMessageChunkEvent::new()
            .with_message_id("m")
            .with_role(role)
            .with_name(name)
            .with_delta("x")
            .into()
    };
    let called = |tool: &str, parent: &str| -> Event {
        let chunk = ToolCallChunkEvent::new().with_tool_call_id("c").with_tool_call_name(tool);
        chunk.with_parent_message_id(parent).with_delta("1").into()
    };
    let (events, _) = played(
        Policy::Repair,
        [
            said(TextMessageRole::User, "Ada"),
            CustomEvent::new("in between", true).into(),
            said(TextMessageRole::Assistant, "Bea"),
            called("search", "p"),
            CustomEvent::new("in between", true).into(),
            called("find", "q"),
        ],
    );
    let told = |event: &Value| {
        json!([event["role"], event["name"], event["toolCallName"], event["parentMessageId"]])
    };
    let told: Vec<Value> = events.iter().filter(|event| event["type"] != "CUSTOM").map(told).collect();
    let text = json!(["user", "Ada", null, null]);
    let call = json!([null, null, "search", "p"]);
    assert_eq!(told, [text.clone(), text, call.clone(), call]);
}

#[test]
fn an_omitted_event_ends_no_item() {
    let unnamed = || {
        let mut chunk = TextMessageChunkEvent::new().with_delta("two");
        chunk.subagent_run_id = Some(SubagentRunId::from("a"));
        Event::from(chunk)
    };
    for policy in [Policy::Strict, Policy::Repair] {
        let mut end = TextMessageEndEvent::new("unknown");
        end.subagent_run_id = Some(SubagentRunId::from("a"));
        let (events, refused) = played(policy, [text("one").into(), end.into(), unnamed()]);
        let said: Vec<[&Value; 2]> =
            events.iter().map(|event| [&event["messageId"], &event["delta"]]).collect();
        assert_eq!(json!(said), json!([["m", "one"], [null, "two"]]), "{policy:?}: {refused:?}");
    }
    let mut ends = CustomEvent::new("in between", true);
    ends.subagent_run_id = Some(SubagentRunId::from("a"));
    let (_, refused) = played(Policy::Strict, [text("one").into(), ends.into(), unnamed()]);
    assert!(
        matches!(&refused[..], [DynamicError::Chunk(agui_runtime::receive::ChunkError::NoId { .. })]),
        "{refused:?}"
    );
}
