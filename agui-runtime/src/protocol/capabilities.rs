//! What an agent declares about itself (AG-UI 1.0, section "`AgentCapabilities`").

use super::input::Tool;
use super::json::JsonObject;
use super::metadata::Metadata;
use super::number::Count;
use super::object::object;

object! {
    /// What an agent declares about itself. Absent is undeclared, `false` is declared unsupported.
    ///
    /// ```
    /// use agui_runtime::protocol::{AgentCapabilities, TransportCapabilities};
    ///
    /// let declared = AgentCapabilities::new().with_transport(TransportCapabilities::new().with_streaming(true));
    /// assert_eq!(serde_json::to_string(&declared).unwrap(), r#"{"transport":{"streaming":true}}"#);
    /// ```
    pub struct AgentCapabilities {
        /// Who it is.
        identity: Option<IdentityCapabilities> => with_identity,
        /// How it can be reached.
        transport: Option<TransportCapabilities> => with_transport,
        /// What it can call.
        tools: Option<ToolsCapabilities> => with_tools,
        /// What it can produce.
        output: Option<OutputCapabilities> => with_output,
        /// What it does with shared state.
        state: Option<StateCapabilities> => with_state,
        /// How it works with other agents.
        multi_agent: Option<MultiAgentCapabilities> => with_multi_agent,
        /// What it shows of its reasoning.
        reasoning: Option<ReasoningCapabilities> => with_reasoning,
        /// What it reads and writes besides text.
        multimodal: Option<MultimodalCapabilities> => with_multimodal,
        /// What it can execute, and how much.
        execution: Option<ExecutionCapabilities> => with_execution,
        /// When it asks a person.
        human_in_the_loop: Option<HumanInTheLoopCapabilities> => with_human_in_the_loop,
        /// Anything else.
        custom: Option<JsonObject> => with_custom,
    }
}

object! {
    /// Who the agent is.
    pub struct IdentityCapabilities {
        /// Its name.
        name: Option<String> => with_name,
        /// What kind of agent, such as its framework.
        r#type: Option<String> => with_type,
        /// What it does.
        description: Option<String> => with_description,
        /// Its version.
        version: Option<String> => with_version,
        /// Who runs it.
        provider: Option<String> => with_provider,
        /// Where to read about it.
        documentation_url: Option<String> => with_documentation_url,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// How the agent can be reached.
    pub struct TransportCapabilities {
        /// Events arrive as they happen.
        streaming: Option<bool> => with_streaming,
        /// Over a web socket.
        websocket: Option<bool> => with_websocket,
        /// In the binary framing over HTTP.
        http_binary: Option<bool> => with_http_binary,
        /// It can reach out by itself.
        push_notifications: Option<bool> => with_push_notifications,
        /// A broken stream can be taken up again.
        resumable: Option<bool> => with_resumable,
    }
}

object! {
    /// What the agent can call.
    pub struct ToolsCapabilities {
        /// Tools at all.
        supported: Option<bool> => with_supported,
        /// Its own tools.
        items: Option<Vec<Tool>> => with_items,
        /// Several calls at once.
        parallel_calls: Option<bool> => with_parallel_calls,
        /// The tools of the input.
        client_provided: Option<bool> => with_client_provided,
    }
}

object! {
    /// What the agent can produce.
    pub struct OutputCapabilities {
        /// Output that follows a schema.
        structured_output: Option<bool> => with_structured_output,
        /// The kinds of content.
        supported_mime_types: Option<Vec<String>> => with_supported_mime_types,
    }
}

object! {
    /// What the agent does with shared state.
    pub struct StateCapabilities {
        /// It sends snapshots.
        snapshots: Option<bool> => with_snapshots,
        /// It sends deltas.
        deltas: Option<bool> => with_deltas,
        /// It remembers across threads.
        memory: Option<bool> => with_memory,
        /// It keeps state between runs.
        persistent_state: Option<bool> => with_persistent_state,
    }
}

object! {
    /// How the agent works with other agents.
    pub struct MultiAgentCapabilities {
        /// At all.
        supported: Option<bool> => with_supported,
        /// It delegates and waits.
        delegation: Option<bool> => with_delegation,
        /// It hands the conversation over.
        handoffs: Option<bool> => with_handoffs,
        /// Whom it works with.
        subagents: Option<Vec<SubagentInfo>> => with_subagents,
    }
}

object! {
    /// A subagent the agent may invoke.
    pub struct SubagentInfo {
        /// Its name.
        name: String,
        /// What it does.
        description: Option<String> => with_description,
    }
}

object! {
    /// What the agent shows of its reasoning.
    pub struct ReasoningCapabilities {
        /// It reasons.
        supported: Option<bool> => with_supported,
        /// It streams what it thinks.
        streaming: Option<bool> => with_streaming,
        /// It sends encrypted values.
        encrypted: Option<bool> => with_encrypted,
    }
}

object! {
    /// What the agent reads and writes besides text.
    pub struct MultimodalCapabilities {
        /// What it reads.
        input: Option<MultimodalInputCapabilities> => with_input,
        /// What it writes.
        output: Option<MultimodalOutputCapabilities> => with_output,
    }
}

object! {
    /// What the agent reads besides text.
    pub struct MultimodalInputCapabilities {
        /// Pictures.
        image: Option<bool> => with_image,
        /// Sound.
        audio: Option<bool> => with_audio,
        /// Moving pictures.
        video: Option<bool> => with_video,
        /// PDF documents.
        pdf: Option<bool> => with_pdf,
        /// Other files.
        file: Option<bool> => with_file,
    }
}

object! {
    /// What the agent writes besides text. No standard event carries it.
    pub struct MultimodalOutputCapabilities {
        /// Pictures.
        image: Option<bool> => with_image,
        /// Sound.
        audio: Option<bool> => with_audio,
    }
}

object! {
    /// What the agent can execute, and how much.
    pub struct ExecutionCapabilities {
        /// Code.
        code_execution: Option<bool> => with_code_execution,
        /// In a sandbox.
        sandboxed: Option<bool> => with_sandboxed,
        /// Turns per run at most.
        max_iterations: Option<Count> => with_max_iterations,
        /// Milliseconds per run at most.
        max_execution_time: Option<Count> => with_max_execution_time,
    }
}

object! {
    /// When the agent asks a person.
    pub struct HumanInTheLoopCapabilities {
        /// At all.
        supported: Option<bool> => with_supported,
        /// Before it acts.
        approvals: Option<bool> => with_approvals,
        /// People may step in.
        interventions: Option<bool> => with_interventions,
        /// People may comment.
        feedback: Option<bool> => with_feedback,
        /// It stops a run to ask.
        interrupts: Option<bool> => with_interrupts,
        /// An approval may change the arguments.
        approve_with_edits: Option<bool> => with_approve_with_edits,
    }
}
