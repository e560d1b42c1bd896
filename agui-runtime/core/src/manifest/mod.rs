//! The manifest, the input for `agui-codegen`: plain data, canonical JSON, hashes.
//!
//! `#[agent]` describes an agent as an [`AgentSource`]. [`Manifest::build`] runs the agent's types through schemars once per
//! direction and returns the [`Manifest`], the vocabulary that the runtime and the generators share. By [`hook`], a program writes
//! the manifest for `agui-codegen` and exits.
//!
//! Directions are named from the agent's side. *Out* is data that the agent writes: snapshots, custom events, activities, backend
//! tool results, run results, arguments as the user interface sees them, interrupt payloads. *In* is data that the agent reads:
//! client state, frontend tool results, resume payloads, forwarded props.

mod any_type;
mod approval;
pub(crate) mod bounds;
mod build;
mod canonical;
mod catalog;
mod def;
mod error;
mod hash;
pub mod hook;
mod identity;
mod integer;
#[cfg(feature = "model")]
pub(crate) mod narrower;
mod object_schemas;
#[cfg(any(feature = "model", feature = "server"))]
mod plain_object;
#[cfg(any(feature = "server", feature = "tool-servers"))]
mod program;
mod rekey;
mod schema;
mod source;
pub(crate) mod structure;
mod subagents;
mod type_source;
mod unwritable_default;
mod walk;

pub(crate) use approval::REASON as APPROVAL_REASON;
#[cfg(feature = "model")]
pub(crate) use approval::answer as approval_answer;
#[cfg(feature = "a2ui")]
pub(crate) use catalog::RENDERED as RENDERED_CATALOG;
pub use catalog::{
    CatalogDef, CatalogFunctionDef, CatalogFunctionSource, CatalogSource, ComponentDef, ComponentSource,
    SURFACE_PART,
};
pub use def::{
    ActivityDef, AgentDef, CrateDef, EventDef, FORMAT, HashDef, InterruptDef, Manifest, ResultDef,
    SchemaPair, ToolDef, TypesDef,
};
pub use error::ManifestError;
pub use integer::SizedInteger;
pub use object_schemas::{allows_nothing, without_boolean_schemas};
#[cfg(feature = "model")]
pub(crate) use plain_object::Unlike;
#[cfg(any(feature = "model", feature = "server"))]
#[doc(hidden)]
pub use plain_object::check_plain_object;
#[cfg(any(feature = "server", feature = "tool-servers"))]
#[doc(hidden)]
pub use program::hand_over_if_asked;
#[cfg(feature = "server")]
#[doc(hidden)]
pub use program::init;
#[cfg(feature = "server")]
pub(crate) use program::{Program, give_up, tell_undeclared};
pub use schema::{Keyword, definition_name, keyword};
pub use source::{ActivitySource, AgentSource, EventSource, InterruptSource, ToolSource};
pub(crate) use subagents::{asking, asks, interrupts};
pub use type_source::{TypeSource, without_number_formats};
