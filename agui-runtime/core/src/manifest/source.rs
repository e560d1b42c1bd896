//! Agent declarations, before any schema is generated.
//!
//! `#[agent]`, `#[tool]` and the derives for events, activities and interrupts write these values; [`Manifest`](super::Manifest)
//! and the capabilities route read them.

use super::{CatalogSource, TypeSource};
use crate::protocol::{ToolAnnotations, ToolSide};

/// A tool as declared by `#[tool]`.
///
/// ```
/// use agui_runtime::manifest::ToolSource;
/// use agui_runtime::{Tool, tool};
///
/// /// Looks up a price, in cents.
/// #[tool]
/// async fn price(name: String) -> u32 {
///     name.len() as u32 * 100
/// }
///
/// # fn main() {
/// let source: ToolSource = price::source();
/// assert_eq!((source.name, source.description), ("price", "Looks up a price, in cents."));
/// assert_eq!(source.arguments.root_schema().as_value()["required"][0], "name");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct ToolSource {
    /// The name for the model and the wire.
    pub name: &'static str,
    /// The tool's purpose, from the doc comment.
    pub description: &'static str,
    /// The side that runs the tool.
    pub side: ToolSide,
    /// True if a call needs the user's approval.
    pub approval: bool,
    /// The title and the behaviour hints.
    pub annotations: ToolAnnotations,
    /// The arguments, an object.
    pub arguments: TypeSource,
    /// The result type; `None` if the tool returns `()`.
    pub result: Option<TypeSource>,
}

/// A custom event as declared by `#[derive(CustomEvent)]`.
///
/// ```
/// use agui_runtime::CustomEvent;
/// use agui_runtime::manifest::EventSource;
/// # use schemars::JsonSchema;
/// # use serde::Serialize;
///
/// /// How far the dish is.
/// #[derive(CustomEvent, Serialize, JsonSchema)]
/// struct Progress {
///     percent: u8,
/// }
///
/// # fn main() {
/// let source: EventSource = Progress::source();
/// assert!(source.name.ends_with(".progress"), "the name of the package comes first");
/// assert_eq!(source.description, "How far the dish is.");
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct EventSource {
    /// The `CUSTOM.name` on the wire.
    pub name: &'static str,
    /// The event's meaning, from the doc comment.
    pub description: &'static str,
    /// The `CUSTOM.value`.
    pub value: TypeSource,
}

/// An activity as declared by `#[derive(Activity)]`.
///
/// ```
/// use agui_runtime::manifest::{ActivitySource, AgentSource, TypeSource};
///
/// let plan = ActivitySource {
///     activity_type: "PLAN",
///     description: "The next steps.",
///     content: TypeSource::of::<Vec<String>>(),
/// };
/// let chef = AgentSource { activities: vec![plan], ..AgentSource::new("chef") };
/// assert_eq!(chef.activities[0].content.root_schema().as_value()["type"], "array");
/// ```
#[derive(Clone, Debug)]
pub struct ActivitySource {
    /// The `activityType` on the wire.
    pub activity_type: &'static str,
    /// The activity's meaning, from the doc comment.
    pub description: &'static str,
    /// The `content`, an object.
    pub content: TypeSource,
}

/// A typed interrupt as declared by `#[derive(Interrupt)]`.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, InterruptSource, TypeSource};
///
/// let pay = InterruptSource {
///     reason: "pay",
///     message: Some("Shall I pay?"),
///     description: "Asks before money is spent.",
///     payload: TypeSource::of::<u32>(),
///     response: TypeSource::of::<bool>(),
/// };
/// let chef = AgentSource { interrupts: vec![pay], ..AgentSource::new("chef") };
/// assert_eq!(chef.interrupts[0].response.root_schema().as_value()["type"], "boolean");
/// ```
#[derive(Clone, Debug)]
pub struct InterruptSource {
    /// The `reason` on the wire.
    pub reason: &'static str,
    /// The message for the user, for a user interface without words for this interrupt.
    pub message: Option<&'static str>,
    /// The interrupt's meaning, from the doc comment.
    pub description: &'static str,
    /// The interrupt's data: `metadata["agui-rust/payload"]`.
    pub payload: TypeSource,
    /// The resume entry's `payload`.
    pub response: TypeSource,
}

/// An agent as declared by `#[agent]`.
///
/// ```
/// use agui_runtime::manifest::AgentSource;
/// use agui_runtime::prelude::*;
///
/// /// Cooks with you.
/// #[agent]
/// async fn head_chef(run: &mut Run<HeadChef>, input: Input<HeadChef>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// # fn main() {
/// let source: AgentSource = HeadChef::source();
/// assert_eq!((source.name, source.description), ("head_chef", "Cooks with you."));
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct AgentSource {
    /// The agent's name: the function's name, or the type's name in snake case.
    pub name: &'static str,
    /// The agent's purpose, from the doc comment.
    pub description: &'static str,
    /// The version of the defining package.
    pub version: &'static str,
    /// The Rust path of the agent's type, for human readers.
    pub rust_path: &'static str,
    /// The shared state; `None` without state (`()`).
    pub state: Option<TypeSource>,
    /// The tools that the agent may call, backend and frontend, in declaration order. Private tools are left out: no client learns
    /// of them.
    pub tools: Vec<ToolSource>,
    /// True if the agent has private tools, whose calls need a place that clients cannot read.
    pub has_private_tools: bool,
    /// The custom events that the agent may send, in declaration order.
    pub events: Vec<EventSource>,
    /// The interrupts that the agent may raise, in declaration order.
    pub interrupts: Vec<InterruptSource>,
    /// The activities that the agent may show, in declaration order.
    pub activities: Vec<ActivitySource>,
    /// A successful run's result; `None` without a result (`()`).
    pub output: Option<TypeSource>,
    /// The `forwardedProps` that the agent reads; `None` without a declaration.
    pub forwarded: Option<TypeSource>,
    /// The component catalogs that the agent's surfaces use, in declaration order.
    pub catalogs: Vec<CatalogSource>,
    /// The agents that the model may call or hand over to.
    pub subagents: Vec<fn() -> AgentSource>,
    /// True for a subagent that clients may also address at a served path: `#[agent(served)]`. An agent that no other agent lists
    /// needs no declaration. See [`entry_agents`](crate::manifest::hook::entry_agents).
    pub served: bool,
}

/// Returns the agents sorted by name.
pub(super) fn sorted(mut agents: Vec<AgentSource>) -> Vec<AgentSource> {
    agents.sort_by_key(|agent| (agent.name, agent.rust_path));
    agents
}

impl AgentSource {
    /// Creates an agent with a name only: no description, no version, no types.
    ///
    /// ```
    /// use agui_runtime::manifest::AgentSource;
    ///
    /// let chef = AgentSource { description: "Cooks with you.", version: "0.1.0", ..AgentSource::new("chef") };
    /// assert!(chef.tools.is_empty());
    /// ```
    #[must_use]
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            description: "",
            version: "",
            rust_path: "",
            state: None,
            tools: Vec::new(),
            has_private_tools: false,
            events: Vec::new(),
            interrupts: Vec::new(),
            activities: Vec::new(),
            output: None,
            forwarded: None,
            catalogs: Vec::new(),
            subagents: Vec::new(),
            served: false,
        }
    }
}
