//! The provider's prompt cache: the parts that stay the same, and how long the provider keeps them.

use serde_json::{Map, Value, json};

/// Settings for the provider's prompt cache, in [`ModelOptions`](super::ModelOptions).
///
/// A prompt begins with the tools, the instructions and the conversation so far, in the same bytes in each turn: a provider computes
/// only the rest. The first turn that a cache entry serves costs less, and RUN_FINISHED's usage has the count
/// (`cachedInputTokens`).
///
/// | setting | Anthropic | OpenAI | Gemini |
/// |---|---|---|---|
/// | `tools`, `instructions`, `conversation` | a breakpoint behind that part (`cache_control`) | everything is cached | everything is cached |
/// | `lifetime` | 5 minutes, or `ttl: "1h"` | `prompt_cache_retention: "24h"` for a day | the provider's |
/// | `key` | | `prompt_cache_key`: prompts that begin alike go to the same machine | |
///
/// A server that imitates OpenAI is sent `key` and `lifetime` only if the program sets them.
///
/// ```
/// use agui_runtime::provider::{CacheLifetime, ModelOptions, PromptCache};
///
/// // The instructions change with each run, the tools do not.
/// let cache = PromptCache { instructions: false, lifetime: CacheLifetime::Hour, ..PromptCache::default() };
/// let options = ModelOptions { cache, ..ModelOptions::default() };
/// assert!(options.cache.tools && options.cache.conversation);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromptCache {
    /// True if the tools stay the same.
    pub tools: bool,
    /// True if the instructions stay the same.
    pub instructions: bool,
    /// True if the conversation goes on.
    pub conversation: bool,
    /// The time in which the next turn is expected.
    pub lifetime: CacheLifetime,
    /// The name that prompts with the same beginning share.
    pub key: Option<String>,
}

impl PromptCache {
    /// No cache where a cache must be switched on.
    pub const OFF: Self = Self {
        tools: false,
        instructions: false,
        conversation: false,
        lifetime: CacheLifetime::Minutes,
        key: None,
    };

    /// Marks the last block of each stable part for Anthropic.
    pub(super) fn mark(
        &self,
        tools: Option<&mut Value>,
        instructions: Option<&mut Value>,
        conversation: Option<&mut Value>,
    ) {
        let mark = match self.lifetime {
            CacheLifetime::Minutes => json!({ "type": "ephemeral" }),
            CacheLifetime::Hour | CacheLifetime::Day => json!({ "type": "ephemeral", "ttl": "1h" }),
        };
        let parts =
            [(self.tools, tools), (self.instructions, instructions), (self.conversation, conversation)];
        for (is_stable, place) in parts {
            if let (true, Some(Value::Object(members))) = (is_stable, place) {
                members.insert("cache_control".to_owned(), mark.clone());
            }
        }
    }

    /// Writes the members for OpenAI.
    pub(super) fn write(&self, body: &mut Map<String, Value>) {
        if let Some(key) = &self.key {
            body.insert("prompt_cache_key".to_owned(), key.as_str().into());
        }
        if self.lifetime == CacheLifetime::Day {
            body.insert("prompt_cache_retention".to_owned(), "24h".into());
        }
    }
}

impl Default for PromptCache {
    /// All parts are stable, for minutes.
    fn default() -> Self {
        Self { tools: true, instructions: true, conversation: true, ..Self::OFF }
    }
}

/// The time for which a provider keeps a prompt, rounded to what the provider has.
///
/// ```
/// use agui_runtime::provider::{CacheLifetime, PromptCache};
///
/// assert_eq!(PromptCache::default().lifetime, CacheLifetime::Minutes);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheLifetime {
    /// Five minutes or more, at the price of the default.
    #[default]
    Minutes,
    /// An hour, where writing then costs more.
    Hour,
    /// A day at OpenAI, an hour at Anthropic.
    Day,
}
