//! The Agent2Agent protocol 1.0: an agent served to A2A clients, and remote agents as subagents (feature `a2a`).
//!
//! ```
//! use agui_runtime::Server;
//! use agui_runtime::a2a::A2aServer;
//! use agui_runtime::prelude::*;
//!
//! /// Tells what a journey costs.
//! #[agent]
//! async fn fares(run: &mut Run<Fares>, input: Input<Fares>) -> Result<u32, Stop> {
//!     run.say("A single to Lisbon is 180 euros.").await; // an artifact with the text
//!     Ok(180) // the artifact `result`
//! }
//!
//! # fn main() -> Result<(), agui_runtime::Error> {
//! let fares = std::sync::Arc::new(Fares::new());
//! let server = Server::new().a2a("/a2a", A2aServer::new(fares.clone())).dyn_agent("/", fares);
//! # server.router()?;
//! # Ok(())
//! # }
//! ```
#![doc = ""]
#![doc = include_str!("../docs/a2a.md")]

mod client;
mod error;
#[cfg(feature = "server")]
mod server;
mod wire;

pub use client::{A2aClient, A2aEndpoint, A2aResult};
pub use error::A2aError;

#[cfg(feature = "server")]
pub use server::A2aServer;
pub use wire::{
    A2aArtifact, A2aMessage, A2aPart, A2aPartContent, A2aRole, A2aTask, AgentCard, AgentCardCapabilities,
    AgentInterface, AgentProvider, AgentSkill, TaskState, TaskStatus,
};

#[cfg(feature = "server")]
pub(crate) use server::{
    A2aMount, ForeignTaskId, MessageRefusal, TaskId, TaskView, task_resume_of, user_message,
};
#[cfg(feature = "server")]
pub(crate) use wire::{
    A2aUpdate, CancelTask, ErrorCode, GetTask, ListTasks, ProtocolError, RpcId, RpcRequest, SendMessage,
    SubscribeToTask, TaskList, VERSION, VERSION_HEADER, rpc_error, rpc_result,
};
