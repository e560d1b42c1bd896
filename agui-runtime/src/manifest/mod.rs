//! What `agui-codegen` reads: plain data, canonical JSON, hashes.
//!
//! `#[agent]` describes an agent as an [`AgentSource`]; [`Manifest::build`] runs its types through schemars once for
//! each direction and gives the [`Manifest`], the one vocabulary that the runtime and the generators share. [`hook`]
//! is how a program hands its manifest to `agui-codegen` and exits.
//!
//! Directions are named from the agent's side: *out* is what the agent writes (snapshots, custom events, results of
//! its own tools, arguments as the user interface sees them, payloads of questions), *in* is what it reads (state the
//! client sends, answers of frontend tools, responses to questions).

mod build;
mod canonical;
mod collision;
mod def;
mod error;
mod hash;
pub mod hook;
mod schema;
mod source;

pub use def::{
    AgentDef, CrateDef, EventDef, FORMAT, HashDef, InterruptDef, Manifest, ResultDef, SchemaPair, ToolDef,
    TypesDef,
};
pub use error::ManifestError;
pub use schema::{Keyword, definition_name, keyword};
pub use source::{AgentSource, EventSource, InterruptSource, ToolSide, ToolSource, TypeSource};
