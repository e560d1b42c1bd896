//! Token counts.

use agui_runtime_core::protocol::{Count, TokenUsage};
use serde_json::Value;

/// Returns the count at a JSON Pointer, such as `/usage/input_tokens`.
pub(super) fn count(value: &Value, pointer: &str) -> Option<u64> {
    value.pointer(pointer).and_then(Value::as_u64)
}

/// The token counts in one response.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenCounts {
    pub(super) input: Option<u64>,
    pub(super) output: Option<u64>,
    pub(super) total: Option<u64>,
    pub(super) reasoning: Option<u64>,
    pub(super) cached: Option<u64>,
    pub(super) cache_written: Option<u64>,
}

impl From<TokenCounts> for TokenUsage {
    fn from(tokens: TokenCounts) -> Self {
        let count = |count: Option<u64>| count.and_then(|count| Count::try_from(count).ok());
        let mut usage = Self::new();
        usage.input_tokens = count(tokens.input);
        usage.output_tokens = count(tokens.output);
        usage.total_tokens = count(tokens.total);
        usage.reasoning_tokens = count(tokens.reasoning);
        usage.cached_input_tokens = count(tokens.cached);
        usage.cache_write_input_tokens = count(tokens.cache_written);
        usage
    }
}
