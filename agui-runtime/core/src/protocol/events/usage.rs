//! Tokens spent (AG-UI 1.0, section "Runs and steps", table "`TokenUsage`").

use crate::protocol::forms::object::object;
use crate::protocol::number::Count;

object! {
    /// Tokens spent at one provider and model. An unknown count is absent, never zero.
    ///
    /// `input_tokens` and `output_tokens` are totals; the cached, cache-written and reasoning counts are parts of them.
    ///
    /// ```
    /// use agui_runtime::protocol::TokenUsage;
    ///
    /// let usage = TokenUsage::new().with_model("x-1").with_input_tokens(41_u32).with_output_tokens(9_u32);
    /// assert_eq!(serde_json::to_string(&usage).unwrap(), r#"{"model":"x-1","inputTokens":41,"outputTokens":9}"#);
    /// ```
    pub struct TokenUsage {
        /// The provider, lower case by convention.
        provider: Option<String> => with_provider,
        /// The model.
        model: Option<String> => with_model,
        /// All prompt tokens, cached and cache-written ones included.
        input_tokens as "inputTokens": Option<Count> => with_input_tokens,
        /// All generated tokens, reasoning included.
        output_tokens as "outputTokens": Option<Count> => with_output_tokens,
        /// Input and output together.
        total_tokens as "totalTokens": Option<Count> => with_total_tokens,
        /// Generated tokens that were reasoning.
        reasoning_tokens as "reasoningTokens": Option<Count> => with_reasoning_tokens,
        /// Prompt tokens read from a cache.
        cached_input_tokens as "cachedInputTokens": Option<Count> => with_cached_input_tokens,
        /// Prompt tokens written to a cache.
        cache_write_input_tokens as "cacheWriteInputTokens": Option<Count> => with_cache_write_input_tokens,
    }
}

impl TokenUsage {
    /// Adds tokens that were spent on the same provider and model. A count that neither side reported stays absent.
    pub fn add(&mut self, other: &Self) {
        fn sum(mine: &mut Option<Count>, theirs: Option<Count>) {
            *mine = match (*mine, theirs) {
                (Some(mine), Some(theirs)) => Some(mine.saturating_add(theirs)),
                (one, other) => one.or(other),
            };
        }
        sum(&mut self.input_tokens, other.input_tokens);
        sum(&mut self.output_tokens, other.output_tokens);
        sum(&mut self.total_tokens, other.total_tokens);
        sum(&mut self.reasoning_tokens, other.reasoning_tokens);
        sum(&mut self.cached_input_tokens, other.cached_input_tokens);
        sum(&mut self.cache_write_input_tokens, other.cache_write_input_tokens);
    }
}
