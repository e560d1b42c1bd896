//! Short event constructors.

use crate::protocol::*;

pub(super) fn start() -> Event {
    start_of("t", "r")
}

pub(super) fn start_of(thread: &str, run: &str) -> Event {
    RunStartedEvent::new(thread, run).with_protocol_version("1.0").into()
}

/// A run whose echoed input contains messages.
pub(super) fn start_with(messages: Vec<Message>) -> Event {
    let input = RunAgentInput::new("t", "r", messages);
    RunStartedEvent::new("t", "r").with_protocol_version("1.0").with_input(Box::new(input)).into()
}

pub(super) fn finish() -> Event {
    finish_of("t", "r")
}

pub(super) fn finish_of(thread: &str, run: &str) -> Event {
    RunFinishedEvent::new(thread, run).into()
}

pub(super) fn finish_as(outcome: impl Into<RunFinishedOutcome>) -> Event {
    RunFinishedEvent::new("t", "r").with_outcome(outcome).into()
}

pub(super) fn finish_pending(calls: &[&str]) -> Event {
    let calls: Vec<ToolCallId> = calls.iter().map(|id| ToolCallId::from(*id)).collect();
    finish_as(RunFinishedSuccessOutcome::new().with_pending_tool_call_ids(calls))
}

pub(super) fn fail() -> Event {
    RunErrorEvent::new("no").into()
}

pub(super) fn text(id: &str) -> Event {
    TextMessageStartEvent::new(id).into()
}

pub(super) fn push(id: &str) -> Event {
    TextMessageContentEvent::new(id, "x").into()
}

pub(super) fn end_text(id: &str) -> Event {
    TextMessageEndEvent::new(id).into()
}

pub(super) fn call(id: &str) -> Event {
    ToolCallStartEvent::new(id, "tool").into()
}

pub(super) fn call_in(id: &str, message: &str) -> Event {
    ToolCallStartEvent::new(id, "tool").with_parent_message_id(message).into()
}

pub(super) fn args(id: &str) -> Event {
    ToolCallArgsEvent::new(id, "{}").into()
}

pub(super) fn end_call(id: &str) -> Event {
    ToolCallEndEvent::new(id).into()
}

pub(super) fn result(call: &str) -> Event {
    result_as(&format!("result of {call}"), call)
}

pub(super) fn result_as(message: &str, call: &str) -> Event {
    ToolCallResultEvent::new(message, call, "x").into()
}

pub(super) fn step(name: &str) -> Event {
    StepStartedEvent::new(name).into()
}

pub(super) fn end_step(name: &str) -> Event {
    StepFinishedEvent::new(name).into()
}

pub(super) fn span(id: &str) -> Event {
    ReasoningStartEvent::new(id).into()
}

pub(super) fn end_span(id: &str) -> Event {
    ReasoningEndEvent::new(id).into()
}

pub(super) fn think(id: &str) -> Event {
    ReasoningMessageStartEvent::new(id).into()
}

pub(super) fn thought(id: &str) -> Event {
    ReasoningMessageContentEvent::new(id, "x").into()
}

pub(super) fn end_think(id: &str) -> Event {
    ReasoningMessageEndEvent::new(id).into()
}

pub(super) fn secret(subtype: ReasoningEncryptedValueSubtype, entity: &str) -> Event {
    ReasoningEncryptedValueEvent::new(subtype, entity, "x").into()
}

pub(super) fn subagent(id: &str) -> Event {
    SubagentStartedEvent::new(id, "name").into()
}

pub(super) fn subagent_of(id: &str, parent: &str) -> Event {
    SubagentStartedEvent::new(id, "name").with_parent_subagent_run_id(parent).into()
}

pub(super) fn end_subagent(id: &str) -> Event {
    SubagentFinishedEvent::new(id).into()
}

pub(super) fn fail_subagent(id: &str) -> Event {
    SubagentErrorEvent::new(id, "no").into()
}

pub(super) fn activity(id: &str) -> Event {
    ActivitySnapshotEvent::new(id, "kind", JsonObject::new()).into()
}

pub(super) fn keep_activity(id: &str) -> Event {
    ActivitySnapshotEvent::new(id, "kind", JsonObject::new()).with_replace(false).into()
}

pub(super) fn patch_activity(id: &str) -> Event {
    ActivityDeltaEvent::new(id, "kind", JsonPatch::default()).into()
}

pub(super) fn snapshot(messages: Vec<Message>) -> Event {
    MessagesSnapshotEvent::new(messages).into()
}

/// Tags the event with a subagent.
pub(super) fn by(subagent: &str, mut event: Event) -> Event {
    *event.subagent_run_id_mut().unwrap() = Some(subagent.into());
    event
}

pub(super) fn said(id: &str) -> Message {
    AssistantMessage::new(id).with_content("x").into()
}

pub(super) fn said_by(subagent: &str, id: &str) -> Message {
    AssistantMessage::new(id).with_content("x").with_subagent_run_id(subagent).into()
}

pub(super) fn called(id: &str, calls: &[(&str, &str)]) -> Message {
    let call = |(id, tool): &(&str, &str)| ToolCall::new(*id, FunctionCall::new(*tool, "{}"));
    AssistantMessage::new(id).with_tool_calls(calls.iter().map(call).collect::<Vec<_>>()).into()
}

pub(super) fn answered(id: &str, call: &str) -> Message {
    ToolMessage::new(id, "x", call).into()
}

pub(super) fn shown(id: &str) -> Message {
    ActivityMessage::new(id, "kind", JsonObject::new()).into()
}

pub(super) fn thought_by(subagent: &str, id: &str) -> Message {
    ReasoningMessage::new(id, "x").with_subagent_run_id(subagent).into()
}
