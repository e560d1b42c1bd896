//! The fields that every event may carry: metadata, the provider's event, the time, and the author's tag.

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, Content, CustomEvent, Event, JsonObject, JsonPatch, Metadata,
    NonNull, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype, RunAgentInput, StateDeltaEvent,
    StateSnapshotEvent, SubagentStartedEvent, TextMessageChunkEvent, TextMessageContentEvent, Timestamp,
    ToolCallResultEvent,
};
use serde_json::{Value, json};

use super::super::machine::{CallStart, ForeignResult, RunKernel, TextStart};
use super::super::span::{ROOT, SpanSlot};
use super::super::{Clock, EventFields, Ids, Peer, WriteFields};
use super::{call, input, kernel, old_kernel, said, subagent, subagent_end, text};
use crate::protocol::ToolSide;

const TIME: i64 = 7;

fn fields() -> WriteFields {
    let time = Timestamp::from_millis(TIME).expect("a small number");
    let metadata = Metadata::from_iter([("a/b".to_owned(), Value::from(1))]);
    let fields = EventFields::new().with_timestamp(time).with_metadata(metadata);
    Some(Box::new(fields.with_raw_event(NonNull::new(json!("raw")).expect("it is not null"))))
}

fn start(tool: &str, side: ToolSide) -> CallStart {
    CallStart { tool: tool.to_owned().into(), side, parent: None, id: None }
}

fn pending(k: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    let (slot, _) = call(k, by, ToolSide::Backend);
    k.end_foreign_arguments(slot, None);
    slot
}

fn activity(k: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    k.open_activity(by, "PLAN".into(), JsonObject::new(), None, None)
}

fn snapshot() -> ActivitySnapshotEvent {
    ActivitySnapshotEvent::new("theirs", "PLAN", Box::default())
}

/// One write, after the events that it needs; those are removed.
type Write = fn(&mut RunKernel, SpanSlot, WriteFields);

fn prepared<T>(k: &mut RunKernel, prepare: impl FnOnce(&mut RunKernel) -> T) -> T {
    let done = prepare(k);
    said(k);
    done
}

/// Every way to write, by the types of its events.
const WRITES: &[(&str, Write)] = &[
    ("TEXT_MESSAGE_START", |k, by, f| {
        k.open_text(by, TextStart::default(), f);
    }),
    ("TEXT_MESSAGE_START", |k, by, f| {
        k.open_text_as(by, "m".into(), TextStart::default(), f);
    }),
    ("TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT", |k, by, f| {
        k.send_text(by, "all".to_owned(), TextStart::default(), f);
    }),
    ("TEXT_MESSAGE_CONTENT", |k, by, f| {
        let slot = prepared(k, |k| text(k, by));
        k.push_text(slot, "x".to_owned(), f);
    }),
    ("TEXT_MESSAGE_END", |k, by, f| {
        let slot = prepared(k, |k| text(k, by));
        k.close(slot, f);
    }),
    ("REASONING_START", |k, by, f| {
        k.open_reasoning(by, None, f);
    }),
    ("REASONING_START", |k, by, f| {
        k.open_reasoning_as(by, "m".into(), f);
    }),
    ("REASONING_END", |k, by, f| {
        let slot = prepared(k, |k| k.open_reasoning(by, None, None));
        k.close(slot, f);
    }),
    ("REASONING_MESSAGE_START", |k, by, f| {
        k.open_reasoning_message(by, None, f);
    }),
    ("REASONING_MESSAGE_START", |k, by, f| {
        k.open_reasoning_message_as(by, "m".into(), f);
    }),
    ("REASONING_MESSAGE_CONTENT", |k, by, f| {
        let slot = prepared(k, |k| k.open_reasoning_message(by, None, None));
        k.push_reasoning(slot, "x".to_owned(), f);
    }),
    ("REASONING_MESSAGE_END", |k, by, f| {
        let slot = prepared(k, |k| k.open_reasoning_message(by, None, None));
        k.close(slot, f);
    }),
    ("STEP_STARTED", |k, by, f| {
        k.open_step(by, "s".to_owned(), f);
    }),
    ("STEP_FINISHED", |k, by, f| {
        let slot = prepared(k, |k| k.open_step(by, "s".to_owned(), None));
        k.close(slot, f);
    }),
    ("TOOL_CALL_START", |k, by, f| {
        k.open_call(by, start("search", ToolSide::Backend), f);
    }),
    ("TOOL_CALL_START", |k, by, f| {
        let slot = prepared(k, |k| pending(k, by));
        k.reopen_call(by, slot, start("search", ToolSide::Backend), f);
    }),
    ("TOOL_CALL_ARGS", |k, by, f| {
        let (slot, _) = prepared(k, |k| call(k, by, ToolSide::Backend));
        k.push_arguments(slot, "{}".to_owned(), f);
    }),
    ("TOOL_CALL_END", |k, by, f| {
        let (slot, _) = prepared(k, |k| call(k, by, ToolSide::Backend));
        k.end_arguments(slot, f);
    }),
    ("TOOL_CALL_END", |k, by, f| {
        let (slot, _) = prepared(k, |k| call(k, by, ToolSide::Frontend));
        k.end_arguments(slot, f);
    }),
    ("TOOL_CALL_END", |k, by, f| {
        let (slot, _) = prepared(k, |k| call(k, by, ToolSide::Backend));
        k.end_foreign_arguments(slot, f);
    }),
    ("TOOL_CALL_END TOOL_CALL_RESULT", |k, by, f| {
        let (slot, _) = prepared(k, |k| call(k, by, ToolSide::Backend));
        k.close(slot, f);
    }),
    ("TOOL_CALL_RESULT", |k, by, f| {
        let slot = prepared(k, |k| unanswered(k, by));
        k.close(slot, f);
    }),
    ("TOOL_CALL_RESULT", |k, by, f| {
        let slot = prepared(k, |k| unanswered(k, by));
        k.settle_call(slot, Content::Text("1".to_owned()), f);
    }),
    ("TOOL_CALL_RESULT", |k, by, f| {
        let slot = prepared(k, |k| pending(k, by));
        let answer = ForeignResult { message: None, content: Content::Text("1".to_owned()) };
        k.settle_pending(by, slot, answer, f);
    }),
    ("ACTIVITY_SNAPSHOT", |k, by, f| {
        k.open_activity(by, "PLAN".into(), JsonObject::new(), None, f);
    }),
    ("ACTIVITY_SNAPSHOT", |k, by, f| drop(k.open_foreign_activity(by, snapshot(), None, f))),
    ("ACTIVITY_SNAPSHOT", |k, by, f| {
        let slot = prepared(k, |k| activity(k, by));
        k.restart_activity(slot, JsonObject::new(), f);
    }),
    ("ACTIVITY_SNAPSHOT", |k, by, f| {
        let slot = prepared(k, |k| activity(k, by));
        assert!(k.forward_activity(slot, snapshot().into(), f));
    }),
    ("ACTIVITY_DELTA", |k, by, f| {
        let slot = prepared(k, |k| activity(k, by));
        let delta = ActivityDeltaEvent::new("theirs", "PLAN", JsonPatch::default());
        assert!(k.forward_activity(slot, delta.into(), f));
    }),
    ("ACTIVITY_DELTA", |k, by, f| {
        let slot = prepared(k, |k| activity(k, by));
        assert!(k.change_activity(slot, JsonPatch::default(), f).is_ok());
    }),
    ("CUSTOM", |k, by, f| k.send(by, CustomEvent::new("note", 1), f)),
    ("TEXT_MESSAGE_CHUNK", |k, by, f| {
        k.pass_chunk(by, "theirs", TextMessageChunkEvent::new().with_delta("x").into(), f);
    }),
    ("STATE_DELTA", |k, by, f| {
        let delta = StateDeltaEvent::new(JsonPatch::default()).into();
        k.change_state(by, None, delta, f);
    }),
];

/// The writes whose events carry no tag.
const UNTAGGED: &[(&str, Write)] = &[
    ("CUSTOM", |k, by, f| k.send_untagged(by, CustomEvent::new("note", 1), f)),
    ("REASONING_ENCRYPTED_VALUE", |k, by, f| {
        let (_, id) = prepared(k, |k| call(k, by, ToolSide::Backend));
        let subtype = ReasoningEncryptedValueSubtype::ToolCall;
        k.encrypt(by, ReasoningEncryptedValueEvent::new(subtype, id.as_str(), "signed"), f);
    }),
    ("MESSAGES_SNAPSHOT", |k, by, f| assert!(k.restate(by, vec![], f).is_ok())),
    ("SUBAGENT_STARTED", |k, by, f| {
        k.open_subagent(by, SubagentStartedEvent::new("", "helper"), None, f);
    }),
    ("SUBAGENT_FINISHED", |k, by, f| {
        let slot = prepared(k, |k| subagent(k, by));
        k.end_subagent(slot, subagent_end(0), f);
    }),
    ("SUBAGENT_ERROR", |k, by, f| {
        let slot = prepared(k, |k| subagent(k, by));
        k.close(slot, f);
    }),
];

fn unanswered(k: &mut RunKernel, by: SpanSlot) -> SpanSlot {
    let (slot, _) = call(k, by, ToolSide::Backend);
    k.end_arguments(slot, None);
    slot
}

/// The first event of a write carries all fields, and the later events only the time.
pub(super) fn on_the_first() {
    for (types, write) in WRITES.iter().chain(UNTAGGED) {
        let mut k = kernel();
        write(&mut k, ROOT, fields());
        let time = Timestamp::from_millis(TIME).ok();
        for (place, event) in k.queue.iter().enumerate() {
            assert_eq!(event.timestamp(), time, "{types}");
            assert_eq!(event.raw_event().is_some(), place == 0, "{types}");
            assert_eq!(event.metadata().is_some(), place == 0, "{types}");
        }
        assert_eq!(said(&mut k).join(" "), *types);
    }
    // The snapshot before a change does not come from the writer, so it has no fields.
    let mut k = old_kernel();
    let delta = StateDeltaEvent::new(JsonPatch::default()).into();
    k.change_state(ROOT, Some(StateSnapshotEvent::new(json!(1)).into()), delta, fields());
    let marked: Vec<bool> = k.queue.iter().map(|event| event.metadata().is_some()).collect();
    assert_eq!(marked, [false, true]);
}

/// The events of an author carry its tag and no other; events of no author carry none.
pub(super) fn tags() {
    for (tagged, writes) in [(true, WRITES), (false, UNTAGGED)] {
        for (types, write) in writes {
            let mut k = kernel();
            let helper = prepared(&mut k, |k| subagent(k, ROOT));
            let tag = k.tag_of(helper);
            assert!(tag.is_some());
            write(&mut k, helper, None);
            assert!(!k.queue.is_empty());
            for event in &k.queue {
                if !matches!(
                    event,
                    Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_)
                ) {
                    assert_eq!(event.subagent_run_id(), tag.as_ref().filter(|_| tagged), "{types}");
                }
            }
        }
    }
    let mut k = kernel();
    let told = CustomEvent::new("note", 1).with_subagent_run_id("somebody");
    k.send(ROOT, told.clone(), None);
    k.send_untagged(ROOT, told, None);
    assert!(k.queue.iter().all(|event| event.subagent_run_id().is_none()));
}

/// Events have the time of the clock, if it gives one; a time of their own takes precedence.
pub(super) fn times() {
    let times = |mut k: RunKernel| {
        let slot = text(&mut k, ROOT);
        k.push_text(slot, "x".to_owned(), fields());
        k.close(slot, None);
        k.queue.iter().map(|event| event.timestamp().map(Timestamp::millis)).collect::<Vec<_>>()
    };
    let of = |clock| RunKernel::new(&input(), Ids::fixed("k"), clock, Peer::CURRENT);
    assert_eq!(times(of(Clock::silent())), [None, Some(TIME), None]);
    assert_eq!(times(of(Clock::fixed(100, 5))), [Some(100), Some(TIME), Some(110)]);
}

/// Parts that a legacy client cannot read are not sent to it; they are counted.
pub(super) fn legacy_clients() {
    let result = || {
        let parts = json!([{"type": "text", "text": "a"}, {"type": "image", "source": {"type": "url", "value": "u"}}]);
        let content: Content = serde_json::from_value(parts).expect("these are parts");
        ToolCallResultEvent::new("m", "c", content)
    };
    let mut k = old_kernel();
    k.send(ROOT, result(), None);
    assert!(k.has_lost());
    assert_eq!(k.take_lost().parts, 1);
    assert!(!k.has_lost(), "it was told");
    let Some(Event::ToolCallResult(told)) = k.queue.pop_front() else { panic!("no result") };
    assert_eq!(told.content, Content::Text("a".to_owned()));
    let helper = subagent(&mut k, ROOT);
    text(&mut k, helper);
    k.send(ROOT, TextMessageContentEvent::new("m", ""), None);
    assert!(k.queue.iter().all(|event| event.subagent_run_id().is_none()));
    assert_eq!(said(&mut k), ["TEXT_MESSAGE_START"]);
    // Such a client sees one author, so only the run's own agent can send chunks.
    assert!(k.may_pass_chunks(ROOT) && !k.may_pass_chunks(helper));

    let mut k = kernel();
    k.send(ROOT, result(), None);
    assert!(!k.has_lost());
    let helper = subagent(&mut k, ROOT);
    assert!(k.may_pass_chunks(ROOT) && k.may_pass_chunks(helper));
}

/// A run begins with the ids of its input, and with fields of its own.
pub(super) fn beginning() {
    let mut input = RunAgentInput::new("t", "r", vec![]).with_protocol_version("1.0");
    input.parent_run_id = Some("before".into());
    let mut k = RunKernel::new(&input, Ids::fixed("k"), Clock::silent(), Peer::CURRENT);
    k.start(&input, fields());
    let Some(Event::RunStarted(started)) = k.queue.pop_front() else { panic!("no start") };
    assert_eq!((started.thread_id.as_str(), started.run_id.as_str()), ("t", "r"));
    assert_eq!(started.parent_run_id, input.parent_run_id);
    assert!(started.protocol_version.is_some());
    assert!(started.metadata.is_some());
}
