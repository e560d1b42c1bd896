//! Models over HTTP: OpenAI, Anthropic, Gemini, Ollama, and the servers that imitate OpenAI (feature `providers`).
//!
//! [`Model::from_env`](crate::model::Model::from_env) reads from the environment which model to ask,
//! [`Model::named`](crate::model::Model::named) from a text, and [`HostedModel`] sets the rest by hand. The program needs a tokio runtime.
//!
//! | `AGUI_MODEL` | asks | key |
//! |---|---|---|
//! | `openai:gpt-5-mini` | OpenAI, Responses API | `OPENAI_API_KEY` |
//! | `openai-chat:gpt-4o` | OpenAI, Chat Completions | `OPENAI_API_KEY` |
//! | `anthropic:claude-sonnet-4-5` | Anthropic, Messages API | `ANTHROPIC_API_KEY` |
//! | `gemini:gemini-2.5-flash` | Gemini | `GEMINI_API_KEY` |
//! | `ollama:qwen3` | Ollama on this machine, or at `OLLAMA_HOST` | none |
//! | `https://llm.example.com/v1#qwen3` | a server that imitates Chat Completions; the model stands behind `#` | `AGUI_MODEL_KEY`, if it needs one |
//!
//! `@` and an address behind the name send the requests elsewhere: `anthropic:claude-sonnet-4-5@https://proxy.example.com/v1/`.
//!
//! | an address | asks |
//! |---|---|
//! | with or without the last part of the protocol, such as `chat/completions` | that path, once |
//! | with a query | with this query: `https://my.openai.azure.com/openai/deployments/d?api-version=2024-10-21#gpt-4o` |
//! | at Azure (its host, or a query with `api-version`) | with the key in the header `api-key`; a token of Entra goes into `Authorization` |
//! | with user information, `https://me:secret@…` | with Basic authorization, in place of a key in that header, which then may be missing |
//! | in `OLLAMA_HOST` | as Ollama reads it: port 11434 without a scheme, 80 or 443 with one; a loopback address for all addresses of the machine |
//! | that can never work | nothing: [`ModelConfigError::Address`] says at the start what to write |
//!
//! An answer is read as it comes, in a time that grows with its length, and an event of it that does not end is an error at
//! 10 MiB.
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

#![doc = include_str!("../docs/quirks.md")]

mod address;
mod answer;
mod anthropic;
mod anthropic_model;
mod anthropic_reader;
mod asking;
mod chat_members;
mod chat_reader;
mod config;
mod conversation;
mod dialect;
mod environment;
mod failure;
mod frame;
mod framing;
mod gemini;
mod gemini_reader;
mod hosted;
mod http;
mod item;
mod items;
mod json_end;
mod ollama;
mod opaque;
mod openai_chat;
mod openai_responses;
mod options;
mod parts;
mod reading;
mod response_items;
mod retry;
mod silent;
mod think_tags;
mod unread;
mod usage;

pub use address::ModelAddressError;
pub use config::ModelConfigError;
pub use hosted::HostedModel;
pub use options::{ModelOptions, ReasoningEffort};
