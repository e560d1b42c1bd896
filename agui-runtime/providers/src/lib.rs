//! Models over HTTP: OpenAI, Anthropic, Gemini, Ollama, and servers that imitate OpenAI (feature `providers`).
//!
//! [`Model::from_env`](agui_runtime_core::model::Model::from_env) reads the model spec from the environment,
//! [`Model::named`](agui_runtime_core::model::Model::named) takes a spec, and [`HostedModel`] takes options as well. Requests need a tokio
//! runtime.
//!
//! | `AGUI_MODEL` | model at | key |
//! |---|---|---|
//! | `openai:gpt-5-mini` | OpenAI, Responses API | `OPENAI_API_KEY` |
//! | `openai-chat:gpt-4o` | OpenAI, Chat Completions | `OPENAI_API_KEY` |
//! | `anthropic:claude-sonnet-4-5` | Anthropic, Messages API | `ANTHROPIC_API_KEY` |
//! | `gemini:gemini-2.5-flash` | Gemini | `GEMINI_API_KEY` |
//! | `azure:my-deployment` | Azure OpenAI at `AZURE_OPENAI_ENDPOINT`, Responses API; `azure-chat` for Chat Completions | `AZURE_OPENAI_API_KEY`, or an Entra token in this variable |
//! | `bedrock:openai.gpt-oss-120b-1:0` | Amazon Bedrock in `AWS_REGION`, Chat Completions | `AWS_BEARER_TOKEN_BEDROCK`, an API key |
//! | `openrouter:…`, `groq:…`, `mistral:…`, `deepseek:…`, `xai:…` | that provider | `OPENROUTER_API_KEY`, `GROQ_API_KEY`, `MISTRAL_API_KEY`, `DEEPSEEK_API_KEY`, `XAI_API_KEY` |
//! | `ollama:qwen3` | Ollama on this machine, or at `OLLAMA_HOST` | none |
//! | `vllm:…`, `lmstudio:…`, `llamacpp:…` | that server on this machine, at port 8000, 1234 or 8080 | `VLLM_API_KEY`, `LMSTUDIO_API_KEY`, `LLAMACPP_API_KEY`, if the server needs a key |
//! | `https://llm.example.com/v1#qwen3` | a server that imitates Chat Completions; the model stands behind `#` | `AGUI_MODEL_KEY`, if the server needs one |
//!
//! A server that imitates Chat Completions is asked in the form that the server accepts, by name or by address: Mistral's API gets no
//! `stream_options`, and calls' ids with nine letters or digits. A schema for the reply (`response_format`) goes only to servers that are known to
//! take one: see [`ModelOptions::native_output`].
//!
//! `@` and an address after the name redirect the requests: `anthropic:claude-sonnet-4-5@https://proxy.example.com/v1/`.
//!
//! | address | request |
//! |---|---|
//! | with or without the protocol's last path part, such as `chat/completions` | that path, once |
//! | with a query | with this query: `https://my.openai.azure.com/openai/deployments/d?api-version=2024-10-21#gpt-4o` |
//! | at Azure (its host, or a query with `api-version`) | with the key in the header `api-key`; an Entra token goes into `Authorization` |
//! | with user information, `https://me:secret@…` | with Basic authorization instead of a key in that header; the key may then be missing |
//! | in `OLLAMA_HOST` | as Ollama reads the variable: port 11434 without a scheme, 80 or 443 with one; a loopback address if the variable names all addresses on the machine |
//! | that can never work | none: [`ModelConfigError::Address`] says at the start what to write |
//!
//! Responses are streamed, in time linear to their length; an event that does not end is an error at 10 MiB.
//!
//! ```no_run
//! use agui_runtime::model::{Model, Reply, ScriptedModel};
//!
//! # fn main() -> Result<(), agui_runtime::provider::ModelConfigError> {
//! let model = Model::from_env_or(ScriptedModel::from_fn(|_| Reply::text("Set AGUI_MODEL to talk to a model.")))?;
//! # drop(model);
//! # Ok(())
//! # }
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("docs/quirks.md")]

// | file | content |
// |---|---|
// | `hosted` `attempts` `retry` | a model, one request with its attempts, the delay between attempts |
// | `known_provider` `chat_quirks` | the table of providers with a name, and the differences between Chat Completions and its imitators |
// | `config` `address` `ollama` `options` `prompt_cache` | what a spec and the options say |
// | `native_output` | structured output: which models have it, and the schema's form |
// | `dialect` | the table of protocols: each has a writer and a reader |
// | `anthropic…` `openai_chat` `chat_…` `openai_responses` `response_items` `gemini…` | the protocols |
// | `conversation` `parts` | the prompt as all writers need it |
// | `http` `framing` `frame` `json_end` `decoder` | from response bytes to frames, and to a reader |
// | `reply` `item` `items` `think_tags` `usage` | the reply that readers fill: each piece once, whatever a server repeats |
// | `server_seal` | values that only one server may get back |
// | `ignored_members` `unread` | members that mean nothing, and members that no reader knows |
// | `failure` | model errors from responses |

mod address;
mod anthropic;
mod anthropic_model;
mod anthropic_reader;
mod attempts;
mod chat_members;
mod chat_quirks;
mod chat_reader;
mod config;
mod conversation;
mod decoder;
mod dialect;
mod failure;
mod frame;
mod framing;
mod gemini;
mod gemini_reader;
mod hosted;
mod http;
mod ignored_members;
mod item;
mod items;
mod json_end;
mod known_provider;
mod native_output;
mod ollama;
mod openai_chat;
mod openai_responses;
mod options;
mod parts;
mod prompt_cache;
mod reply;
mod response_items;
mod retry;
mod server_seal;
mod think_tags;
mod unread;
mod usage;

pub use agui_runtime_core::provider::{ModelAddressError, ModelConfigError};
pub use hosted::HostedModel;
pub use options::{ModelOptions, ReasoningEffort};
pub use prompt_cache::{CacheLifetime, PromptCache};

use agui_runtime_core::__leaf::{ModelSource, inventory};
use agui_runtime_core::model::Model;

inventory::submit!(ModelSource {
    open: |spec, retries| {
        let model = HostedModel::named(spec)?;
        let default = ModelOptions::default();
        let options = ModelOptions { retries: retries.unwrap_or(default.retries), ..default };
        Ok(Model::from(model.options(options)))
    }
});
