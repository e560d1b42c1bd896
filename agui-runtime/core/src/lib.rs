//! The parts of [`agui-runtime`](https://docs.rs/agui-runtime) that its packages share: the protocol, runs, typed state, tools,
//! the model loop, the server.
//!
//! Depend on `agui-runtime`: it has the same names at the same paths, and documents them.

#![cfg_attr(docsrs, feature(doc_cfg))]

// Generated code refers to this crate as `agui_runtime`, in its own tests and examples too.
#[allow(unused_extern_crates, reason = "only expansions use it")]
extern crate self as agui_runtime;

#[doc(hidden)]
pub mod __leaf;
#[doc(hidden)]
pub mod __private;
#[cfg(feature = "a2a")]
pub mod a2a;
#[cfg(feature = "a2ui")]
pub mod a2ui;
mod agent;
pub mod bounds;
mod bundle;
mod causes;
#[cfg(feature = "client")]
pub mod client;
mod consent;
#[cfg(any(feature = "client", feature = "providers", feature = "signed-interrupts"))]
mod date;
#[cfg(feature = "dialect")]
pub mod dialect;
#[cfg(feature = "drafts")]
pub mod drafts;
mod emit;
pub mod events;
pub mod future;
pub mod guide;
mod hex;
#[cfg(feature = "server")]
pub mod http;
pub mod interrupts;
#[cfg(any(feature = "a2a", feature = "client", feature = "providers", feature = "server"))]
mod jitter;
#[cfg_attr(
    not(feature = "receive"),
    allow(dead_code, unused_imports, reason = "only the stages of a client need all of it")
)]
pub mod json;
mod kernel;
pub mod manifest;
#[cfg(feature = "model")]
pub mod model;
pub mod order;
pub mod prelude;
#[cfg_attr(
    not(feature = "receive"),
    allow(dead_code, unused_imports, reason = "only the stages of a client need all of it")
)]
pub mod protocol;
#[cfg(feature = "model")]
pub mod provider;
mod quoted;
mod random;
#[cfg_attr(
    not(feature = "receive"),
    allow(dead_code, unused_imports, reason = "only the stages of a client need all of it")
)]
pub mod receive;
pub mod runs;
#[cfg(feature = "server")]
mod server;
pub mod state;
#[cfg(feature = "server")]
mod stderr_log;
pub mod telemetry;
pub mod testing;
#[cfg(feature = "threads")]
pub mod thread;
#[cfg(feature = "tls")]
mod tls;
pub mod tools;
#[cfg(feature = "webhook-signatures")]
pub mod webhook;
pub mod wire;

#[doc(inline)]
#[doc = include_str!("docs/activity.md")]
pub use agui_runtime_macros::Activity;
#[doc(inline)]
#[doc = include_str!("docs/custom_event.md")]
pub use agui_runtime_macros::CustomEvent;
#[doc(inline)]
#[doc = include_str!("docs/interrupt.md")]
pub use agui_runtime_macros::Interrupt;
#[doc(inline)]
#[doc = include_str!("docs/state.md")]
pub use agui_runtime_macros::State;
#[doc(inline)]
#[doc = include_str!("docs/agent.md")]
pub use agui_runtime_macros::agent;
#[cfg(feature = "server")]
#[doc(inline)]
#[doc = include_str!("docs/main.md")]
pub use agui_runtime_macros::main;
#[doc(inline)]
#[doc = include_str!("docs/tool.md")]
pub use agui_runtime_macros::tool;

pub use agent::{
    Agent, Call, CallError, DynAgent, EventRecorder, EventStream, FinishedRun, Input, Interrupt,
    OpenToolCall, PendingCall, PublicError, ReadyToolCall, Run, RunOptions, StateBaseline, Stop, Tool,
    ToolCtx, ToolSet, capabilities, start,
};
#[cfg(feature = "signed-interrupts")]
pub use consent::InterruptKey;
pub use emit::{
    Activity, ActivityHandle, CustomEvent, Dynamic, Emit, Policy, Reasoning, ReasoningText, StateHandle,
    Step, TextMessage, TypedEmit,
};
pub use json::as_string::{AsString, as_string};
pub use kernel::{Clock, EventFields, Ids, Peer, Timer};
#[cfg(feature = "server")]
pub use server::{Error, Limits, Server, router, serve};
pub use state::state::State;
