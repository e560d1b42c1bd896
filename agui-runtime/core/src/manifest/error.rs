//! Errors in building, writing and reading a manifest.

use std::path::PathBuf;

use super::FORMAT;

/// A defect in the agents, or in a stored manifest.
///
/// ```
/// use agui_runtime::manifest::{Manifest, ManifestError};
///
/// let error = Manifest::build("empty", "0.1.0", &[]).unwrap_err();
/// assert!(matches!(error, ManifestError::NoAgents { .. }));
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The program has no agent, or the linker dropped the crate that has them.
    #[error(
        "`{krate}` has no agents: write one with `#[agent]`, or make sure the program uses something from the crate \
         that defines them (`extern crate …;` is enough)"
    )]
    NoAgents {
        /// The package whose program was run.
        krate: String,
    },
    /// Two agents share a name.
    #[error("two agents are named `{name}`: {first} and {second}; rename one with `#[agent(name = \"…\")]`")]
    DuplicateAgent {
        /// The shared name.
        name: String,
        /// The first agent's Rust path.
        first: String,
        /// The second agent's Rust path.
        second: String,
    },
    /// One agent has two tools with the same name.
    #[error("agent `{agent}` has two tools named `{name}`; rename one with `#[tool(name = \"…\")]`")]
    DuplicateTool {
        /// The agent.
        agent: String,
        /// The shared name.
        name: String,
    },
    /// One agent has two custom events with the same name.
    #[error("agent `{agent}` has two events named `{name}`; rename one with `#[event(name = \"…\")]`")]
    DuplicateEvent {
        /// The agent.
        agent: String,
        /// The shared name.
        name: String,
    },
    /// One agent has two typed interrupts with the same reason.
    #[error(
        "agent `{agent}` has two interrupts of the reason `{reason}`; change one with `#[interrupt(reason = \"…\")]`"
    )]
    DuplicateInterrupt {
        /// The agent.
        agent: String,
        /// The shared reason.
        reason: String,
    },
    /// One agent has two activities with the same type.
    #[error(
        "agent `{agent}` has two activities of the type `{activity_type}`; change one with `#[activity(type = \"…\")]`"
    )]
    DuplicateActivity {
        /// The agent.
        agent: String,
        /// The shared type.
        activity_type: String,
    },
    /// Two catalogs share an id, and differ.
    #[error(
        "the catalogs of the agents `{first}` and `{second}` have the id `{id}`, and differ: a page knows a catalog by its id, \
         so give each one its own with `#[catalog(id = \"…\")]`"
    )]
    ContradictingCatalogs {
        /// The shared id.
        id: String,
        /// The first catalog's agent.
        first: String,
        /// The second catalog's agent.
        second: String,
    },
    /// A type in a catalog contains itself, and a catalog has no place for definitions.
    #[error(
        "`{item}` in the catalog `{catalog}` has a type that contains itself, which a catalog cannot describe: name other \
         components by `ComponentId`, or take a `serde_json::Value`"
    )]
    RecursiveCatalogType {
        /// The catalog id.
        catalog: String,
        /// The component or function.
        item: String,
    },
    /// Two Rust types share a name and a module, so that schemars cannot tell them apart.
    #[error(
        "two different types are named `{name}`: {first} and {second}; give one of them a name of its own with \
         `#[schemars(rename = \"…\")]` (on a generic type `#[schemars(rename = \"{name}_of_{{T}}\")]`)"
    )]
    TypeNameCollision {
        /// The shared name.
        name: String,
        /// The first type: the Rust path, or a location that uses the type.
        first: String,
        /// The second type: the Rust path, or a location that uses the type.
        second: String,
    },
    /// The manifest's format version is unknown to this program.
    #[error(
        "the manifest has version {found}, this program reads version {FORMAT}: use the `agui-codegen` of the same \
         version as the agent's `agui-runtime`"
    )]
    UnknownFormat {
        /// The manifest's `agui_manifest`.
        found: String,
    },
    /// The text is not a manifest.
    #[error("not a manifest: {0}")]
    Json(#[from] serde_json::Error),
    /// The manifest could not be written.
    #[error("cannot write the manifest to {}: {source}", path.display())]
    Write {
        /// The file path.
        path: PathBuf,
        /// The file system error.
        source: std::io::Error,
    },
}
