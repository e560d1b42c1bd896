//! A change between two manifests, and the options that decide which changes are reported.

use crate::ir::ValueDirection;

/// The effect of a change.
///
/// ```
/// use agui_codegen::{ChangeSeverity, DiffOptions, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef")])?;
///
/// // The new manifest has no `waiter`.
/// let changes = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].severity, ChangeSeverity::Breaking);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChangeSeverity {
    /// Programs made for the old manifest break.
    Breaking,
    /// Programs made for the old manifest may meet values that they do not know.
    Warning,
}

/// The contract to keep.
///
/// ```
/// use agui_codegen::{ContractLevel, DiffOptions, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::{AgentSource, EventSource, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # #[derive(schemars::JsonSchema)]
/// # struct Meal { name: String }
/// # let manifest = |value| {
/// #     let served = EventSource { name: "served", description: "", value };
/// #     Manifest::build("kitchen", "0.1.0", &[AgentSource { events: vec![served], ..AgentSource::new("chef") }])
/// # };
/// # let (old, new) = (manifest(TypeSource::of::<Dish>())?, manifest(TypeSource::of::<Meal>())?);
///
/// // `struct Dish { name: String }` is called `Meal` now: the JSON is the same, the generated type is not.
/// let at = |level| diff(&old, &new, DiffOptions { level, ..DiffOptions::default() });
/// assert_eq!(at(ContractLevel::Wire)?, []);
/// assert!(!at(ContractLevel::Source)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContractLevel {
    /// The JSON on the wire, for programs that are in use.
    Wire,
    /// The generated names as well, for programs that are compiled again.
    Source,
}

/// A change that a program may notice.
///
/// ```
/// use agui_codegen::{DiffOptions, ManifestChange, diff};
/// # use agui_codegen::Manifest;
/// # use agui_runtime::manifest::AgentSource;
/// # let old = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef"), AgentSource::new("waiter")])?;
/// # let new = Manifest::build("kitchen", "0.2.0", &[AgentSource::new("chef")])?;
///
/// // The new manifest has no `waiter`.
/// let changes: Vec<ManifestChange> = diff(&old, &new, DiffOptions::default())?;
/// assert_eq!(changes[0].to_string(), "breaking (wire) waiter: the agent no longer exists");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestChange {
    /// The effect of the change.
    pub severity: ChangeSeverity,
    /// The contract that it affects.
    pub level: ContractLevel,
    /// The agent.
    pub agent: String,
    /// The owner of the value: `the state`, `the arguments of `price``; empty for the agent itself.
    pub place: String,
    /// The direction of that value; `None` if no value travels.
    pub direction: Option<ValueDirection>,
    /// The place inside the value: `$.items[].owner`; empty if there is none.
    pub path: String,
    /// The difference, in words.
    pub message: String,
}

/// The options of a comparison.
///
/// ```
/// use agui_codegen::{ContractLevel, DiffOptions};
///
/// let strictest = DiffOptions { level: ContractLevel::Source, closed: true };
/// assert_ne!(strictest, DiffOptions::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiffOptions {
    /// The contract to keep.
    pub level: ContractLevel,
    /// True if a new alternative of an enum that the agent writes is breaking, and not a warning.
    pub closed: bool,
}

impl Default for DiffOptions {
    fn default() -> Self {
        Self { level: ContractLevel::Wire, closed: false }
    }
}
