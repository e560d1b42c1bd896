//! The names of OpenTelemetry's conventions for generative AI, which still change from version to version.

/// Declares names, each with an example that says its value.
macro_rules! names {
    ($($(#[$about:meta])* $NAME:ident = $value:literal;)*) => {
        $(
            $(#[$about])*
            ///
            /// ```
            #[doc = concat!("assert_eq!(agui_runtime::telemetry::", stringify!($NAME), ", ", stringify!($value), ");")]
            /// ```
            pub const $NAME: &str = $value;
        )*
    };
}

names! {
    /// The version of the GenAI semantic conventions that the names follow: `open-telemetry/semantic-conventions-genai`,
    /// which builds on version 1.45.0 of the general semantic conventions.
    CONVENTIONS = "0.1.0";
    /// The operation: [`INVOKE_AGENT`], [`EXECUTE_TOOL`] or [`CHAT`].
    OPERATION_NAME = "gen_ai.operation.name";
    /// The operation of one run of an agent, or of a subagent.
    INVOKE_AGENT = "invoke_agent";
    /// The operation of one call of a tool that runs in the agent.
    EXECUTE_TOOL = "execute_tool";
    /// The operation of one request to a model.
    CHAT = "chat";
    /// The name of the agent.
    AGENT_NAME = "gen_ai.agent.name";
    /// The thread of the run.
    CONVERSATION_ID = "gen_ai.conversation.id";
    /// The provider of the model.
    PROVIDER_NAME = "gen_ai.provider.name";
    /// The model that was asked.
    REQUEST_MODEL = "gen_ai.request.model";
    /// True: every answer is read as a stream.
    REQUEST_STREAM = "gen_ai.request.stream";
    /// The model that answered.
    RESPONSE_MODEL = "gen_ai.response.model";
    /// The reason why the model ended its answer, as the JSON text of a list.
    RESPONSE_FINISH_REASONS = "gen_ai.response.finish_reasons";
    /// The seconds to the first piece of the answer.
    RESPONSE_TIME_TO_FIRST_CHUNK = "gen_ai.response.time_to_first_chunk";
    /// The tokens of the prompt.
    USAGE_INPUT_TOKENS = "gen_ai.usage.input_tokens";
    /// The tokens of the answer.
    USAGE_OUTPUT_TOKENS = "gen_ai.usage.output_tokens";
    /// The tokens of the prompt that came from a cache.
    USAGE_CACHE_READ_INPUT_TOKENS = "gen_ai.usage.cache_read.input_tokens";
    /// The tokens of the answer that were reasoning.
    USAGE_REASONING_OUTPUT_TOKENS = "gen_ai.usage.reasoning.output_tokens";
    /// The name of the tool.
    TOOL_NAME = "gen_ai.tool.name";
    /// The type of the tool: `function`.
    TOOL_TYPE = "gen_ai.tool.type";
    /// The id of the call.
    TOOL_CALL_ID = "gen_ai.tool.call.id";
    /// `input` or `output`.
    TOKEN_TYPE = "gen_ai.token.type";
    /// The class of the error that ended the operation.
    ERROR_TYPE = "error.type";
    /// Content, on request: the instructions of the model.
    SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions";
    /// Content, on request: the conversation that the model read.
    INPUT_MESSAGES = "gen_ai.input.messages";
    /// Content, on request: the answer of the model.
    OUTPUT_MESSAGES = "gen_ai.output.messages";
    /// Content, on request: the arguments of the call.
    TOOL_CALL_ARGUMENTS = "gen_ai.tool.call.arguments";
    /// Content, on request: the result of the call.
    TOOL_CALL_RESULT = "gen_ai.tool.call.result";
    /// The histogram of the seconds that requests to models take.
    CLIENT_OPERATION_DURATION = "gen_ai.client.operation.duration";
    /// The histogram of the seconds to the first piece of an answer.
    CLIENT_OPERATION_TIME_TO_FIRST_CHUNK = "gen_ai.client.operation.time_to_first_chunk";
    /// The histogram of the tokens of requests to models.
    CLIENT_TOKEN_USAGE = "gen_ai.client.token.usage";
    /// The histogram of the seconds that runs of agents take.
    INVOKE_AGENT_DURATION = "gen_ai.invoke_agent.duration";
    /// The histogram of the requests to models of one run, without those of subagents.
    INVOKE_AGENT_INFERENCE_CALLS = "gen_ai.invoke_agent.inference_calls";
    /// The histogram of the calls of tools of one run, without those of subagents.
    INVOKE_AGENT_TOOL_CALLS = "gen_ai.invoke_agent.tool_calls";
    /// The histogram of the seconds that calls of tools take.
    EXECUTE_TOOL_DURATION = "gen_ai.execute_tool.duration";
    /// The method of a request (HTTP semantic conventions).
    HTTP_REQUEST_METHOD = "http.request.method";
    /// The path of the agent (HTTP semantic conventions).
    HTTP_ROUTE = "http.route";
    /// The status of the answer (HTTP semantic conventions).
    HTTP_RESPONSE_STATUS_CODE = "http.response.status_code";
    /// The id of the run. Ours: the conventions have none.
    RUN_ID = "agui.run.id";
}

/// The upper bounds of buckets that the conventions advise for durations of requests to models and of tools, in seconds.
///
/// ```
/// assert_eq!(agui_runtime::telemetry::DURATION_BUCKETS[0], 0.01);
/// ```
pub const DURATION_BUCKETS: [f64; 14] =
    [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
/// The upper bounds of buckets for the durations of runs, in seconds.
///
/// ```
/// assert_eq!(agui_runtime::telemetry::AGENT_DURATION_BUCKETS[0], 0.1);
/// ```
pub const AGENT_DURATION_BUCKETS: [f64; 13] =
    [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6];
/// The upper bounds of buckets that the conventions advise for numbers of tokens.
///
/// ```
/// assert_eq!(agui_runtime::telemetry::TOKEN_BUCKETS[0], 1.0);
/// ```
pub const TOKEN_BUCKETS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1_024.0,
    4_096.0,
    16_384.0,
    65_536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
/// The upper bounds of buckets for numbers of calls.
///
/// ```
/// assert_eq!(agui_runtime::telemetry::CALL_BUCKETS[0], 1.0);
/// ```
pub const CALL_BUCKETS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0];

/// The fields that the layer of crate `tracing-opentelemetry` reads as the name, the kind and the status of a span.
pub(crate) const SPAN_NAME: &str = "otel.name";
#[cfg_attr(
    not(any(feature = "server", feature = "model")),
    allow(dead_code, reason = "other spans have the default kind")
)]
pub(crate) const SPAN_KIND: &str = "otel.kind";
pub(crate) const SPAN_STATUS: &str = "otel.status_code";
