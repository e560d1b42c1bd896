//! Samples of messages and inputs.

use agui_runtime::protocol::*;
use serde_json::{Value, json};

use super::part::{metadata, non_null, object, parts};
use super::samples;

fn signature() -> EncryptedValue {
    EncryptedValue::new("k9w=").with_type("anthropic.signature")
}

fn tool_call() -> ToolCall {
    ToolCall::new("c-1", FunctionCall::new("forecast", r#"{"city":"Oslo"}"#))
        .with_encrypted(signature())
        .with_metadata(metadata())
}

pub(super) fn tool() -> Tool {
    Tool::new("showMap", "Show a map")
        .with_parameters(object(json!({ "type": "object", "default": null })))
        .with_metadata(metadata())
}

/// One full message of each role.
pub(super) fn messages() -> Vec<Message> {
    vec![
        DeveloperMessage::new("m-1", "Be brief.")
            .with_name("dev")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1")
            .into(),
        SystemMessage::new("m-2", "Be kind.").with_name("").into(),
        AssistantMessage::new("m-3").with_content("Let me see.").with_tool_calls([tool_call()]).into(),
        UserMessage::new("m-4", parts()).with_metadata(Metadata::new()).into(),
        ToolMessage::new("m-5", "Rain until noon.", "c-1").with_error("timeout").into(),
        ActivityMessage::new("m-6", "PACKING", object(json!({ "done": ["umbrella", null] }))).into(),
        ReasoningMessage::new("m-7", "Ask the weather agent.").with_encrypted(signature()).into(),
    ]
}

pub(super) fn input() -> RunAgentInput {
    RunAgentInput::new("trip-7", "r-2", messages())
        .with_protocol_version(PROTOCOL_VERSION)
        .with_parent_run_id("r-1")
        .with_state(non_null(json!({ "umbrella": null })))
        .with_tools([tool()])
        .with_context([Context::new("locale", "nb-NO")])
        .with_forwarded_props(false)
        .with_resume([ResumeEntry::new("int-1", ResumeStatus::Cancelled)])
}

samples! {
    DeveloperMessage:
        DeveloperMessage::new("m-1", "Be brief.")
            .with_name("dev")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        DeveloperMessage::new("", "");
    SystemMessage:
        SystemMessage::new("m-1", "Be kind.")
            .with_name("sys")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        SystemMessage::new("", "");
    AssistantMessage:
        AssistantMessage::new("m-1")
            .with_content("Let me see.")
            .with_tool_calls([tool_call()])
            .with_name("chef")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        AssistantMessage::new("");
    UserMessage:
        UserMessage::new("m-1", parts())
            .with_name("Ada")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        UserMessage::new("", Vec::new());
    ToolMessage:
        ToolMessage::new("m-1", parts(), "c-1")
            .with_error("timeout")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        ToolMessage::new("", "", "");
    ActivityMessage:
        ActivityMessage::new("m-1", "PACKING", object(json!({ "done": null })))
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        ActivityMessage::new("", "", JsonObject::new());
    ReasoningMessage:
        ReasoningMessage::new("m-1", "Hm.")
            .with_encrypted(signature())
            .with_metadata(metadata())
            .with_subagent_run_id("inv-1"),
        ReasoningMessage::new("", "");
    ToolCall: tool_call(), ToolCall::new("", FunctionCall::new("", ""));
    FunctionCall: FunctionCall::new("forecast", r#"{"city":"#), FunctionCall::new("", "");

    RunAgentInput: input(), RunAgentInput::new("", "", Vec::new());
    Context: Context::new("locale", "nb-NO"), Context::new("", "");
    Tool: tool(), Tool::new("", "");
    Metadata: metadata(), Metadata::new();
    State: json!({ "umbrella": null }), Value::Null;
}

type State = Value;
