//! Random declarations.

use agui_runtime::protocol::*;
use proptest::collection::vec;
use proptest::prelude::any;

use super::conversation::tool;
use super::generators;
use super::json::{count, metadata, object, text};

generators! {
    /// Any declaration.
    pub fn capabilities() -> AgentCapabilities () {
        identity: identity(), transport: transport(), tools: tools(), output: output(), state: state(),
        multi_agent: multi_agent(), reasoning: reasoning(), multimodal: multimodal(), execution: execution(),
        human_in_the_loop: human_in_the_loop(), custom: object(),
    }
    fn identity() -> IdentityCapabilities () {
        name: text(), r#type: text(), description: text(), version: text(), provider: text(),
        documentation_url: text(), metadata: metadata(),
    }
    fn transport() -> TransportCapabilities () {
        streaming: any::<bool>(), websocket: any::<bool>(), http_binary: any::<bool>(),
        push_notifications: any::<bool>(), resumable: any::<bool>(),
    }
    fn tools() -> ToolsCapabilities () {
        supported: any::<bool>(), items: vec(tool(), 0..3), parallel_calls: any::<bool>(),
        client_provided: any::<bool>(),
    }
    fn output() -> OutputCapabilities () {
        structured_output: any::<bool>(), supported_mime_types: vec(text(), 0..3),
    }
    fn state() -> StateCapabilities () {
        snapshots: any::<bool>(), deltas: any::<bool>(), memory: any::<bool>(), persistent_state: any::<bool>(),
    }
    fn multi_agent() -> MultiAgentCapabilities () {
        supported: any::<bool>(), delegation: any::<bool>(), handoffs: any::<bool>(), subagents: vec(subagent(), 0..3),
    }
    fn subagent() -> SubagentInfo (name: text()) { description: text() }
    fn reasoning() -> ReasoningCapabilities () {
        supported: any::<bool>(), streaming: any::<bool>(), encrypted: any::<bool>(),
    }
    fn multimodal() -> MultimodalCapabilities () { input: multimodal_input(), output: multimodal_output() }
    fn multimodal_input() -> MultimodalInputCapabilities () {
        image: any::<bool>(), audio: any::<bool>(), video: any::<bool>(), pdf: any::<bool>(), file: any::<bool>(),
    }
    fn multimodal_output() -> MultimodalOutputCapabilities () { image: any::<bool>(), audio: any::<bool>() }
    fn execution() -> ExecutionCapabilities () {
        code_execution: any::<bool>(), sandboxed: any::<bool>(), max_iterations: count(),
        max_execution_time: count(),
    }
    fn human_in_the_loop() -> HumanInTheLoopCapabilities () {
        supported: any::<bool>(), approvals: any::<bool>(), interventions: any::<bool>(), feedback: any::<bool>(),
        interrupts: any::<bool>(), approve_with_edits: any::<bool>(),
    }
}
