//! Random messages and inputs.

use std::sync::Arc;

use agui_runtime::protocol::*;
use proptest::collection::vec;
use proptest::prelude::*;

use super::generators;
use super::json::{id, metadata, non_null, object, text};
use super::part::{content, resume_entry};

generators! {
    fn developer() -> DeveloperMessage (id: id::<MessageId>(), content: text()) {
        name: text(), encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(), subagent_run_id: id(),
    }
    fn system() -> SystemMessage (id: id::<MessageId>(), content: text()) {
        name: text(), encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(), subagent_run_id: id(),
    }
    fn assistant() -> AssistantMessage (id: id::<MessageId>()) {
        content: text(), tool_calls: vec(raw_tool_call(), 0..3), name: text(), encrypted_value: text(), encrypted_value_type: text(),
        metadata: metadata(), subagent_run_id: id(),
    }
    fn user() -> UserMessage (id: id::<MessageId>(), content: content()) {
        name: text(), encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(), subagent_run_id: id(),
    }
    fn tool_result() -> ToolMessage (id: id::<MessageId>(), content: content(), tool_call_id: id::<ToolCallId>()) {
        error: text(), encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(), subagent_run_id: id(),
    }
    fn activity() -> ActivityMessage (id: id::<MessageId>(), activity_type: text(), content: object()) {
        metadata: metadata(), subagent_run_id: id(),
    }
    fn reasoning() -> ReasoningMessage (id: id::<MessageId>(), content: text()) {
        encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(), subagent_run_id: id(),
    }
    fn function() -> FunctionCall (name: text(), arguments: text()) {}

    fn raw_tool_call() -> ToolCall (id: id::<ToolCallId>(), function: function()) {
        encrypted_value: text(), encrypted_value_type: text(), metadata: metadata(),
    }

    /// Any tool.
    pub fn tool() -> Tool (name: text(), description: text()) { parameters: non_null(), metadata: metadata() }

    /// Any entry of a context.
    pub fn context() -> Context (description: text(), value: text()) {}

    /// Any input.
    pub fn input() -> RunAgentInput (
        thread_id: id::<ThreadId>(), run_id: id::<RunId>(), messages: vec(message(), 0..3)
    ) {
        protocol_version: text(), parent_run_id: id(), state: non_null(),
        tools: vec(tool(), 0..3).prop_map(Arc::from), context: vec(context(), 0..3).prop_map(Arc::from),
        forwarded_props: non_null(), resume: vec(resume_entry(), 0..3).prop_map(Arc::from),
    }
}

/// Any call on a message.
pub fn tool_call() -> BoxedStrategy<ToolCall> {
    let legal = |mut call: ToolCall| {
        // A type needs a value.
        call.encrypted_value_type = call.encrypted_value_type.filter(|_| call.encrypted_value.is_some());
        call
    };
    raw_tool_call().prop_map(legal).boxed()
}

/// Any message.
pub fn message() -> BoxedStrategy<Message> {
    prop_oneof![
        developer().prop_map(Message::from),
        system().prop_map(Message::from),
        assistant().prop_map(Message::from),
        user().prop_map(Message::from),
        tool_result().prop_map(Message::from),
        activity().prop_map(Message::from),
        reasoning().prop_map(Message::from),
    ]
    .prop_map(|mut message| {
        // A type needs a value.
        message.remove_lone_types();
        message
    })
    .boxed()
}
