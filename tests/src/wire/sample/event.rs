//! Samples of the 31 events.

use agui_runtime::protocol::*;
use serde_json::{Value, json};

use super::conversation::{input, messages};
use super::part::{interrupt, metadata, non_null, object, parts, patch, usage};
use super::samples;

/// Sets the members of every event; on attributable events the author too.
macro_rules! base {
    ($event:expr) => {
        $event
            .with_timestamp(Timestamp::from_millis(1_789_862_400_000).expect("in range"))
            .with_raw_event(non_null(json!({ "delta": null })))
            .with_metadata(metadata())
    };
    ($event:expr, tagged) => {
        base!($event).with_subagent_run_id("inv-1")
    };
}

samples! {
    RunStartedEvent:
        base!(RunStartedEvent::new("trip-7", "r-1")
            .with_protocol_version(PROTOCOL_VERSION)
            .with_parent_run_id("r-0")
            .with_input(input())),
        RunStartedEvent::new("", "");
    RunFinishedEvent:
        base!(RunFinishedEvent::new("trip-7", "r-1")
            .with_result(non_null(json!([null])))
            .with_outcome(RunFinishedInterruptOutcome::new(interrupt()))
            .with_usage([usage(), TokenUsage::new()])),
        RunFinishedEvent::new("trip-7", "r-1");
    RunErrorEvent:
        base!(RunErrorEvent::new("boom").with_code("abort").with_usage([])),
        RunErrorEvent::new("");
    StepStartedEvent: base!(StepStartedEvent::new("plan"), tagged), StepStartedEvent::new("");
    StepFinishedEvent: base!(StepFinishedEvent::new("plan"), tagged), StepFinishedEvent::new("");

    TextMessageStartEvent:
        base!(TextMessageStartEvent::new("m-1").with_role(TextMessageRole::User).with_name("Ada"), tagged),
        TextMessageStartEvent::new("");
    TextMessageContentEvent:
        base!(TextMessageContentEvent::new("m-1", "\u{1f469}\u{200d}\u{1f373}\u{2028}\"\\\u{0}"), tagged),
        TextMessageContentEvent::new("", "");
    TextMessageEndEvent: base!(TextMessageEndEvent::new("m-1"), tagged), TextMessageEndEvent::new("");
    TextMessageChunkEvent:
        base!(
            TextMessageChunkEvent::new()
                .with_message_id("m-1")
                .with_role(TextMessageRole::Assistant)
                .with_delta("Take")
                .with_name("chef"),
            tagged
        ),
        TextMessageChunkEvent::new();

    ToolCallStartEvent:
        base!(ToolCallStartEvent::new("c-1", "forecast").with_parent_message_id("m-1"), tagged),
        ToolCallStartEvent::new("", "");
    ToolCallArgsEvent: base!(ToolCallArgsEvent::new("c-1", r#"{"city":"#), tagged), ToolCallArgsEvent::new("", "");
    ToolCallEndEvent: base!(ToolCallEndEvent::new("c-1"), tagged), ToolCallEndEvent::new("");
    ToolCallChunkEvent:
        base!(
            ToolCallChunkEvent::new()
                .with_tool_call_id("c-1")
                .with_tool_call_name("forecast")
                .with_parent_message_id("m-1")
                .with_delta("{}"),
            tagged
        ),
        ToolCallChunkEvent::new();
    ToolCallResultEvent:
        base!(ToolCallResultEvent::new("m-2", "c-1", parts()).with_role(ToolResultRole::Tool), tagged),
        ToolCallResultEvent::new("", "", "");

    StateSnapshotEvent: base!(StateSnapshotEvent::new(json!({ "a": null })), tagged), StateSnapshotEvent::new(Value::Null);
    StateDeltaEvent: base!(StateDeltaEvent::new(patch()), tagged), StateDeltaEvent::new([]);
    MessagesSnapshotEvent: base!(MessagesSnapshotEvent::new(messages())), MessagesSnapshotEvent::new([]);

    ActivitySnapshotEvent:
        base!(ActivitySnapshotEvent::new("a-1", "PACKING", object(json!({ "done": null }))).with_replace(false), tagged),
        ActivitySnapshotEvent::new("", "", JsonObject::new());
    ActivityDeltaEvent:
        base!(ActivityDeltaEvent::new("a-1", "PACKING", patch()), tagged),
        ActivityDeltaEvent::new("", "", []);

    ReasoningStartEvent: base!(ReasoningStartEvent::new("span-1"), tagged), ReasoningStartEvent::new("");
    ReasoningMessageStartEvent:
        base!(ReasoningMessageStartEvent::new("rm-1"), tagged),
        ReasoningMessageStartEvent::new("");
    ReasoningMessageContentEvent:
        base!(ReasoningMessageContentEvent::new("rm-1", "Hm."), tagged),
        ReasoningMessageContentEvent::new("", "");
    ReasoningMessageEndEvent:
        base!(ReasoningMessageEndEvent::new("rm-1"), tagged),
        ReasoningMessageEndEvent::new("");
    ReasoningMessageChunkEvent:
        base!(ReasoningMessageChunkEvent::new().with_message_id("rm-1").with_delta("Hm."), tagged),
        ReasoningMessageChunkEvent::new();
    ReasoningEndEvent: base!(ReasoningEndEvent::new("span-1"), tagged), ReasoningEndEvent::new("");
    ReasoningEncryptedValueEvent:
        base!(
            ReasoningEncryptedValueEvent::new(ReasoningEncryptedValueSubtype::ToolCall, "c-1", "k9w=")
                .with_encrypted_value_type("anthropic.signature"),
            tagged
        ),
        ReasoningEncryptedValueEvent::new(ReasoningEncryptedValueSubtype::Message, "", "");

    SubagentStartedEvent:
        base!(SubagentStartedEvent::new("inv-2", "weather")
            .with_description("Looks at the sky")
            .with_parent_subagent_run_id("inv-1")
            .with_parent_tool_call_id("c-1")
            .with_parent_message_id("m-1")),
        SubagentStartedEvent::new("", "");
    SubagentFinishedEvent:
        base!(SubagentFinishedEvent::new("inv-2")
            .with_result("Rain")
            .with_outcome(SubagentFinishedSuspendedOutcome::new())),
        SubagentFinishedEvent::new("");
    SubagentErrorEvent: base!(SubagentErrorEvent::new("inv-2", "boom").with_code("x")), SubagentErrorEvent::new("", "");

    RawEvent: base!(RawEvent::new(json!({ "type": "CUSTOM" })).with_source("upstream"), tagged), RawEvent::new(Value::Null);
    CustomEvent: base!(CustomEvent::new("acme/sizzle", json!([null])), tagged), CustomEvent::new("", Value::Null);
}
