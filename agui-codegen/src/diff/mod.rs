//! How the difference between two manifests affects programs that were made for the old manifest.
//!
//! Existing clients read what the agent writes, so every new value must be an old value. Existing clients write what
//! the agent reads, so every old value must be a new value. A model always gets the newest schemas, so values that only
//! a model writes are not compared.

mod alternative;
mod atom;
mod catalogs;
mod change;
mod fits;
mod pass;
pub(crate) mod report;
mod source;
mod verdict;

use agui_runtime::manifest::Manifest;

use crate::lower::LowerError;
pub use change::{ChangeSeverity, ContractLevel, DiffOptions, ManifestChange};
use fits::SchemaComparison;
use pass::{AgentComparison, matched};

/// Returns the changes from `old` to `new` that a program made for `old` may notice, in agent order. An empty list
/// means that no such program can notice a difference.
///
/// Every value that the old program recorded or that the new program writes survives all changes that are not listed; a
/// change that cannot be decided is listed.
///
/// ```
/// use agui_codegen::{ChangeSeverity, DiffOptions, Manifest, diff};
/// # let manifest = |required: &str| format!(r##"{{
/// #   "agui_manifest": 1, "generator": "test", "crate": {{"name": "a", "version": "0.1.0"}},
/// #   "agents": [{{"name": "a", "description": "", "version": "0.1.0", "rust": "a", "tools": [], "events": [],
/// #     "state": {{"out": {{"type": "object"}}, "in": {{"$ref": "#/types/in/S"}}}}}}],
/// #   "types": {{"out": {{}}, "in": {{"S": {{"type": "object", "properties": {{"owner": {{"type": "string"}}}},
/// #     "required": [{required}]}}}}}},
/// #   "hash": {{"wire": "", "full": ""}}}}"##);
/// # let (old, new) = (manifest(""), manifest("\"owner\""));
/// let (old, new) = (Manifest::from_json(&old)?, Manifest::from_json(&new)?);
/// let changes = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].severity, ChangeSeverity::Breaking);
/// assert_eq!(changes[0].path, "$.owner");
/// assert_eq!(diff(&new, &old, DiffOptions::default())?, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// At [`ContractLevel::Source`], returns [`LowerError`] if no code can be generated from a schema in either manifest.
pub fn diff(old: &Manifest, new: &Manifest, options: DiffOptions) -> Result<Vec<ManifestChange>, LowerError> {
    let mut pass = AgentComparison {
        out: SchemaComparison::new(&new.types.out, &old.types.out),
        input: SchemaComparison::new(&old.types.input, &new.types.input),
        closed: options.closed,
        agent: "",
        changes: Vec::new(),
    };
    for (old, new) in matched(&old.agents, &new.agents, |agent| &agent.name) {
        pass.agent = old.or(new).map_or("", |agent| &agent.name);
        match (old, new) {
            (Some(old), Some(new)) => pass.agents(old, new),
            (Some(_), None) => pass.change("", None, "no longer exists"),
            (None, _) => {}
        }
    }
    let mut changes = pass.changes;
    if options.level == ContractLevel::Source {
        changes.extend(source::changes(old, new)?);
    }
    Ok(changes)
}

/// Returns true if programs that were made for the old manifest break.
///
/// ```
/// use agui_codegen::{DiffOptions, diff, is_breaking};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
///
/// // The new manifest has a `waiter` too.
/// assert!(!is_breaking(&diff(&old, &new, DiffOptions::default())?));
/// assert!(is_breaking(&diff(&new, &old, DiffOptions::default())?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn is_breaking(changes: &[ManifestChange]) -> bool {
    changes.iter().any(|change| change.severity == ChangeSeverity::Breaking)
}
