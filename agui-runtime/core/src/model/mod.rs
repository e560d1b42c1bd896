//! The model loop: an agent that thinks (feature `model`).
//!
//! [`Run::chat`](crate::Run::chat) lets a [`Model`] talk and call the agent's tools. A [`ChatModel`] is a provider;
//! [`ScriptedModel`] has prepared replies, for tests and examples. This module needs no executor and no network.
//!
//! ```
//! use agui_runtime::model::{Model, Reply, ScriptedModel};
//! use agui_runtime::prelude::*;
//! use agui_runtime::testing;
//!
//! /// Looks up what an ingredient costs, in cents.
//! #[tool]
//! async fn price(name: String) -> u32 {
//!     180
//! }
//!
//! /// Tells prices.
//! #[agent(tools = [price])]
//! async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>, model: &Model) -> Result<(), Stop> {
//!     run.chat(model).instructions("Be brief.").await
//! }
//!
//! # futures::executor::block_on(async {
//! let script = [Reply::call("price", price { name: "rice".to_owned() }), Reply::text("It is 1.80.")];
//! let events = testing::run(Clerk::new(ScriptedModel::new(script).into()), testing::input("Rice?")).await;
//! agui_runtime::assert_events!(events, [
//!     RunStarted,
//!     ToolCallStart, ToolCallArgs, ToolCallEnd, ToolCallResult,
//!     TextMessageStart, TextMessageContent, TextMessageEnd,
//!     RunFinished,
//! ]);
//! # });
//! ```
#![doc = ""]
#![doc = include_str!("../docs/model.md")]

mod broken_off;
mod calls;
mod cassette;
mod chat;
mod chat_model;
mod content;
mod contract;
mod data_url;
mod delta;
mod dynamic;
mod end;
mod error;
mod fallback;
mod growing_call;
mod hidden_calls;
mod history;
mod limits;
mod messages;
pub(crate) mod name;
mod output_offer;
mod output_spec;
mod partial_json;
mod private;
mod prompt;
pub(crate) mod quotation;
mod recorder;
mod reply;
mod reply_usage;
mod schema;
mod scripted;
mod send_call;
mod shorten;
pub(crate) mod tool_choice;
mod tool_search;
mod tool_source;
mod tools;
mod turn;

pub use chat::{Chat, ChatStep, FinalOutput, ModelReply, PartialOutput, ToolDecision, ToolTurn};
pub use chat_model::{ChatModel, Model, ModelStream};
pub use contract::FrontendContract;
pub use delta::{CallDelta, EndReason, ReplyDelta, ReplyModel};
pub use dynamic::{DynTool, DynToolError};
#[doc(hidden)]
pub use dynamic::{DynToolEnd, DynToolRun};
pub use end::ChatEnd;
pub use error::ModelError;
pub use fallback::{BrokenReply, ModelFallback};
pub use history::HistoryPolicy;
pub use limits::ChatLimit;
pub use messages::messages_of;
pub use output_spec::OutputSpec;
pub use prompt::{AssistantPart, ModelCall, Prompt, PromptMessage, ToolResult, ToolSpec};
pub use recorder::ModelRecorder;
pub use reply::Reply;
pub use schema::{SchemaDialect, UnsupportedSchema};
pub use scripted::ScriptedModel;
pub use shorten::{KeepLast, KeepTokens, ShortenStrategy, StrategyModel, Summarize};
pub use tool_choice::ToolChoice;
#[doc(hidden)]
pub use tool_search::FIND_TOOLS;
pub use tool_search::ToolSearch;
pub use tool_source::ToolSource;
