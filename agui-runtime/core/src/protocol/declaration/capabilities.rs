//! The capabilities that an agent declares (AG-UI 1.0, section "`AgentCapabilities`").

use crate::protocol::any_json::json::JsonObject;
use crate::protocol::conversation::input::Tool;
use crate::protocol::forms::object::object;
use crate::protocol::metadata::Metadata;
use crate::protocol::number::Count;

object! {
    /// The capabilities that an agent declares. An absent member is undeclared, `false` is declared unsupported.
    ///
    /// Clients of each version get the same capabilities: no member is an encrypted value, or names the protocol's version, which
    /// RUN_STARTED declares.
    ///
    /// ```
    /// use agui_runtime::protocol::{AgentCapabilities, TransportCapabilities};
    ///
    /// let declared = AgentCapabilities::new().with_transport(TransportCapabilities::new().with_streaming(true));
    /// assert_eq!(serde_json::to_string(&declared).unwrap(), r#"{"transport":{"streaming":true}}"#);
    /// ```
    pub struct AgentCapabilities {
        /// The agent's identity.
        identity: Option<IdentityCapabilities> => with_identity,
        /// Transports that reach the agent.
        transport: Option<TransportCapabilities> => with_transport,
        /// Tools that the agent can call.
        tools: Option<ToolsCapabilities> => with_tools,
        /// Output kinds that the agent can produce.
        output: Option<OutputCapabilities> => with_output,
        /// Use of shared state.
        state: Option<StateCapabilities> => with_state,
        /// Work with other agents.
        multi_agent as "multiAgent": Option<MultiAgentCapabilities> => with_multi_agent,
        /// Visible reasoning.
        reasoning: Option<ReasoningCapabilities> => with_reasoning,
        /// Media besides text.
        multimodal: Option<MultimodalCapabilities> => with_multimodal,
        /// Code execution and limits.
        execution: Option<ExecutionCapabilities> => with_execution,
        /// Occasions on which the agent asks a person.
        human_in_the_loop as "humanInTheLoop": Option<HumanInTheLoopCapabilities> => with_human_in_the_loop,
        /// Anything else.
        custom: Option<JsonObject> => with_custom,
    }
}

object! {
    /// An agent's identity, a member of [`AgentCapabilities`].
    pub struct IdentityCapabilities {
        /// Agent name.
        name: Option<String> => with_name,
        /// Agent type, such as its framework.
        r#type as "type": Option<String> => with_type,
        /// The agent's purpose.
        description: Option<String> => with_description,
        /// Agent version.
        version: Option<String> => with_version,
        /// The organisation that runs the agent.
        provider: Option<String> => with_provider,
        /// Documentation address.
        documentation_url as "documentationUrl": Option<String> => with_documentation_url,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// Transports that reach the agent, a member of [`AgentCapabilities`].
    pub struct TransportCapabilities {
        /// Events arrive while the run goes on.
        streaming: Option<bool> => with_streaming,
        /// A web socket.
        websocket: Option<bool> => with_websocket,
        /// Binary framing over HTTP.
        http_binary as "httpBinary": Option<bool> => with_http_binary,
        /// Push notifications to the client.
        push_notifications as "pushNotifications": Option<bool> => with_push_notifications,
        /// A broken stream can be resumed.
        resumable: Option<bool> => with_resumable,
    }
}

object! {
    /// Tools that the agent can call.
    ///
    /// ```
    /// use agui_runtime::protocol::{Tool, ToolsCapabilities};
    ///
    /// let tools = ToolsCapabilities::new()
    ///     .with_supported(true)
    ///     .with_items([Tool::new("price", "Looks up a price.")])
    ///     .with_client_provided(true);
    /// assert_eq!(
    ///     serde_json::to_string(&tools).unwrap(),
    ///     r#"{"supported":true,"items":[{"name":"price","description":"Looks up a price."}],"clientProvided":true}"#,
    /// );
    /// ```
    pub struct ToolsCapabilities {
        /// The agent supports tools.
        supported: Option<bool> => with_supported,
        /// The agent's own tools.
        items: Option<Vec<Tool>> => with_items,
        /// Several calls at the same time.
        parallel_calls as "parallelCalls": Option<bool> => with_parallel_calls,
        /// Tools from the input.
        client_provided as "clientProvided": Option<bool> => with_client_provided,
    }
}

object! {
    /// Output kinds that the agent can produce, a member of [`AgentCapabilities`].
    pub struct OutputCapabilities {
        /// Output that follows a schema.
        structured_output as "structuredOutput": Option<bool> => with_structured_output,
        /// Media types for the content.
        supported_mime_types as "supportedMimeTypes": Option<Vec<String>> => with_supported_mime_types,
    }
}

object! {
    /// The agent's use of shared state, a member of [`AgentCapabilities`].
    pub struct StateCapabilities {
        /// Sends snapshots.
        snapshots: Option<bool> => with_snapshots,
        /// Sends deltas.
        deltas: Option<bool> => with_deltas,
        /// Remembers across threads.
        memory: Option<bool> => with_memory,
        /// Keeps state between runs.
        persistent_state as "persistentState": Option<bool> => with_persistent_state,
    }
}

object! {
    /// The agent's work with other agents.
    ///
    /// ```
    /// use agui_runtime::protocol::{MultiAgentCapabilities, SubagentInfo};
    ///
    /// let others = MultiAgentCapabilities::new().with_delegation(true).with_subagents([SubagentInfo::new("weather")]);
    /// assert_eq!(
    ///     serde_json::to_string(&others).unwrap(),
    ///     r#"{"delegation":true,"subagents":[{"name":"weather"}]}"#,
    /// );
    /// ```
    pub struct MultiAgentCapabilities {
        /// The agent works with other agents.
        supported: Option<bool> => with_supported,
        /// Delegates to another agent and waits for the result.
        delegation: Option<bool> => with_delegation,
        /// Hands the conversation over to another agent.
        handoffs: Option<bool> => with_handoffs,
        /// Agents that this agent works with.
        subagents: Option<Vec<SubagentInfo>> => with_subagents,
    }
}

object! {
    /// A subagent that the agent may invoke, listed in [`MultiAgentCapabilities`].
    pub struct SubagentInfo {
        /// Subagent name.
        name: String,
        /// The subagent's purpose.
        description: Option<String> => with_description,
    }
}

object! {
    /// The agent's visible reasoning, a member of [`AgentCapabilities`].
    pub struct ReasoningCapabilities {
        /// The agent reasons.
        supported: Option<bool> => with_supported,
        /// Streams the reasoning.
        streaming: Option<bool> => with_streaming,
        /// Sends encrypted values.
        encrypted: Option<bool> => with_encrypted,
    }
}

object! {
    /// Media that the agent reads and writes besides text.
    ///
    /// ```
    /// use agui_runtime::protocol::{MultimodalCapabilities, MultimodalInputCapabilities};
    ///
    /// let media = MultimodalCapabilities::new().with_input(MultimodalInputCapabilities::new().with_image(true));
    /// assert_eq!(serde_json::to_string(&media).unwrap(), r#"{"input":{"image":true}}"#);
    /// ```
    pub struct MultimodalCapabilities {
        /// Media that the agent reads.
        input: Option<MultimodalInputCapabilities> => with_input,
        /// Media that the agent writes.
        output: Option<MultimodalOutputCapabilities> => with_output,
    }
}

object! {
    /// Media that the agent reads besides text, a member of [`MultimodalCapabilities`].
    pub struct MultimodalInputCapabilities {
        /// Images.
        image: Option<bool> => with_image,
        /// Audio.
        audio: Option<bool> => with_audio,
        /// Video.
        video: Option<bool> => with_video,
        /// PDF documents.
        pdf: Option<bool> => with_pdf,
        /// Other files.
        file: Option<bool> => with_file,
    }
}

object! {
    /// Media that the agent writes besides text, a member of [`MultimodalCapabilities`]. No standard event carries such media.
    pub struct MultimodalOutputCapabilities {
        /// Images.
        image: Option<bool> => with_image,
        /// Audio.
        audio: Option<bool> => with_audio,
    }
}

object! {
    /// Code execution and the agent's limits, a member of [`AgentCapabilities`].
    pub struct ExecutionCapabilities {
        /// Executes code.
        code_execution as "codeExecution": Option<bool> => with_code_execution,
        /// Executes code in a sandbox.
        sandboxed: Option<bool> => with_sandboxed,
        /// Maximum turns per run.
        max_iterations as "maxIterations": Option<Count> => with_max_iterations,
        /// Maximum milliseconds per run.
        max_execution_time as "maxExecutionTime": Option<Count> => with_max_execution_time,
    }
}

object! {
    /// Occasions on which the agent asks a person, a member of [`AgentCapabilities`].
    pub struct HumanInTheLoopCapabilities {
        /// The agent asks people.
        supported: Option<bool> => with_supported,
        /// Asks for approval before it acts.
        approvals: Option<bool> => with_approvals,
        /// People may intervene.
        interventions: Option<bool> => with_interventions,
        /// People may give feedback.
        feedback: Option<bool> => with_feedback,
        /// Interrupts a run to ask.
        interrupts: Option<bool> => with_interrupts,
        /// An approval may change the arguments.
        approve_with_edits as "approveWithEdits": Option<bool> => with_approve_with_edits,
    }
}
