//! Spans and metrics after OpenTelemetry's conventions for generative AI: their names, and the trace that a request
//! belongs to.
//!
//! Spans go through crate `tracing`, metrics through the facade of crate `metrics` (feature `metrics`, which `server`
//! includes). Without a subscriber and a recorder nothing is made. Install both before the server is built.
//!
#![doc = include_str!("../docs/telemetry.md")]

mod counts;
mod names;
mod operation;
mod trace_context;

pub use names::{
    AGENT_DURATION_BUCKETS, AGENT_NAME, CALL_BUCKETS, CHAT, CLIENT_OPERATION_DURATION,
    CLIENT_OPERATION_TIME_TO_FIRST_CHUNK, CLIENT_TOKEN_USAGE, CONVENTIONS, CONVERSATION_ID, DURATION_BUCKETS,
    ERROR_TYPE, EXECUTE_TOOL, EXECUTE_TOOL_DURATION, HTTP_REQUEST_METHOD, HTTP_RESPONSE_STATUS_CODE,
    HTTP_ROUTE, INPUT_MESSAGES, INVOKE_AGENT, INVOKE_AGENT_DURATION, INVOKE_AGENT_INFERENCE_CALLS,
    INVOKE_AGENT_TOOL_CALLS, OPERATION_NAME, OUTPUT_MESSAGES, PROVIDER_NAME, REQUEST_MODEL, REQUEST_STREAM,
    RESPONSE_FINISH_REASONS, RESPONSE_MODEL, RESPONSE_TIME_TO_FIRST_CHUNK, RUN_ID, SYSTEM_INSTRUCTIONS,
    TOKEN_BUCKETS, TOKEN_TYPE, TOOL_CALL_ARGUMENTS, TOOL_CALL_ID, TOOL_CALL_RESULT, TOOL_NAME, TOOL_TYPE,
    USAGE_CACHE_READ_INPUT_TOKENS, USAGE_INPUT_TOKENS, USAGE_OUTPUT_TOKENS, USAGE_REASONING_OUTPUT_TOKENS,
};
pub use trace_context::TraceContext;

pub(crate) use counts::Counts;
#[cfg(feature = "server")]
pub(crate) use names::{SPAN_KIND, SPAN_NAME, SPAN_STATUS};
pub(crate) use operation::Operation;
