//! The events of all sequences: two ids, shared by all kinds of things; no owner, and two; nested subagents; and for
//! every event that order depends on, the ways it can refer to them.

use agui_runtime::protocol::{
    ActivityDeltaEvent, ActivitySnapshotEvent, AssistantMessage, Event, FunctionCall, JsonObject, JsonPatch,
    Message, MessagesSnapshotEvent, ReasoningEncryptedValueEvent, ReasoningEncryptedValueSubtype as Of,
    ReasoningEndEvent, ReasoningMessage, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, ReasoningStartEvent, RunAgentInput, RunErrorEvent, RunFinishedEvent,
    RunStartedEvent, StateDeltaEvent, StepFinishedEvent, StepStartedEvent, SubagentErrorEvent,
    SubagentFinishedEvent, SubagentStartedEvent, TextMessageChunkEvent, TextMessageContentEvent,
    TextMessageEndEvent, TextMessageStartEvent, ToolCall, ToolCallArgsEvent, ToolCallEndEvent,
    ToolCallResultEvent, ToolCallStartEvent,
};

/// The event as a subagent's.
fn by(subagent: &str, event: impl Into<Event>) -> Event {
    let mut event = event.into();
    *event.subagent_run_id_mut().unwrap() = Some(subagent.into());
    event
}

/// Message `x` is a's; message `z` and its call `y` are b's; the thought `x` is b's.
fn conversation() -> Vec<Message> {
    let call = ToolCall::new("y", FunctionCall::new("tool", "{}"));
    vec![
        AssistantMessage::new("x").with_content("x").with_subagent_run_id("a").into(),
        AssistantMessage::new("z").with_tool_calls(vec![call]).with_subagent_run_id("b").into(),
        ReasoningMessage::new("x", "x").with_subagent_run_id("b").into(),
    ]
}

pub(crate) fn alphabet() -> Vec<Event> {
    let echo = Box::new(RunAgentInput::new("t", "r", conversation()));
    let activity = || ActivitySnapshotEvent::new("x", "kind", JsonObject::new());
    let chunk = TextMessageChunkEvent::new().with_message_id("x");
    let mut events = vec![
        RunStartedEvent::new("t", "r").into(),
        RunStartedEvent::new("t", "r").with_input(echo).into(),
        RunFinishedEvent::new("t", "r").into(),
        RunErrorEvent::new("no").into(),
        StepStartedEvent::new("x").into(),
        by("a", StepStartedEvent::new("x")),
        StepFinishedEvent::new("x").into(),
        by("a", StepFinishedEvent::new("x")),
        by("b", StepFinishedEvent::new("x")),
    ];
    events.extend([
        TextMessageStartEvent::new("x").into(),
        by("a", TextMessageStartEvent::new("x")),
        by("b", TextMessageStartEvent::new("y")),
        TextMessageContentEvent::new("x", "").into(),
        by("a", TextMessageContentEvent::new("x", "")),
        TextMessageContentEvent::new("y", "").into(),
        TextMessageEndEvent::new("x").into(),
        by("b", TextMessageEndEvent::new("x")),
        TextMessageEndEvent::new("y").into(),
    ]);
    events.extend([
        ToolCallStartEvent::new("x", "tool").into(),
        by("a", ToolCallStartEvent::new("x", "tool")),
        ToolCallStartEvent::new("y", "tool").with_parent_message_id("x").into(),
        by("b", ToolCallStartEvent::new("x", "tool").with_parent_message_id("x")),
        ToolCallArgsEvent::new("x", "").into(),
        by("a", ToolCallArgsEvent::new("x", "")),
        by("b", ToolCallArgsEvent::new("y", "")),
        ToolCallEndEvent::new("x").into(),
        by("b", ToolCallEndEvent::new("x")),
        ToolCallEndEvent::new("y").into(),
        ToolCallResultEvent::new("x", "y", "").into(),
        by("a", ToolCallResultEvent::new("y", "x", "")),
    ]);
    events.extend([
        ReasoningStartEvent::new("x").into(),
        by("a", ReasoningStartEvent::new("x")),
        ReasoningEndEvent::new("x").into(),
        by("b", ReasoningEndEvent::new("x")),
        ReasoningMessageStartEvent::new("x").into(),
        by("b", ReasoningMessageStartEvent::new("x")),
        ReasoningMessageContentEvent::new("x", "").into(),
        by("a", ReasoningMessageContentEvent::new("x", "")),
        ReasoningMessageEndEvent::new("x").into(),
        by("a", ReasoningMessageEndEvent::new("x")),
        by("a", ReasoningEncryptedValueEvent::new(Of::Message, "x", "")),
        by("b", ReasoningEncryptedValueEvent::new(Of::ToolCall, "x", "")),
    ]);
    events.extend([
        by("a", activity()),
        by("b", activity().with_replace(false)),
        by("b", ActivityDeltaEvent::new("x", "kind", JsonPatch::default())),
        MessagesSnapshotEvent::new(conversation()).into(),
        SubagentStartedEvent::new("a", "name").into(),
        SubagentStartedEvent::new("b", "name").with_parent_subagent_run_id("a").into(),
        SubagentFinishedEvent::new("a").into(),
        SubagentErrorEvent::new("b", "no").into(),
        by("a", chunk),
        by("a", StateDeltaEvent::new(JsonPatch::default())),
    ]);
    events
}
