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
//! /// Asks the user if that is all.
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
//! A function becomes a tool, a struct becomes shared state, a function becomes an agent. RUN_STARTED and the event
//! that ends the run are written for you; orders of events that AG-UI forbids do not compile, see [The order of
//! events](#the-order-of-events).
//!
//! # Where things are
//!
//! | to | see |
//! |---|---|
//! | learn it, one task after the other | [`guide`] |
//! | write an agent with its dependencies | [`agent`](macro@agent), [`Run`], [`Input`] |
//! | end a run other than with a value | [`Stop`] |
//! | write a tool, in the agent or in the user interface | [`tool`](macro@tool), [`Call`], [`PendingCall`] |
//! | let a model choose tools by name | [`ToolSet`], [`Run::open_call`], [`Run::dispatch`] |
//! | share state with the user interface | [`State`](derive@State), [`StateBaseline`], [`StateHandle`] |
//! | show a plan or a search beside the text | [`Activity`](derive@Activity), [`ActivityHandle`] |
//! | show an interface that the agent, or a model, describes | `a2ui` |
//! | show the reasoning of a model | [`Emit::reasoning`], [`Emit::think`], [`Emit::encrypted`] |
//! | send events of your own | [`CustomEvent`](derive@CustomEvent) |
//! | emit events from a helper, for any agent | [`Emit`] |
//! | send custom events and show activities from a tool | [`TypedEmit`] |
//! | delegate a part of a run to another agent | [`Emit::delegate`] |
//! | run a part of a run on another thread | [`Emit::tasks`] |
//! | show the output of a model before it is complete | [`tool`](macro@tool#arguments-that-are-seen-growing), [`Streamed`](trait@state::Streamed), [`ChunkedText`](state::ChunkedText), `model::Chat::stream_output` |
//! | ask the user, and read the answer | [`Interrupt`](derive@Interrupt), [`Run::ask`], [`Input::resumed`] |
//! | ask the user before a tool runs | [`Call::ask`], [`Run::resume_call`] |
//! | know which parts of an input are proven | [security](guide::security), [`InterruptKey`] |
//! | forward another agent's stream, untyped | [`Dynamic`], [`Policy`] |
//! | serve agents over HTTP | `serve`, `router`, `Server`, `#[agui_runtime::main]` |
//! | let clients hold one WebSocket | `Server::websocket`, `client::HttpAgent::websocket` |
//! | send the ends of runs to a URL, and check such requests | `Server::webhooks`, `webhook` |
//! | identify the caller | [`#[request]`](macro@agent#what-comes-with-the-request), `Server::layer`, [`RunOptions::request`] |
//! | serve an agent from a handler of your own | `http::AgUiInput`, `http::AgUiResponse` |
//! | run an agent without a server | [`start`], [`RunOptions`], [`runs::start_bytes`] |
//! | record the events of a run | [`EventRecorder`] |
//! | see runs, tools and models in traces and metrics | [`telemetry`] |
//! | run it in production | [deploying](guide::deploying) |
//! | test an agent | [`testing`] |
//! | read and write the types of the protocol | [`protocol`], [`wire`] |
//! | check the order of a stream | [`order`] |
//! | build messages and state from a stream, as a client does | [`receive`] |
//! | call agents | `client` |
//! | keep conversations beyond a connection, a process, a machine | `thread`, `Server::threads` |
//! | let a model talk and use the tools | `model` |
//! | give a model hundreds of tools | `model::Chat::search_tools` |
//! | serve A2A clients, or use remote agents | `a2a` |
//! | use the tools of MCP servers, or be one | `mcp` |
//! | describe agents to programs | [`manifest`], [`capabilities`] |
//!
//! # Names
//!
//! The root has the names that agents and servers type. A module beside it has the rest of its group.
//!
//! | group | at the root | in a module |
//! |---|---|---|
//! | agents | [`agent`](macro@agent), [`Agent`], [`Run`], [`Input`], [`FinishedRun`], [`Stop`], [`PublicError`], [`capabilities`] | [`runs`] |
//! | events | [`Emit`], [`TypedEmit`], [`TextMessage`], [`Reasoning`], [`ReasoningText`], [`Step`], [`Activity`](trait@Activity), [`ActivityHandle`], [`CustomEvent`](trait@CustomEvent), [`EventFields`], [`Dynamic`], [`Policy`] | [`events`], [`future`] |
//! | tools | [`tool`](macro@tool), [`Tool`], [`ToolSet`], [`ToolCtx`], [`Call`], [`OpenToolCall`], [`ReadyToolCall`], [`PendingCall`], [`CallError`] | [`tools`] |
//! | state | [`State`](trait@State), [`StateBaseline`], [`StateHandle`], `as_string`, `AsString` | [`mod@state`] |
//! | interrupts | [`Interrupt`](trait@Interrupt), [`InterruptKey`] | [`interrupts`] |
//! | runs without a server | [`start`], [`RunOptions`], [`DynAgent`], [`EventStream`], [`EventRecorder`], [`Clock`], [`Timer`], [`Ids`], [`Peer`] | [`testing`] |
//! | stored threads | | [`thread`] |
//! | traces and metrics | | [`telemetry`] |
//! | HTTP | `main`, `serve`, `router`, `Server`, `Limits`, `Error` | `http`, `webhook` |
//!
//! # Features
//!
//! | feature | default | brings |
//! |---|---|---|
//! | `server` | yes | `serve`, `router`, `Server`, `Error`, `#[agui_runtime::main]`, on axum and tokio |
//! | `client` | no | `client`: sessions with agents, over HTTP on reqwest and rustls, or without |
//! | `model` | no | `model`: the model loop, `Run::chat`; no dependency |
//! | `providers` | no | `provider`: the models of OpenAI, Anthropic, Gemini, Ollama and of servers that imitate OpenAI, on reqwest and rustls |
//! | `a2a` | no | `a2a`: the Agent2Agent protocol: remote agents as subagents, on reqwest and rustls; agents for its clients, `Server::a2a`, if `server` is on |
//! | `mcp` | no | `mcp`: the tools of MCP servers for the model loop, and the agent's tools as an MCP server, on rmcp and tokio; `Server::mcp` if `server` is on |
//! | `websocket` | no | with `server`, `Server::websocket`: many runs over one WebSocket; with `client`, `client::HttpAgent::websocket`; on tokio-tungstenite |
//! | `webhook-signatures` | by `webhooks` | `webhook`: for receivers, the check of signed webhooks and the type of their messages; no dependency |
//! | `webhooks` | no | `Server::webhooks`: the ends of stored runs, sent to a URL, on reqwest and rustls; it brings `server` |
//! | `metrics` | by `server` | the metrics of runs, tools and models, through the facade of crate metrics |
//! | `preserve-order` | yes | properties of schemas in the order of the fields, which is the order models write them in; it switches `preserve_order` of serde_json on for the whole program. Without it they are sorted |
//! | `schema-validation` | no | for tools that exist only at run time (`model::DynTool`, tools of MCP servers), arguments checked by all of JSON Schema, on jsonschema, which takes about as long to compile as all of `model` |
//! | `schema-testing` | no | `testing::assert_schema_matches`, on jsonschema |
//! | `threads` | by `server` | `thread`: the logs of conversations and the engine in memory; no dependency but bytes |
//! | `sqlite` | no | `thread::Sqlite`: threads in a file, on rusqlite with its own SQLite, for which a C compiler is needed; no executor |
//! | `postgres` | no | `thread::Postgres`: threads on many machines, on tokio-postgres and tokio |
//! | `redis` | no | `thread::Redis`: threads on many machines, on redis and tokio |
//! | `postgres-tls`, `redis-tls` | no | the same over TLS, on rustls |
//! | `signed-interrupts` | by `server`, `a2a` and `mcp` | interrupts whose answers are proved, [`InterruptKey`]; without it an agent can ask only with [`RunOptions::unsigned_interrupts`] |
//! | `no-manifest-hook` | no | programs that do not describe themselves to `agui-codegen`: for production; no dependency |
//! | `a2ui` | no | `a2ui`: surfaces of A2UI in activities, and the user's actions on them; no dependency |
//! | `drafts` | no | `drafts`: proposals of AG-UI that are not part of 1.0, and change in any release; no dependency |
//! | `dialect` | no | `dialect`: servers and clients for the snake_case dialect; no dependency |
//! | `indexmap` | yes | `IndexMap` in [`State`](trait@State), with its schema |
//! | `bytes`, `chrono`, `jiff`, `rust_decimal`, `url`, `uuid` | no | the types of these crates in [`State`](trait@State) and, where JSON allows, as [keys](crate::state::MapKey) of maps, with their formats in schemas |
//! | `proto` | by the other features | `wire::proto`, the binary transport; no dependency |
//! | `receive` | by the other features | all of [`receive`], the stages of a client, not only its [`ChunkExpander`](receive::ChunkExpander), on indexmap; an agent without a server compiles faster without them |
//!
//! Without `server`, `a2a`, `client`, `mcp`, `providers`, `postgres` and `redis` this crate uses no executor and no sockets.
//!
//! # Legacy clients
//!
//! An input without a `protocolVersion` is taken to come from a legacy client, which gets nothing that
//! only 1.0 defines: see [`Peer`]. The oldest clients also expect one message or call at a time: see
//! [`SerialStream`](events::SerialStream).
//!
#![doc = include_str!("docs/ordering.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod guide;

#[doc(inline)]
pub use agui_runtime_core::*;

#[cfg(feature = "mcp")]
#[doc(inline)]
pub use agui_runtime_mcp as mcp;

#[cfg(feature = "providers")]
#[doc(inline)]
pub use agui_runtime_providers as provider;

#[cfg(feature = "threads")]
pub mod thread;

/// The examples of the README, and of the skill for coding assistants.
#[cfg(all(doctest, feature = "client", feature = "model", feature = "server"))]
mod documents {
    #[doc = include_str!("../README.md")]
    struct Readme;

    #[doc = include_str!("../SKILL.md")]
    struct Skill;
}
