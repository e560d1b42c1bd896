//! Random events.

use agui_runtime::protocol::*;
use proptest::collection::vec;
use proptest::prelude::*;

use super::conversation::{input, message};
use super::generators;
use super::json::{id, metadata, non_null, object, text, timestamp, value};
use super::part::{content, one_of, outcome, patch, subagent_outcome, usage};

generators! {
    fn run_started() -> RunStartedEvent (thread_id: id::<ThreadId>(), run_id: id::<RunId>()) {
        protocol_version: text(), parent_run_id: id(), input: input().prop_map(Box::new),
    }
    fn run_finished() -> RunFinishedEvent (thread_id: id::<ThreadId>(), run_id: id::<RunId>()) {
        result: non_null(), outcome: outcome(), usage: vec(usage(), 0..3),
    }
    fn run_error() -> RunErrorEvent (message: text()) { code: text(), usage: vec(usage(), 0..3) }
    fn step_started() -> StepStartedEvent (step_name: text()) {}
    fn step_finished() -> StepFinishedEvent (step_name: text()) {}

    fn text_start() -> TextMessageStartEvent (message_id: id::<MessageId>()) {
        role: one_of(TextMessageRole::ALL), name: text(),
    }
    fn text_content() -> TextMessageContentEvent (message_id: id::<MessageId>(), delta: text()) {}
    fn text_end() -> TextMessageEndEvent (message_id: id::<MessageId>()) {}
    fn text_chunk() -> TextMessageChunkEvent () {
        message_id: id(), role: one_of(TextMessageRole::ALL), delta: text(), name: text(),
    }

    fn call_start() -> ToolCallStartEvent (tool_call_id: id::<ToolCallId>(), tool_call_name: text()) {
        parent_message_id: id(),
    }
    fn call_args() -> ToolCallArgsEvent (tool_call_id: id::<ToolCallId>(), delta: text()) {}
    fn call_end() -> ToolCallEndEvent (tool_call_id: id::<ToolCallId>()) {}
    fn call_chunk() -> ToolCallChunkEvent () {
        tool_call_id: id(), tool_call_name: text(), parent_message_id: id(), delta: text(),
    }
    fn call_result() -> ToolCallResultEvent (
        message_id: id::<MessageId>(), tool_call_id: id::<ToolCallId>(), content: content()
    ) { role: one_of(ToolResultRole::ALL) }

    fn state_snapshot() -> StateSnapshotEvent (snapshot: value()) {}
    fn state_delta() -> StateDeltaEvent (delta: patch()) {}
    fn messages_snapshot() -> MessagesSnapshotEvent (messages: vec(message(), 0..3)) {}

    fn activity_snapshot() -> ActivitySnapshotEvent (
        message_id: id::<MessageId>(), activity_type: text(), content: object()
    ) { replace: any::<bool>() }
    fn activity_delta() -> ActivityDeltaEvent (message_id: id::<MessageId>(), activity_type: text(), patch: patch()) {}

    fn reasoning_start() -> ReasoningStartEvent (message_id: id::<MessageId>()) {}
    fn reasoning_message_start() -> ReasoningMessageStartEvent (message_id: id::<MessageId>()) {}
    fn reasoning_message_content() -> ReasoningMessageContentEvent (message_id: id::<MessageId>(), delta: text()) {}
    fn reasoning_message_end() -> ReasoningMessageEndEvent (message_id: id::<MessageId>()) {}
    fn reasoning_message_chunk() -> ReasoningMessageChunkEvent () { message_id: id(), delta: text() }
    fn reasoning_end() -> ReasoningEndEvent (message_id: id::<MessageId>()) {}
    fn reasoning_encrypted_value() -> ReasoningEncryptedValueEvent (
        subtype: one_of(ReasoningEncryptedValueSubtype::ALL), entity_id: text(), encrypted_value: text()
    ) { encrypted_value_type: text() }

    fn subagent_started() -> SubagentStartedEvent (subagent_run_id: id::<SubagentRunId>(), name: text()) {
        description: text(), parent_subagent_run_id: id(), parent_tool_call_id: id(), parent_message_id: id(),
    }
    fn subagent_finished() -> SubagentFinishedEvent (subagent_run_id: id::<SubagentRunId>()) {
        result: non_null(), outcome: subagent_outcome(),
    }
    fn subagent_error() -> SubagentErrorEvent (subagent_run_id: id::<SubagentRunId>(), message: text()) { code: text() }

    fn raw() -> RawEvent (event: value()) { source: text() }
    fn custom() -> CustomEvent (name: text(), value: value()) {}
}

/// Any event of the given type.
fn bare(event_type: EventType) -> BoxedStrategy<Event> {
    macro_rules! by_type {
        ($($Type:ident: $generator:ident),* $(,)?) => {
            match event_type { $(EventType::$Type => $generator().prop_map(Event::from).boxed(),)* }
        };
    }
    by_type! {
        RunStarted: run_started, RunFinished: run_finished, RunError: run_error, StepStarted: step_started,
        StepFinished: step_finished, TextMessageStart: text_start, TextMessageContent: text_content,
        TextMessageEnd: text_end, TextMessageChunk: text_chunk, ToolCallStart: call_start, ToolCallArgs: call_args,
        ToolCallEnd: call_end, ToolCallChunk: call_chunk, ToolCallResult: call_result, StateSnapshot: state_snapshot,
        StateDelta: state_delta, MessagesSnapshot: messages_snapshot, ActivitySnapshot: activity_snapshot,
        ActivityDelta: activity_delta, ReasoningStart: reasoning_start, ReasoningMessageStart: reasoning_message_start,
        ReasoningMessageContent: reasoning_message_content, ReasoningMessageEnd: reasoning_message_end,
        ReasoningMessageChunk: reasoning_message_chunk, ReasoningEnd: reasoning_end,
        ReasoningEncryptedValue: reasoning_encrypted_value, SubagentStarted: subagent_started,
        SubagentFinished: subagent_finished, SubagentError: subagent_error, Raw: raw, Custom: custom,
    }
}

/// Any event of the given type, with any of the members every event may have.
pub fn event(event_type: EventType) -> BoxedStrategy<Event> {
    let base = (
        proptest::option::of(timestamp()),
        proptest::option::of(non_null()),
        proptest::option::of(metadata()),
        proptest::option::of(id::<SubagentRunId>()),
    );
    (bare(event_type), base)
        .prop_map(|(mut event, (timestamp, raw_event, metadata, subagent_run_id))| {
            *event.timestamp_mut() = timestamp;
            *event.raw_event_mut() = raw_event;
            *event.metadata_mut() = metadata;
            if let Some(slot) = event.subagent_run_id_mut() {
                *slot = subagent_run_id;
            }
            event
        })
        .boxed()
}
