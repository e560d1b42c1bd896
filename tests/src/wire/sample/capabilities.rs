//! Samples of an agent's capabilities.

use agui_runtime::protocol::*;
use serde_json::json;

use super::conversation::tool;
use super::part::{metadata, object};
use super::samples;

fn identity() -> IdentityCapabilities {
    IdentityCapabilities::new()
        .with_name("chef")
        .with_type("rust")
        .with_description("Cooks with you.")
        .with_version("0.1.0")
        .with_provider("acme")
        .with_documentation_url("https://example.com")
        .with_metadata(metadata())
}

fn transport() -> TransportCapabilities {
    TransportCapabilities::new()
        .with_streaming(true)
        .with_websocket(false)
        .with_http_binary(true)
        .with_push_notifications(false)
        .with_resumable(false)
}

fn tools() -> ToolsCapabilities {
    ToolsCapabilities::new()
        .with_supported(true)
        .with_items([tool()])
        .with_parallel_calls(true)
        .with_client_provided(true)
}

fn output() -> OutputCapabilities {
    OutputCapabilities::new()
        .with_structured_output(true)
        .with_supported_mime_types(["text/plain".to_owned()])
}

fn state() -> StateCapabilities {
    StateCapabilities::new()
        .with_snapshots(true)
        .with_deltas(true)
        .with_memory(false)
        .with_persistent_state(false)
}

fn multi_agent() -> MultiAgentCapabilities {
    MultiAgentCapabilities::new()
        .with_supported(true)
        .with_delegation(true)
        .with_handoffs(false)
        .with_subagents([subagent(), SubagentInfo::new("")])
}

fn subagent() -> SubagentInfo {
    SubagentInfo::new("weather").with_description("Looks at the sky.")
}

fn reasoning() -> ReasoningCapabilities {
    ReasoningCapabilities::new().with_supported(true).with_streaming(true).with_encrypted(false)
}

fn multimodal_input() -> MultimodalInputCapabilities {
    MultimodalInputCapabilities::new()
        .with_image(true)
        .with_audio(false)
        .with_video(false)
        .with_pdf(true)
        .with_file(true)
}

fn multimodal_output() -> MultimodalOutputCapabilities {
    MultimodalOutputCapabilities::new().with_image(false).with_audio(false)
}

fn multimodal() -> MultimodalCapabilities {
    MultimodalCapabilities::new().with_input(multimodal_input()).with_output(multimodal_output())
}

fn execution() -> ExecutionCapabilities {
    ExecutionCapabilities::new()
        .with_code_execution(false)
        .with_sandboxed(true)
        .with_max_iterations(8_u32)
        .with_max_execution_time(30_000_u32)
}

fn human_in_the_loop() -> HumanInTheLoopCapabilities {
    HumanInTheLoopCapabilities::new()
        .with_supported(true)
        .with_approvals(true)
        .with_interventions(false)
        .with_feedback(false)
        .with_interrupts(true)
        .with_approve_with_edits(true)
}

samples! {
    AgentCapabilities:
        AgentCapabilities::new()
            .with_identity(identity())
            .with_transport(transport())
            .with_tools(tools())
            .with_output(output())
            .with_state(state())
            .with_multi_agent(multi_agent())
            .with_reasoning(reasoning())
            .with_multimodal(multimodal())
            .with_execution(execution())
            .with_human_in_the_loop(human_in_the_loop())
            .with_custom(object(json!({ "acme/spice": null }))),
        AgentCapabilities::new();
    IdentityCapabilities: identity(), IdentityCapabilities::new();
    TransportCapabilities: transport(), TransportCapabilities::new();
    ToolsCapabilities: tools(), ToolsCapabilities::new();
    OutputCapabilities: output(), OutputCapabilities::new();
    StateCapabilities: state(), StateCapabilities::new();
    MultiAgentCapabilities: multi_agent(), MultiAgentCapabilities::new();
    SubagentInfo: subagent(), SubagentInfo::new("");
    ReasoningCapabilities: reasoning(), ReasoningCapabilities::new();
    MultimodalCapabilities: multimodal(), MultimodalCapabilities::new();
    MultimodalInputCapabilities: multimodal_input(), MultimodalInputCapabilities::new();
    MultimodalOutputCapabilities: multimodal_output(), MultimodalOutputCapabilities::new();
    ExecutionCapabilities: execution(), ExecutionCapabilities::new();
    HumanInTheLoopCapabilities: human_in_the_loop(), HumanInTheLoopCapabilities::new();
}
