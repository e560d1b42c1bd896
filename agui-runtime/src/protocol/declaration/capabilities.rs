//! The capabilities that an agent declares (AG-UI 1.0, section "`AgentCapabilities`").

use crate::protocol::any_json::json::JsonObject;
use crate::protocol::conversation::input::Tool;
use crate::protocol::forms::object::object;
use crate::protocol::metadata::Metadata;
use crate::protocol::number::Count;

object! {
    /// The capabilities that an agent declares. An absent member is undeclared, `false` is declared
    /// unsupported.
    ///
    /// ```
    /// use agui_runtime::protocol::{AgentCapabilities, TransportCapabilities};
    ///
    /// let declared = AgentCapabilities::new().with_transport(TransportCapabilities::new().with_streaming(true));
    /// assert_eq!(serde_json::to_string(&declared).unwrap(), r#"{"transport":{"streaming":true}}"#);
    /// ```
    pub struct AgentCapabilities {
        /// The identity of the agent.
        identity: Option<IdentityCapabilities> => with_identity,
        /// The transports that reach it.
        transport: Option<TransportCapabilities> => with_transport,
        /// The tools that it can call.
        tools: Option<ToolsCapabilities> => with_tools,
        /// The kinds of output that it can produce.
        output: Option<OutputCapabilities> => with_output,
        /// Its use of shared state.
        state: Option<StateCapabilities> => with_state,
        /// Its work with other agents.
        multi_agent as "multiAgent": Option<MultiAgentCapabilities> => with_multi_agent,
        /// The reasoning that it shows.
        reasoning: Option<ReasoningCapabilities> => with_reasoning,
        /// The media that it reads and writes besides text.
        multimodal: Option<MultimodalCapabilities> => with_multimodal,
        /// Its ability to execute code, and its limits.
        execution: Option<ExecutionCapabilities> => with_execution,
        /// The occasions on which it asks a person.
        human_in_the_loop as "humanInTheLoop": Option<HumanInTheLoopCapabilities> => with_human_in_the_loop,
        /// Anything else.
        custom: Option<JsonObject> => with_custom,
    }
}

object! {
    /// The identity of the agent.
    ///
    /// ```
    /// use agui_runtime::protocol::{AgentCapabilities, IdentityCapabilities};
    ///
    /// let identity = IdentityCapabilities::new().with_name("chef").with_description("Cooks with you.");
    /// let declared = AgentCapabilities::new().with_identity(identity);
    /// assert_eq!(
    ///     serde_json::to_string(&declared).unwrap(),
    ///     r#"{"identity":{"name":"chef","description":"Cooks with you."}}"#,
    /// );
    /// ```
    pub struct IdentityCapabilities {
        /// Its name.
        name: Option<String> => with_name,
        /// The kind of agent, such as its framework.
        r#type as "type": Option<String> => with_type,
        /// The purpose of the agent.
        description: Option<String> => with_description,
        /// Its version.
        version: Option<String> => with_version,
        /// The organisation that runs it.
        provider: Option<String> => with_provider,
        /// The address of its documentation.
        documentation_url as "documentationUrl": Option<String> => with_documentation_url,
        /// Free data.
        metadata: Option<Metadata> => with_metadata,
    }
}

object! {
    /// The transports that reach the agent.
    ///
    /// ```
    /// use agui_runtime::protocol::TransportCapabilities;
    ///
    /// let transport = TransportCapabilities::new().with_streaming(true).with_http_binary(true);
    /// assert_eq!(serde_json::to_string(&transport).unwrap(), r#"{"streaming":true,"httpBinary":true}"#);
    /// ```
    pub struct TransportCapabilities {
        /// Events arrive while the run goes on.
        streaming: Option<bool> => with_streaming,
        /// A web socket.
        websocket: Option<bool> => with_websocket,
        /// The binary framing over HTTP.
        http_binary as "httpBinary": Option<bool> => with_http_binary,
        /// Push notifications to the client.
        push_notifications as "pushNotifications": Option<bool> => with_push_notifications,
        /// A broken stream can be resumed.
        resumable: Option<bool> => with_resumable,
    }
}

object! {
    /// The tools that the agent can call.
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
        /// Its own tools.
        items: Option<Vec<Tool>> => with_items,
        /// Several calls at the same time.
        parallel_calls as "parallelCalls": Option<bool> => with_parallel_calls,
        /// Tools of the input.
        client_provided as "clientProvided": Option<bool> => with_client_provided,
    }
}

object! {
    /// The kinds of output that the agent can produce.
    ///
    /// ```
    /// use agui_runtime::protocol::OutputCapabilities;
    ///
    /// let output = OutputCapabilities::new().with_supported_mime_types(["text/markdown".to_owned()]);
    /// assert_eq!(serde_json::to_string(&output).unwrap(), r#"{"supportedMimeTypes":["text/markdown"]}"#);
    /// ```
    pub struct OutputCapabilities {
        /// Output that follows a schema.
        structured_output as "structuredOutput": Option<bool> => with_structured_output,
        /// The media types of its content.
        supported_mime_types as "supportedMimeTypes": Option<Vec<String>> => with_supported_mime_types,
    }
}

object! {
    /// The agent's use of shared state.
    ///
    /// ```
    /// use agui_runtime::protocol::StateCapabilities;
    ///
    /// let state = StateCapabilities::new().with_snapshots(true).with_deltas(true);
    /// assert_eq!(serde_json::to_string(&state).unwrap(), r#"{"snapshots":true,"deltas":true}"#);
    /// ```
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
        /// Delegates to another agent and waits for it.
        delegation: Option<bool> => with_delegation,
        /// Hands the conversation over to another agent.
        handoffs: Option<bool> => with_handoffs,
        /// The agents that it works with.
        subagents: Option<Vec<SubagentInfo>> => with_subagents,
    }
}

object! {
    /// A subagent that the agent may invoke.
    ///
    /// ```
    /// use agui_runtime::protocol::SubagentInfo;
    ///
    /// let weather = SubagentInfo::new("weather").with_description("Looks up forecasts.");
    /// assert_eq!(
    ///     serde_json::to_string(&weather).unwrap(),
    ///     r#"{"name":"weather","description":"Looks up forecasts."}"#,
    /// );
    /// ```
    pub struct SubagentInfo {
        /// Its name.
        name: String,
        /// The purpose of the subagent.
        description: Option<String> => with_description,
    }
}

object! {
    /// The reasoning that the agent shows.
    ///
    /// ```
    /// use agui_runtime::protocol::ReasoningCapabilities;
    ///
    /// let reasoning = ReasoningCapabilities::new().with_supported(true).with_streaming(true);
    /// assert_eq!(serde_json::to_string(&reasoning).unwrap(), r#"{"supported":true,"streaming":true}"#);
    /// ```
    pub struct ReasoningCapabilities {
        /// The agent reasons.
        supported: Option<bool> => with_supported,
        /// Streams its reasoning.
        streaming: Option<bool> => with_streaming,
        /// Sends encrypted values.
        encrypted: Option<bool> => with_encrypted,
    }
}

object! {
    /// The media that the agent reads and writes besides text.
    ///
    /// ```
    /// use agui_runtime::protocol::{MultimodalCapabilities, MultimodalInputCapabilities};
    ///
    /// let media = MultimodalCapabilities::new().with_input(MultimodalInputCapabilities::new().with_image(true));
    /// assert_eq!(serde_json::to_string(&media).unwrap(), r#"{"input":{"image":true}}"#);
    /// ```
    pub struct MultimodalCapabilities {
        /// The media that it reads.
        input: Option<MultimodalInputCapabilities> => with_input,
        /// The media that it writes.
        output: Option<MultimodalOutputCapabilities> => with_output,
    }
}

object! {
    /// The media that the agent reads besides text.
    ///
    /// ```
    /// use agui_runtime::protocol::MultimodalInputCapabilities;
    ///
    /// let reads = MultimodalInputCapabilities::new().with_image(true).with_video(false);
    /// assert_eq!(serde_json::to_string(&reads).unwrap(), r#"{"image":true,"video":false}"#);
    /// ```
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
    /// The media that the agent writes besides text. No standard event carries them.
    ///
    /// ```
    /// use agui_runtime::protocol::{MultimodalCapabilities, MultimodalOutputCapabilities};
    ///
    /// let media = MultimodalCapabilities::new().with_output(MultimodalOutputCapabilities::new().with_audio(true));
    /// assert_eq!(serde_json::to_string(&media).unwrap(), r#"{"output":{"audio":true}}"#);
    /// ```
    pub struct MultimodalOutputCapabilities {
        /// Images.
        image: Option<bool> => with_image,
        /// Audio.
        audio: Option<bool> => with_audio,
    }
}

object! {
    /// The agent's ability to execute code, and its limits.
    ///
    /// ```
    /// use agui_runtime::protocol::ExecutionCapabilities;
    ///
    /// let execution = ExecutionCapabilities::new().with_sandboxed(true).with_max_execution_time(30_000_u32);
    /// assert_eq!(serde_json::to_string(&execution).unwrap(), r#"{"sandboxed":true,"maxExecutionTime":30000}"#);
    /// ```
    pub struct ExecutionCapabilities {
        /// Executes code.
        code_execution as "codeExecution": Option<bool> => with_code_execution,
        /// Executes it in a sandbox.
        sandboxed: Option<bool> => with_sandboxed,
        /// The largest number of turns per run.
        max_iterations as "maxIterations": Option<Count> => with_max_iterations,
        /// The largest number of milliseconds per run.
        max_execution_time as "maxExecutionTime": Option<Count> => with_max_execution_time,
    }
}

object! {
    /// The occasions on which the agent asks a person.
    ///
    /// ```
    /// use agui_runtime::protocol::HumanInTheLoopCapabilities;
    ///
    /// let people = HumanInTheLoopCapabilities::new().with_approvals(true).with_interrupts(true);
    /// assert_eq!(serde_json::to_string(&people).unwrap(), r#"{"approvals":true,"interrupts":true}"#);
    /// ```
    pub struct HumanInTheLoopCapabilities {
        /// The agent asks people.
        supported: Option<bool> => with_supported,
        /// Asks for approval before it acts.
        approvals: Option<bool> => with_approvals,
        /// People may intervene.
        interventions: Option<bool> => with_interventions,
        /// People may give feedback.
        feedback: Option<bool> => with_feedback,
        /// Stops a run to ask.
        interrupts: Option<bool> => with_interrupts,
        /// An approval may change the arguments.
        approve_with_edits as "approveWithEdits": Option<bool> => with_approve_with_edits,
    }
}
