//! The names are those of the conventions, as their published package has them.
#![allow(
    deprecated,
    reason = "the names moved to a repository of their own, which publishes no package for Rust"
)]

use agui_runtime::telemetry::*;
use opentelemetry_semantic_conventions::{attribute, metric};

#[test]
fn fields_have_the_names_of_the_published_package() {
    for (ours, theirs) in [
        (OPERATION_NAME, attribute::GEN_AI_OPERATION_NAME),
        (AGENT_NAME, attribute::GEN_AI_AGENT_NAME),
        (CONVERSATION_ID, attribute::GEN_AI_CONVERSATION_ID),
        (PROVIDER_NAME, attribute::GEN_AI_PROVIDER_NAME),
        (REQUEST_MODEL, attribute::GEN_AI_REQUEST_MODEL),
        (REQUEST_STREAM, attribute::GEN_AI_REQUEST_STREAM),
        (RESPONSE_MODEL, attribute::GEN_AI_RESPONSE_MODEL),
        (RESPONSE_FINISH_REASONS, attribute::GEN_AI_RESPONSE_FINISH_REASONS),
        (RESPONSE_TIME_TO_FIRST_CHUNK, attribute::GEN_AI_RESPONSE_TIME_TO_FIRST_CHUNK),
        (USAGE_INPUT_TOKENS, attribute::GEN_AI_USAGE_INPUT_TOKENS),
        (USAGE_OUTPUT_TOKENS, attribute::GEN_AI_USAGE_OUTPUT_TOKENS),
        (USAGE_CACHE_READ_INPUT_TOKENS, attribute::GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS),
        (USAGE_REASONING_OUTPUT_TOKENS, attribute::GEN_AI_USAGE_REASONING_OUTPUT_TOKENS),
        (TOOL_NAME, attribute::GEN_AI_TOOL_NAME),
        (TOOL_TYPE, attribute::GEN_AI_TOOL_TYPE),
        (TOOL_CALL_ID, attribute::GEN_AI_TOOL_CALL_ID),
        (TOOL_CALL_ARGUMENTS, attribute::GEN_AI_TOOL_CALL_ARGUMENTS),
        (TOOL_CALL_RESULT, attribute::GEN_AI_TOOL_CALL_RESULT),
        (TOKEN_TYPE, attribute::GEN_AI_TOKEN_TYPE),
        (SYSTEM_INSTRUCTIONS, attribute::GEN_AI_SYSTEM_INSTRUCTIONS),
        (INPUT_MESSAGES, attribute::GEN_AI_INPUT_MESSAGES),
        (OUTPUT_MESSAGES, attribute::GEN_AI_OUTPUT_MESSAGES),
        (ERROR_TYPE, attribute::ERROR_TYPE),
        (HTTP_REQUEST_METHOD, attribute::HTTP_REQUEST_METHOD),
        (HTTP_ROUTE, attribute::HTTP_ROUTE),
        (HTTP_RESPONSE_STATUS_CODE, attribute::HTTP_RESPONSE_STATUS_CODE),
    ] {
        assert_eq!(ours, theirs);
    }
}

/// The package has the version before the conventions of agents and tools got metrics: those have no constant in it.
#[test]
fn metrics_have_the_names_of_the_published_package_as_far_as_it_has_them() {
    assert_eq!(CLIENT_OPERATION_DURATION, metric::GEN_AI_CLIENT_OPERATION_DURATION);
    assert_eq!(CLIENT_TOKEN_USAGE, metric::GEN_AI_CLIENT_TOKEN_USAGE);
}
