//! The options of a model over HTTP.

use std::time::Duration;

use serde_json::{Map, Value};

/// The options of a [`HostedModel`](super::HostedModel).
///
/// | option | default |
/// |---|---|
/// | `temperature` | the provider's |
/// | `max_output_tokens` | the provider's; for Anthropic the largest of the model |
/// | `reasoning` | the provider's |
/// | `cache` | on: Anthropic reads the prompt from its cache; the others do so by themselves |
/// | `parallel_calls` | the provider's |
/// | `strict_tools` | off |
/// | `think_tags` | on for servers that imitate Chat Completions, Ollama among them; else off |
/// | `retries` | 2 |
/// | `silence` | 120 seconds |
/// | `extra` | nothing |
///
/// ```
/// use agui_runtime::provider::{ModelOptions, ReasoningEffort};
///
/// let options = ModelOptions { temperature: Some(0.0), reasoning: Some(ReasoningEffort::Low), ..ModelOptions::default() };
/// assert!(options.cache);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ModelOptions {
    /// The randomness of the answer, from 0.
    pub temperature: Option<f64>,
    /// The largest number of tokens of one answer, reasoning included.
    pub max_output_tokens: Option<u32>,
    /// The amount of reasoning.
    pub reasoning: Option<ReasoningEffort>,
    /// True if the provider's cache of prompts is used where it must be switched on.
    pub cache: bool,
    /// True if the model may make several calls in one turn, false if it must not.
    pub parallel_calls: Option<bool>,
    /// True if the model must not be able to write arguments that do not fit the schema of their tool: `strict` of OpenAI and
    /// Anthropic. A tool of the agent whose schema has no strict form fails the run, and one of the client is left out; see
    /// [`SchemaDialect`](crate::model::SchemaDialect). Gemini has no such option.
    pub strict_tools: bool,
    /// True if `<think>…</think>` at the beginning of the text is reasoning (also `<thinking>` and `<thought>`): servers without a
    /// parser for their model leave it in the text.
    pub think_tags: Option<bool>,
    /// The number of times a request is sent again after a failure that may pass, if nothing was streamed yet. The waits
    /// begin at half a second and double, with a random part; a provider that names a time gets it.
    pub retries: u32,
    /// The longest time that the provider may be silent, before and within an answer. The request is not sent again after it.
    pub silence: Duration,
    /// Members for the body of the request, which replace those of the same name.
    pub extra: Map<String, Value>,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            temperature: None,
            max_output_tokens: None,
            reasoning: None,
            cache: true,
            parallel_calls: None,
            strict_tools: false,
            think_tags: None,
            retries: 2,
            silence: Duration::from_secs(120),
            extra: Map::new(),
        }
    }
}

/// The amount of reasoning, for models that reason. Others refuse the request.
///
/// Newer models of Anthropic think as much as they need within an effort: for them a number of tokens is the effort that comes
/// nearest. OpenAI's Chat Completions takes no number, which is left out there.
///
/// ```
/// use agui_runtime::provider::ReasoningEffort;
///
/// assert_ne!(ReasoningEffort::Off, ReasoningEffort::Tokens(1024));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReasoningEffort {
    /// None.
    Off,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// Much.
    High,
    /// A limit in tokens, for providers that accept a number.
    Tokens(u32),
}
