//! Options for a model over HTTP.

use std::time::Duration;

use serde_json::{Map, Value};

use super::prompt_cache::PromptCache;

/// Options for a [`HostedModel`](super::HostedModel).
///
/// | option | default |
/// |---|---|
/// | `temperature` | the provider's |
/// | `max_output_tokens` | the provider's; for Anthropic the model's largest |
/// | `reasoning` | the provider's |
/// | `cache` | [`PromptCache`]: all parts are stable, for minutes |
/// | `parallel_calls` | the provider's |
/// | `strict_tools` | off |
/// | `native_output` | by model and server: see the field |
/// | `deferred_tools` | by model and server: see the field |
/// | `think_tags` | on for servers that imitate Chat Completions, Ollama among them; else off |
/// | `retries` | 2 |
/// | `silence` | 120 seconds |
/// | `extra` | nothing |
///
/// ```
/// use agui_runtime::provider::{ModelOptions, ReasoningEffort};
///
/// let options = ModelOptions { temperature: Some(0.0), reasoning: Some(ReasoningEffort::Low), ..ModelOptions::default() };
/// assert!(options.cache.conversation);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOptions {
    /// The sampling temperature, from 0.
    pub temperature: Option<f64>,
    /// The output token limit for one reply, reasoning included.
    pub max_output_tokens: Option<u32>,
    /// The reasoning effort.
    pub reasoning: Option<ReasoningEffort>,
    /// The provider's prompt cache.
    pub cache: PromptCache,
    /// True if the model may make several calls in one turn, false if it must not.
    pub parallel_calls: Option<bool>,
    /// True if the provider must force arguments to fit the tool's schema: `strict` at OpenAI and Anthropic. An agent tool whose
    /// schema has no strict form fails the run, and a client tool without one is left out; see
    /// [`SchemaDialect`](agui_runtime_core::model::SchemaDialect). Gemini has no such option.
    pub strict_tools: bool,
    /// The form in which the model gives an [output](agui_runtime_core::model::Chat::output): false for a tool, true for the
    /// provider's structured output, also at a server that is not known to have it. `None` asks in the provider's form where the
    /// model has it: OpenAI and Azure from `gpt-4o` on, Anthropic from Claude 4.5 and Opus 4.1 on, Gemini from 3 on. Earlier Gemini
    /// models, Mistral, xAI, Ollama, vLLM, LM Studio and llama.cpp have it in requests without tools.
    pub native_output: Option<bool>,
    /// True if the provider loads the tools of a [search](agui_runtime_core::model::Chat::search_tools) itself: Anthropic's
    /// `defer_loading` with `tool_reference`, and `tool_search` in OpenAI's Responses API. The list of tools then stays the same in
    /// all turns of a run. `None` does so at the provider's own address, for Anthropic's models from Claude 4.5 on and OpenAI's from GPT-5.4
    /// on. Other protocols have no such tools. After a server has refused to load tools, requests have the found tools among the
    /// others.
    pub deferred_tools: Option<bool>,
    /// True if `<think>…</think>` at the text's beginning is reasoning (also `<thinking>` and `<thought>`): servers without a
    /// parser for their model leave the tags in the text.
    pub think_tags: Option<bool>,
    /// The number of retries after a transient failure, as long as nothing was streamed. Waits begin at half a second and double,
    /// with a random part; a delay that the provider names takes precedence.
    pub retries: u32,
    /// The longest silence before and within a response. After such a timeout the request is not retried.
    pub silence: Duration,
    /// Members for the request body, which replace members with the same name. `text`, `output_config` and `generationConfig`, if
    /// objects, are joined with what the request has there, so that an output's schema stays.
    pub extra: Map<String, Value>,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            temperature: None,
            max_output_tokens: None,
            reasoning: None,
            cache: PromptCache::default(),
            parallel_calls: None,
            strict_tools: false,
            native_output: None,
            deferred_tools: None,
            think_tags: None,
            retries: 2,
            silence: Duration::from_secs(120),
            extra: Map::new(),
        }
    }
}

/// The reasoning effort, for models that reason. Other models refuse the request.
///
/// Newer Anthropic models choose their own budget within an effort: a token count becomes the nearest effort there. OpenAI's Chat
/// Completions takes no token count, so the count is left out.
///
/// ```
/// use agui_runtime::provider::ReasoningEffort;
///
/// assert_ne!(ReasoningEffort::Off, ReasoningEffort::Tokens(1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// No reasoning.
    Off,
    /// Low effort.
    Low,
    /// Medium effort.
    Medium,
    /// High effort.
    High,
    /// A token budget, for providers that accept one.
    Tokens(u32),
}
