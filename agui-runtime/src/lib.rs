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
//! ends the run are written for you; orders of events that AG-UI forbids do not compile, see [The order of events](#the-order-of-events).
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | write an agent, and what it depends on | [`agent`](macro@agent), [`Run`], [`Input`] |
//! | end a run otherwise than with a value | [`Stop`] |
//! | write a tool, in the agent or in the user interface | [`tool`](macro@tool), [`ToolCall`], [`PendingCall`] |
//! | let a model choose tools by name | [`ToolSet`], [`Run::open_call`], [`Run::dispatch`] |
//! | share state with the user interface | [`State`](derive@State), [`Baseline`], [`StateHandle`] |
//! | show a plan or a search beside the text | [`Activity`](derive@Activity), [`ActivityHandle`] |
//! | show what the model thinks | [`Emit::reasoning`], [`Emit::think`], [`Emit::encrypted`] |
//! | send events of your own | [`CustomEvent`](derive@CustomEvent) |
//! | talk from a helper, whatever the agent | [`Emit`] |
//! | have another agent do a piece of a run | [`Emit::delegate`] |
//! | run a part of a run on another thread | [`Emit::tasks`] |
//! | show what a model writes before it has finished | [`tool`](macro@tool#arguments-that-are-seen-growing), [`Streamed`], [`ChunkedText`] |
//! | ask a person, and read the answer | [`Interrupt`](derive@Interrupt), [`Run::ask`], [`Input::resumed`] |
//! | ask before a tool runs | [`ToolCall::ask`], [`Run::resume_call`] |
//! | forward another agent's stream, untyped | [`Dynamic`], [`Policy`] |
//! | serve agents over HTTP | `serve`, `router`, `Server`, `#[agui_runtime::main]` |
//! | run an agent without a server | [`start`], [`RunOptions`] |
//! | keep what happened in a run | [`Recorder`] |
//! | test an agent | [`testing`] |
//! | read and write the protocol's own types | [`protocol`], [`wire`] |
//! | judge whether a stream is in order | [`order`] |
//! | make messages and state of a stream, as a client does | [`receive`] |
//! | talk to an agent, anywhere | `client` |
//! | describe agents to programs | [`manifest`], [`capabilities`] |
//!
//! # Features
//!
//! | feature | default | brings |
//! |---|---|---|
//! | `server` | yes | `serve`, `router`, `Server`, `Error`, `#[agui_runtime::main]`, on axum and tokio |
//! | `client` | no | `client`: sessions with agents, over HTTP on reqwest and rustls, or without |
//! | `preserve-order` | yes | properties of schemas in the order of the fields, which is the order models write them in; it switches `preserve_order` of serde_json on for the whole program. Without it they are sorted |
//! | `schema-testing` | no | `testing::assert_schema_matches`, on jsonschema |
//! | `proto` | by the others | `wire::proto`, the binary transport; no dependency |
//!
//! Without `server` and `client` this crate knows no executor and no sockets.
//!
//! # Clients from before 1.0
//!
//! An input that declares no `protocolVersion` is taken to come from a client older than AG-UI 1.0, and gets nothing that
//! only 1.0 knows: see [`Peer`]. The oldest ones also want one message or call after the other: see [`Serial`].
//!
#![doc = include_str!("docs/ordering.md")]

// Generated code names this crate `agui_runtime`, in its own tests and examples too.
#[allow(unused_extern_crates, reason = "only expansions use it")]
extern crate self as agui_runtime;

#[doc(hidden)]
pub mod __private;
mod agent;
#[cfg(feature = "client")]
pub mod client;
mod emit;
#[cfg(feature = "server")]
mod error;
mod growth;
mod int_text;
mod json;
pub mod manifest;
pub mod order;
pub mod prelude;
pub mod protocol;
#[cfg(any(feature = "server", feature = "client"))]
mod random;
pub mod receive;
#[cfg(feature = "server")]
mod server;
mod state;
pub mod testing;
mod tool;
pub mod wire;

#[doc(inline)]
#[doc = include_str!("docs/activity.md")]
pub use agui_macros::Activity;
#[doc(inline)]
#[doc = include_str!("docs/custom_event.md")]
pub use agui_macros::CustomEvent;
#[doc(inline)]
#[doc = include_str!("docs/interrupt.md")]
pub use agui_macros::Interrupt;
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

pub use agent::{
    Agent, DynAgent, EventStream, Input, Interrupt, InterruptError, InterruptOf, Recorder, Resumed,
    ResumedError, RunOptions, Stop, capabilities, start,
};
pub use emit::{
    Act, Activity, ActivityError, ActivityHandle, AnswerCall, AnsweredCall, CallAtOnce, CallError, CallRef,
    CallTool, Called, Caller, ChunkError, ClientCall, Clock, Complete, CustomEvent, CustomEventError,
    Delegate, Dispatched, Do, Dynamic, DynamicError, Emit, EncryptedEntity, EventFields, EventOf, FeedEvent,
    Finished, FrontendCall, Ids, IntoText, MessageRef, MessagesSnapshot, NoCall, NoState, OpenActivity,
    OpenCall, OpenClientCall, OpenMessage, OpenNamedCall, OpenReasoning, OpenReasoningMessage, OpenStep,
    OpenToolCall, ParentReceipt, Peer, PendingCall, PendingCalls, PendingClientCall, Pieces, Policy,
    PushArguments, PushReasoning, PushText, ReadyToolCall, Reasoning, ReasoningMessage, ReasoningRef,
    ResumeCallError, Run, Say, SendCustom, SendEncrypted, SendRaw, Serial, Settled, StartActivity, StartCall,
    StartClientCall, StartNamedCall, StartReasoning, StartReasoningMessage, StartStep, StartText, Step,
    Streaming, Tasks, TextMessage, TextRole, Think, ToolCall, ToolPhase, ToolSet, UnknownTool,
    UpdateActivity,
};
#[cfg(feature = "server")]
pub use error::Error;
pub use int_text::{IntString, int_string};
#[cfg(feature = "server")]
pub use server::{InputLimits, Server, router, serve};
pub use state::{
    AdoptState, ApplyError, Baseline, Change, ChunkedText, Fault, Live, MapKey, Mut, PatchState, ResendState,
    Shadow, SnapshotState, State, StateError, StateHandle, Streamed, Tracked, Tracking, Update, UpdateState,
    apply, as_string, diff,
};
pub use tool::{
    Backend, Frontend, Inject, Invoke, Parts, Scope, Side, Tool, ToolCtx, ToolData, ToolDataError,
    ToolFailure, ToolOf,
};
