//! The typed way to write AG-UI agents.
//!
//! [AG-UI](https://ag-ui.com) is the open protocol between an agent and its user interface: the interface POSTs a
//! [`RunAgentInput`](protocol::RunAgentInput), the agent answers with a stream of typed [`Event`](protocol::Event)s.
//! This crate is the agent's side of AG-UI 1.0.
//!
//! ```no_run
//! use agui_runtime::prelude::*;
//! use schemars::JsonSchema;
//! use serde::{Deserialize, Serialize};
//!
//! /// A shopping list, shared with the page.
//! #[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
//! struct List {
//!     items: Vec<String>,
//!     total: u32,
//! }
//!
//! /// Looks up what something costs today, in cents.
//! #[tool]
//! async fn price(name: String) -> Option<u32> {
//!     [("rice", 180), ("saffron", 950)].into_iter().find(|(known, _)| *known == name).map(|(_, cents)| cents)
//! }
//!
//! /// Asks the person whether that is all.
//! #[tool(frontend)]
//! async fn checkout(total: u32) -> bool;
//!
//! /// Keeps a shopping list with you.
//! #[agent(state = List, tools = [price, checkout])]
//! async fn shopper(run: &mut Run<Shopper>, input: Input<Shopper>) -> Result<(), Stop> {
//!     let list = run.state().adopt_or_snapshot(&input).await?; // STATE_SNAPSHOT, if the page has none
//!     let Some(name) = input.user_text() else { return Ok(()) }; // not a question but the answer of `checkout`
//!     let mut text = run.message().await; // TEXT_MESSAGE_START
//!     text.push(format!("One {name}, coming up.")).await; // TEXT_MESSAGE_CONTENT
//!     text.end(); // TEXT_MESSAGE_END
//!     let cents = run.call(price { name: name.clone() }).await?.run().await; // TOOL_CALL_START … RESULT
//!     list.update(|list| (list.items.push(name), list.total += cents.unwrap_or(0))).await?; // STATE_DELTA, or _SNAPSHOT
//!     let ask = run.call(checkout { total: list.read(|list| list.total)? }).await?; // TOOL_CALL_START … END
//!     Err(Stop::await_frontend([ask])) // RUN_FINISHED, with the call pending
//! }
//!
//! #[agui_runtime::main]
//! async fn main() -> Result<(), agui_runtime::Error> {
//!     agui_runtime::serve(Shopper::new()).await
//! }
//! ```
//!
//! A function becomes a tool, a struct becomes shared state, a function becomes an agent. RUN_STARTED and the event that
//! ends the run are written for you; orders of events that AG-UI forbids do not compile, or are put right.
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | write an agent, and what it depends on | [`agent`](macro@agent), [`Run`], [`Input`] |
//! | end a run otherwise than with a value | [`Stop`] |
//! | write a tool, in the agent or in the user interface | [`tool`](macro@tool), [`ToolCall`], [`PendingCall`] |
//! | share state with the user interface | [`State`](derive@State), [`Baseline`], [`StateHandle`] |
//! | send events of your own | [`CustomEvent`](derive@CustomEvent) |
//! | talk from a helper, whatever the agent | [`Emit`] |
//! | serve agents over HTTP | `serve`, `router`, `Server`, `#[agui_runtime::main]` |
//! | run an agent without a server | [`start`], [`RunOptions`] |
//! | test an agent | [`testing::run`] |
//! | read and write the protocol's own types | [`protocol`], [`wire`] |
//! | describe agents to programs | [`manifest`], [`capabilities`] |
//!
//! # Features
//!
//! | feature | default | brings |
//! |---|---|---|
//! | `server` | yes | `serve`, `router`, `Server`, `Error`, `#[agui_runtime::main]`, on axum and tokio |
//!
//! Without it this crate knows no executor and no sockets.
//!
//! # Clients from before 1.0
//!
//! An input that declares no `protocolVersion` is taken to come from a client older than AG-UI 1.0, and gets nothing that
//! only 1.0 knows: see [`Peer`].

// Generated code names this crate `agui_runtime`, in its own tests and examples too.
#[allow(unused_extern_crates, reason = "only expansions use it")]
extern crate self as agui_runtime;

#[doc(hidden)]
pub mod __private;
mod agent;
mod emit;
#[cfg(feature = "server")]
mod error;
mod json;
pub mod manifest;
pub mod prelude;
pub mod protocol;
#[cfg(feature = "server")]
mod server;
mod state;
pub mod testing;
mod tool;
pub mod wire;

#[doc(inline)]
#[doc = include_str!("docs/custom_event.md")]
pub use agui_macros::CustomEvent;
#[doc(inline)]
#[doc = include_str!("docs/state.md")]
pub use agui_macros::State;
#[doc(inline)]
#[doc = include_str!("docs/agent.md")]
pub use agui_macros::agent;
#[cfg(feature = "server")]
#[doc(inline)]
#[doc = include_str!("docs/main.md")]
pub use agui_macros::main;
#[doc(inline)]
#[doc = include_str!("docs/tool.md")]
pub use agui_macros::tool;

pub use agent::{Agent, DynAgent, EventStream, Input, RunOptions, Stop, capabilities, start};
pub use emit::{
    Act, AnswerCall, CallAtOnce, CallError, CallTool, Called, CustomEvent, CustomEventError, Do, Emit,
    EventOf, Finished, Ids, MessageRef, OpenCall, OpenMessage, OpenStep, Peer, PendingCall, PendingCalls,
    PushArguments, PushText, Run, Say, SendCustom, StartCall, StartStep, StartText, Step, Streaming,
    TextMessage, ToolCall, ToolPhase,
};
#[cfg(feature = "server")]
pub use error::Error;
#[cfg(feature = "server")]
pub use server::{Server, router, serve};
pub use state::{
    ApplyError, Baseline, Change, ChunkedText, Fault, Live, MapKey, Mut, Shadow, State, StateError,
    StateHandle, Tracked, Tracking, Update, apply, as_string,
};
pub use tool::{
    Backend, Frontend, Inject, Invoke, Scope, Side, Tool, ToolCtx, ToolData, ToolDataError, ToolFailure,
    ToolOf,
};
