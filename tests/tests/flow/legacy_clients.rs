//! The stream for legacy clients: nothing that they refuse or misread, and everything else.

use agui_runtime::Policy;
use agui_runtime::Stop;
use agui_runtime::json::patch::{MAX_COPIED, patch};
use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, AssistantMessage, Content, ContentPart, CustomEvent, Event,
    FileSource, FunctionCall, ImagePart, Interrupt, JsonPatch, JsonPointer, Message, NonNull, PatchOperation,
    RawEvent, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, ReasoningEndEvent,
    ReasoningMessageContentEvent, ReasoningMessageEndEvent, ReasoningMessageStartEvent, ReasoningStartEvent,
    RunAgentInput, StateDeltaEvent, StateSnapshotEvent, StepFinishedEvent, StepStartedEvent,
    SubagentErrorEvent, SubagentFinishedEvent, SubagentStartedEvent, TextMessageChunkEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent, TextPart, TokenUsage, ToolCall,
    ToolCallArgsEvent, ToolCallChunkEvent, ToolCallEndEvent, ToolCallResultEvent, ToolCallStartEvent,
    ToolMessage, UrlSource, UserMessage,
};
use agui_tests::outside::Node;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

use crate::agent::{Body, Script, json, stream_for, types};
use crate::dynamic::program::{Play, Program};
use crate::dynamic::property::program;

const CLIENTS: [&str; 2] = ["0.0.57", "0.0.59"];

fn old(mut program: Program) -> Program {
    program.input.protocol_version = None;
    program
}

/// The verdicts of both clients; empty without Node.
fn verdicts(events: &[Value]) -> Vec<Value> {
    match Node::ready() {
        Ok(node) => node.replay(&CLIENTS.map(|client| json!({ "client": client, "stream": events }))),
        Err(missing) => {
            missing.skip("legacy clients: their verdicts");
            vec![]
        }
    }
}

#[track_caller]
fn accepted(events: &[Value]) {
    for verdict in verdicts(events) {
        assert_eq!(verdict["accepted"], true, "{verdict:#} {events:#?}");
        assert_eq!(verdict["events"].as_array().unwrap().len(), events.len());
    }
}

/// The legacy output for these events, at least one of which a legacy client would refuse in the form of 1.0.
#[track_caller]
fn gated(fed: &[Event]) -> Vec<Value> {
    let plays = |program: Program| program.then(fed.iter().cloned().map(Play::Feed)).play();
    let now: Vec<Value> = plays(Program::new(Policy::Strict)).events.iter().map(json).collect();
    let refused = verdicts(&now).iter().filter(|verdict| verdict["accepted"] == false).count();
    assert!(refused > 0 || verdicts(&now).is_empty(), "both clients take it as it is: {now:#?}");
    let played = plays(old(Program::new(Policy::Strict)));
    assert!(played.refused.is_empty(), "{:?}", played.refused);
    let events: Vec<Value> = played.events.iter().map(json).collect();
    accepted(&events);
    events
}

#[test]
fn subagents_are_not_told_apart() {
    let text = |id: &str| TextMessageStartEvent::new(id).with_subagent_run_id("a");
    let events = gated(&[
        SubagentStartedEvent::new("a", "one").into(),
        SubagentStartedEvent::new("b", "two").into(),
        StepStartedEvent::new("plan").with_subagent_run_id("a").into(),
        StepStartedEvent::new("plan").with_subagent_run_id("b").into(),
        StepFinishedEvent::new("plan").with_subagent_run_id("a").into(),
        StepFinishedEvent::new("plan").with_subagent_run_id("b").into(),
        text("m").into(),
        TextMessageEndEvent::new("m").with_subagent_run_id("a").into(),
        SubagentFinishedEvent::new("a").into(),
        SubagentErrorEvent::new("b", "no").into(),
    ]);
    let told: Vec<_> =
        events.iter().map(|event| (event["type"].as_str().unwrap(), &event["stepName"])).collect();
    let (first, second, none) = (&json!("plan"), &json!("plan#2"), &Value::Null);
    assert_eq!(
        told,
        [
            ("RUN_STARTED", none),
            ("STEP_STARTED", first),
            ("STEP_STARTED", second),
            ("STEP_FINISHED", first),
            ("STEP_FINISHED", second),
            ("TEXT_MESSAGE_START", none),
            ("TEXT_MESSAGE_END", none),
            ("RUN_FINISHED", none),
        ]
    );
    assert!(!json!(events).to_string().contains("subagentRunId"));
}

fn parts() -> Content {
    let image = ImagePart::new(FileSource::new("file-1"));
    Content::Parts(vec![TextPart::new("4").into(), ContentPart::Image(image), TextPart::new("2").into()])
}

#[test]
fn a_result_is_its_text() {
    let events = gated(&[
        ToolCallStartEvent::new("c", "search").into(),
        ToolCallEndEvent::new("c").into(),
        ToolCallResultEvent::new("r", "c", parts()).into(),
    ]);
    assert_eq!(events[3]["content"], "42");
}

#[test]
fn calls_that_wait_are_not_named() {
    let events = gated(&[ToolCallStartEvent::new("c", "confirm").into(), ToolCallEndEvent::new("c").into()]);
    assert_eq!(events.last().unwrap().get("outcome"), None);
}

#[test]
fn chunks_of_the_agent_itself_go_out_as_chunks() {
    let said = |id: &str, tag: Option<&str>, delta: &str| {
        let mut chunk = TextMessageChunkEvent::new().with_message_id(id).with_delta(delta);
        chunk.subagent_run_id = tag.map(Into::into);
        Event::from(chunk)
    };
    let call =
        ToolCallChunkEvent::new().with_tool_call_id("c").with_tool_call_name("search").with_delta("{}");
    let fed = [
        said("m", None, "one "),
        said("s", Some("a"), "between"),
        said("m", None, ""),
        said("m", None, "two"),
        call.into(),
        CustomEvent::new("in between", true).into(),
        said("m", None, " three"),
    ];
    let program = old(Program::new(Policy::Strict)).passing_chunks();
    let played = program.then(fed.into_iter().map(Play::Feed)).play();
    assert!(played.refused.is_empty(), "{:?}", played.refused);
    let events: Vec<Value> = played.events.iter().map(json).collect();
    accepted_as_chunks(&events);
    let told: Vec<_> = events
        .iter()
        .map(|event| (event["type"].as_str().unwrap(), event.get("delta").and_then(Value::as_str)))
        .collect();
    assert_eq!(
        told,
        [
            ("RUN_STARTED", None),
            ("TEXT_MESSAGE_CHUNK", Some("one ")),
            ("TEXT_MESSAGE_START", None),
            ("TEXT_MESSAGE_CONTENT", Some("between")),
            ("TEXT_MESSAGE_CHUNK", None),
            ("TEXT_MESSAGE_CHUNK", Some("two")),
            ("TOOL_CALL_CHUNK", Some("{}")),
            ("CUSTOM", None),
            ("TEXT_MESSAGE_CHUNK", Some(" three")),
            ("TEXT_MESSAGE_END", None),
            ("RUN_FINISHED", None),
        ]
    );
}

/// Both clients accept it, whatever they make of the chunks.
#[track_caller]
fn accepted_as_chunks(events: &[Value]) {
    for verdict in verdicts(events) {
        assert_eq!(verdict["accepted"], true, "{verdict:#} {events:#?}");
    }
}

fn as_before(
    script: for<'r> fn(&'r agui_runtime::Run<Script>, &'r agui_runtime::Input<Script>) -> Body<'r>,
) -> Vec<Value> {
    let events = stream_for(RunAgentInput::new("thread", "run", vec![]), script);
    accepted(&events);
    events
}

#[test]
fn a_cancelled_run_has_no_outcome() {
    let events = as_before(|run, _| {
        Box::pin(async move {
            run.report_usage(TokenUsage::new().with_input_tokens(1_u32));
            Err(Stop::cancelled())
        })
    });
    let usage = json!([{"inputTokens": 1}]);
    let last = json!({"type": "RUN_FINISHED", "threadId": "thread", "runId": "run", "usage": usage});
    assert_eq!(events.last().unwrap(), &last);
}

#[test]
fn an_interrupt_restates_what_they_can_read() {
    let events = as_before(|_, _| {
        Box::pin(async move {
            let call = ToolCall::new("c", FunctionCall::new("search", "{}"));
            let image = |source: UrlSource| ContentPart::Image(ImagePart::new(source));
            let seen = Content::Parts(vec![
                image(UrlSource::new("https://example.com/a.png")),
                ContentPart::Image(ImagePart::new(FileSource::new("file-1"))),
            ]);
            let messages: Vec<Message> = vec![
                UserMessage::new("u", seen).into(),
                AssistantMessage::new("a").with_tool_calls(vec![call]).with_subagent_run_id("s").into(),
                ToolMessage::new("t", parts(), "c").into(),
            ];
            let interrupt = Interrupt::new("i", "confirmation").with_subagent_run_id("s");
            Err(Stop::interrupt(interrupt).with_messages(messages))
        })
    });
    let [_, snapshot, finished] = &events[..] else { panic!("{events:#?}") };
    assert_eq!(snapshot["messages"][0]["content"].as_array().unwrap().len(), 1, "the url stays");
    assert_eq!(snapshot["messages"][2]["content"], "42");
    assert_eq!(
        finished["outcome"],
        json!({"type": "interrupt", "interrupts": [{"id": "i", "reason": "confirmation"}]})
    );
    assert!(!json!(events).to_string().contains("subagentRunId"));
}

/// The oldest client refuses an empty delta of text even if it carries other members, and with it the run.
#[test]
fn empty_deltas_are_left_out_with_what_they_carry() {
    let metadata = || Some(serde_json::from_value(json!({"n": 1})).unwrap());
    let text = |delta: &str| {
        let mut event = TextMessageContentEvent::new("m", delta);
        event.metadata = metadata();
        event.raw_event = NonNull::new(json!({"of": "a provider"}));
        event
    };
    let mut thought = ReasoningMessageContentEvent::new("h", "");
    thought.metadata = metadata();
    let fed = |oldest: bool| -> Vec<Event> {
        let texts = [
            TextMessageStartEvent::new("m").into(),
            TextMessageContentEvent::new("m", "").into(),
            text("").into(),
            text("x").into(),
            TextMessageEndEvent::new("m").into(),
            // The oldest clients accept empty arguments.
            ToolCallStartEvent::new("c", "search").into(),
            ToolCallArgsEvent::new("c", "").into(),
            ToolCallEndEvent::new("c").into(),
            ToolCallResultEvent::new("r", "c", "42").into(),
        ];
        let thoughts: [Event; 2] = [ReasoningMessageStartEvent::new("h").into(), thought.clone().into()];
        texts.into_iter().chain(thoughts.into_iter().filter(|_| !oldest)).collect()
    };
    for oldest in [false, true] {
        let plays = fed(oldest).into_iter().map(Play::Feed);
        let played = old(Program::new(Policy::Strict)).then(plays).play();
        let events: Vec<Value> = played.events.iter().map(json).collect();
        if oldest {
            if let Ok(node) = Node::ready() {
                let verdicts = node.replay(&[json!({ "client": "0.0.36", "stream": events })]);
                assert_eq!(verdicts[0]["accepted"], true, "{verdicts:#?}");
            }
        } else {
            accepted(&events);
        }
        let told: Vec<_> = events.iter().filter_map(|event| event["delta"].as_str()).collect();
        assert_eq!(told, ["x", ""], "{events:#?}");
    }
}

#[test]
fn events_that_they_accept_are_sent() {
    let mut text = TextMessageStartEvent::new("m").with_name("Ada");
    text.metadata = Some(serde_json::from_value(json!({"acme": 1})).unwrap());
    let encrypted = |subtype, id: &str| ReasoningEncryptedValueEvent::new(subtype, id, "secret");
    let fed: Vec<Event> = vec![
        text.into(),
        TextMessageContentEvent::new("m", "x").into(),
        TextMessageEndEvent::new("m").into(),
        ReasoningStartEvent::new("s").into(),
        ReasoningMessageStartEvent::new("h").into(),
        ReasoningMessageContentEvent::new("h", "x").into(),
        ReasoningMessageEndEvent::new("h").into(),
        encrypted(ReasoningEncryptedValueSubtype::Message, "h").into(),
        ReasoningEndEvent::new("s").into(),
        ToolCallStartEvent::new("c", "search").with_parent_message_id("m").into(),
        ToolCallEndEvent::new("c").into(),
        encrypted(ReasoningEncryptedValueSubtype::ToolCall, "c").into(),
        ToolCallResultEvent::new("r", "c", "42").into(),
        ActivitySnapshotEvent::new("a", "plan", Box::default()).with_replace(true).into(),
        ActivityDeltaEvent::new("a", "plan", JsonPatch::default()).into(),
        StateSnapshotEvent::new(json!({"n": null})).into(),
        StateDeltaEvent::new(JsonPatch::default()).into(),
        CustomEvent::new("ping", Value::Null).into(),
        RawEvent::new(json!({})).into(),
    ];
    let events = |program: Program| -> Vec<Value> {
        program.then(fed.iter().cloned().map(Play::Feed)).play().events.iter().map(json).collect()
    };
    let (before, now) = (events(old(Program::new(Policy::Strict))), events(Program::new(Policy::Strict)));
    accepted(&before);
    assert_eq!(before[..before.len() - 1], now[..now.len() - 1]);
}

/// Any forwarded and own events: both clients accept them.
#[test]
fn nothing_else_is_refused() {
    let node = match Node::ready() {
        Ok(node) => node,
        Err(missing) => return missing.skip("legacy clients: their verdicts on any stream"),
    };
    let mut runner = TestRunner::deterministic();
    let (mut jobs, mut chunks) = (Vec::new(), 0);
    for _ in 0..100 {
        let program = old(program().new_tree(&mut runner).unwrap().current()).passing_chunks();
        let events: Vec<Value> = program.play().events.iter().map(json).collect();
        chunks += events.iter().filter(|event| event["type"].as_str().unwrap().ends_with("_CHUNK")).count();
        jobs.extend(CLIENTS.map(|client| json!({ "client": client, "stream": events })));
    }
    assert!(chunks > 20, "only {chunks} chunks");
    for (verdict, job) in node.replay(&jobs).iter().zip(&jobs) {
        assert_eq!(verdict["accepted"], true, "{verdict:#} {job:#}");
    }
}

fn holding(state: Value) -> RunAgentInput {
    RunAgentInput::new("thread", "run", vec![]).with_state(NonNull::new(state).unwrap())
}

/// A document that is large enough to get deltas.
fn held() -> Value {
    (0..50).map(|n| (format!("member-{n}"), json!(n))).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn an_adopted_state_is_sent_whole_before_its_first_change() {
    let events = stream_for(holding(held()), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt(input)?.expect("the client holds this very state");
            state.update(|_| ()).await?;
            run.say("Nothing has changed yet.").await;
            state.update(|doc| doc.insert("member-7".into(), 0)).await?;
            state.update(|doc| doc.insert("member-8".into(), 0)).await?;
            Ok(())
        })
    });
    accepted(&events);
    let said = ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"];
    let told = ["STATE_SNAPSHOT", "STATE_DELTA", "STATE_DELTA"];
    assert_eq!(types(&events)[1..7], [said, told].concat());
    assert_eq!(events[4]["snapshot"], held(), "what it holds, not what it is about to hold");
    assert_eq!(events[5]["delta"], json!([{"op": "add", "path": "/member-7", "value": 0}]));
}

#[test]
fn a_patch_by_hand_comes_after_the_whole_state_too() {
    let events = stream_for(holding(json!({"n": 1})), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt_or_snapshot(input).await?;
            let unfit = PatchOperation::remove("/none".parse().unwrap());
            assert!(state.patch([unfit]).await.is_err());
            state.patch([PatchOperation::replace("/n".parse().unwrap(), 2)]).await?;
            Ok(())
        })
    });
    accepted(&events);
    assert_eq!(types(&events), ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA", "RUN_FINISHED"]);
    assert_eq!(events[1]["snapshot"], json!({"n": 1}));
}

/// The clients' patch library throws an error at such a path.
#[test]
fn a_patch_by_hand_reaches_no_prototype() {
    let events = stream_for(holding(json!({"n": 1})), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt_or_snapshot(input).await?;
            state.patch([PatchOperation::add("/__proto__".parse().unwrap(), 2)]).await?;
            let back = [PatchOperation::copy("/__proto__".parse().unwrap(), "/n".parse().unwrap())];
            state.patch(back).await?;
            Ok(())
        })
    });
    accepted(&events);
    assert_eq!(types(&events), ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    assert_eq!(events[2]["snapshot"], json!({"n": 2, "__proto__": 2}));
}

#[test]
fn a_run_that_changes_nothing_says_nothing_of_the_state() {
    let events = stream_for(holding(held()), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt_or_snapshot(input).await?;
            state.update(|doc| doc.insert("member-7".into(), 7)).await?;
            Ok(())
        })
    });
    assert_eq!(types(&events), ["RUN_STARTED", "RUN_FINISHED"]);
}

#[test]
fn a_change_as_large_as_the_state_is_sent_as_a_snapshot() {
    let events = stream_for(holding(json!({"n": 1})), |run, input| {
        Box::pin(async move {
            let state = run.state().adopt_or_snapshot(input).await?;
            state.update(|doc| doc.insert("n".into(), 2)).await?;
            Ok(())
        })
    });
    assert_eq!(types(&events), ["RUN_STARTED", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    assert_eq!(events[1]["snapshot"], json!({"n": 2}));
}

/// The state events of a forwarded stream, for clients of both generations.
fn forwarded(policy: Policy, state: &Value, fed: &[Event]) -> [(Vec<Value>, usize); 2] {
    [true, false].map(|is_old| {
        let mut program = Program::new(policy);
        program.input.state = NonNull::new(state.clone());
        let program = if is_old { old(program) } else { program };
        let played = program.then(fed.iter().cloned().map(Play::Feed)).play();
        let events: Vec<Value> = played.events.iter().map(json).collect();
        accepted(&events);
        let state = events.into_iter().filter(|event| event["type"].as_str().unwrap().starts_with("STATE_"));
        (state.collect(), played.refused.len())
    })
}

fn replacing(path: &str, value: u32) -> Event {
    let operation = PatchOperation::replace(path.parse().unwrap(), value);
    StateDeltaEvent::new(JsonPatch::from([operation])).into()
}

#[test]
fn a_forwarded_delta_comes_after_the_state_it_is_for() {
    let fed = [replacing("/n", 2), replacing("/n", 3)];
    let [(old, refused), (now, _)] = forwarded(Policy::Strict, &json!({"n": 1, "rest": "kept"}), &fed);
    assert_eq!((now.len(), refused), (2, 0), "a current client holds it");
    let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": {"n": 1, "rest": "kept"}});
    assert_eq!(old, [&[snapshot], &*now].concat());

    // The stream's own snapshot is enough: the deltas are relative to it.
    let fed = [StateSnapshotEvent::new(json!({"n": 5})).into(), replacing("/n", 6)];
    let [(old, refused), (now, _)] = forwarded(Policy::Strict, &json!({"other": 1}), &fed);
    assert_eq!((old, refused), (now, 0));
}

#[test]
fn a_forwarded_delta_that_does_not_apply_is_left_out() {
    let add = PatchOperation::add("/n".parse().unwrap(), 1);
    let fed = [replacing("/n", 2), StateDeltaEvent::new(JsonPatch::from([add])).into(), replacing("/n", 3)];
    for (policy, errors) in [(Policy::Strict, 1), (Policy::Repair, 0)] {
        let [(old, refused), (now, none)] = forwarded(policy, &Value::Null, &fed);
        assert_eq!((now.len(), none, refused), (3, 0, errors));
        let snapshot = json!({"type": "STATE_SNAPSHOT", "snapshot": {}});
        assert_eq!(old, [&[snapshot], &now[1..]].concat(), "from nothing on");
    }
}

/// The bytes that patches copy are limited for the whole run, as in the reader of a stream, and not for each delta.
#[test]
fn the_copies_of_all_forwarded_deltas_share_a_limit() {
    let place = |path: &str| path.parse::<JsonPointer>().unwrap();
    let text = "x".repeat(MAX_COPIED / 8);
    let copying = || {
        let copy = PatchOperation::copy(place("/text"), place("/copy"));
        Event::from(StateDeltaEvent::new(JsonPatch::from([copy])))
    };
    let fed: Vec<Event> = (0..10).map(|_| copying()).collect();
    let mut program = old(Program::new(Policy::Strict));
    program.input.state = NonNull::new(json!({ "text": text }));
    let refused = program.then(fed.into_iter().map(Play::Feed)).play().refused;
    assert_eq!(refused.len(), 3, "seven copies and their overhead fit in the limit");
}

#[test]
fn open_items_are_closed_before_an_error() {
    let events = stream_for(RunAgentInput::new("thread", "run", vec![]), |run, _| {
        Box::pin(async move {
            let mut text = run.message().await;
            text.push("Half of").await;
            text.break_off();
            Err(Stop::error("no more"))
        })
    });
    accepted(&events);
    assert_eq!(
        types(&events),
        ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_ERROR"]
    );
}

/// Any forwarded and own events: a delta applies to the run's own baseline, as `compactEvents` needs it, and nothing is
/// open when the run fails.
#[test]
fn the_output_can_be_compacted() {
    let mut runner = TestRunner::deterministic();
    let (mut deltas, mut failed) = (0, 0);
    for _ in 0..1_000 {
        let program = old(program().new_tree(&mut runner).unwrap().current());
        let events = program.play().events;
        let mut state = None;
        let mut open: Vec<String> = Vec::new();
        for event in &events {
            match event {
                Event::StateSnapshot(snapshot) => {
                    state = Some(snapshot.snapshot.value().unwrap().into_owned());
                }
                Event::StateDelta(delta) => {
                    let state = state.as_mut().expect("a snapshot came before");
                    patch(state, &delta.delta.operations().unwrap()).unwrap();
                    deltas += 1;
                }
                Event::TextMessageStart(start) => open.push(start.message_id.to_string()),
                Event::ToolCallStart(start) => open.push(start.tool_call_id.to_string()),
                Event::TextMessageEnd(end) => open.retain(|id| id != end.message_id.as_str()),
                Event::ToolCallEnd(end) => open.retain(|id| id != end.tool_call_id.as_str()),
                Event::RunError(_) => {
                    assert!(open.is_empty(), "{open:?} {events:#?}");
                    failed += 1;
                }
                _ => {}
            }
        }
    }
    assert!(deltas > 20 && failed > 20, "{deltas} deltas, {failed} errors");
}
