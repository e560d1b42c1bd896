//! The typed way to write AG-UI agents.
//!
//! [AG-UI](https://ag-ui.com) is the open protocol between an agent and its user interface: the interface POSTs a
//! [`RunAgentInput`](protocol::RunAgentInput), the agent answers with a stream of typed [`Event`](protocol::Event)s.
//! This crate is the agent's side of AG-UI 1.0.

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
pub use state::{Baseline, MapKey, State, StateError, StateHandle, Update};
pub use tool::{
    Backend, Frontend, Inject, Invoke, Scope, Side, Tool, ToolCtx, ToolData, ToolDataError, ToolFailure,
    ToolOf,
};
