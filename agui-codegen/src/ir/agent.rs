//! An agent with its tools, events, interrupts and activities.

use agui_runtime::protocol::ToolAnnotations;
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::{CatalogDecl, Type, TypeDecl, TypeSlot};

/// One agent.
///
/// ```
/// use agui_codegen::ir::AgentDecl;
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let chef: &AgentDecl = &api.agents[0];
/// assert_eq!(chef.name, "chef");
/// assert!(chef.state.is_some() && chef.types.contains_key("Dish"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDecl {
    /// The name on the wire.
    pub name: String,
    /// The folder for the agent's files: a name that Python can import, and that differs from all other agents' folders
    /// on any file system.
    pub module: String,
    /// The description.
    pub description: String,
    /// The version that the agent's package has.
    pub version: String,
    /// The manifest's wire hash.
    pub wire: String,
    /// The shared state.
    pub state: Option<StateDecl>,
    /// The tools, as the agent lists them.
    pub tools: Vec<ToolDecl>,
    /// The custom events, as the agent lists them.
    pub events: Vec<EventDecl>,
    /// The typed interrupts, as the agent lists them.
    pub interrupts: Vec<InterruptDecl>,
    /// The activities, in the order that the agent gives.
    pub activities: Vec<ActivityDecl>,
    /// The result that a successful run returns; `None` if runs return no result.
    pub result: Option<TypeSlot>,
    /// The `forwardedProps` that a run reads; `None` if the agent declares none.
    pub forwarded: Option<TypeSlot>,
    /// The component catalogs, as the agent lists them.
    pub catalogs: Vec<CatalogDecl>,
    /// The named types that this agent needs, sorted by name.
    pub types: IndexMap<String, TypeDecl>,
    /// The schemas for the named types that the agent writes; schemas refer to each other as `#/$defs/Name`.
    pub out_schemas: Map<String, Value>,
    /// The schemas for the named types that the agent reads.
    pub in_schemas: Map<String, Value>,
}

/// The shared state in both directions.
///
/// ```
/// use agui_codegen::ir::{StateDecl, Type, ValueDirection};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let chef = AgentSource { state: Some(TypeSource::of::<bool>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let StateDecl { out, input } = api.agents[0].state.as_ref().expect("the chef has a state");
/// assert_eq!((&out.ty, out.direction), (&Type::Bool, ValueDirection::Out));
/// assert_eq!((&input.ty, input.direction), (&Type::Bool, ValueDirection::In));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct StateDecl {
    /// The state as the agent writes it.
    pub out: TypeSlot,
    /// The state as the agent reads it.
    pub input: TypeSlot,
}

/// A tool.
///
/// ```
/// use agui_codegen::ir::{ToolDecl, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, ToolSource, TypeSource};
/// # use agui_runtime::protocol::ToolSide;
/// # #[derive(schemars::JsonSchema)]
/// # struct Confirm { question: String }
/// # let confirm = ToolSource {
/// #     name: "confirm",
/// #     description: "",
/// #     side: ToolSide::Frontend,
/// #     approval: false,
/// #     annotations: agui_runtime::protocol::ToolAnnotations::NONE,
/// #     arguments: TypeSource::of::<Confirm>(),
/// #     result: Some(TypeSource::of::<bool>()),
/// # };
/// # let chef = AgentSource { tools: vec![confirm], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let confirm: &ToolDecl = &api.agents[0].tools[0];
/// assert!(confirm.frontend && confirm.result.as_ref().is_some_and(|result| result.ty == Type::Bool));
/// assert_eq!(confirm.accepts["required"][0], "question");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDecl {
    /// The name on the wire.
    pub name: String,
    /// True if the user interface runs the tool.
    pub frontend: bool,
    /// The description.
    pub description: String,
    /// The title, and the behaviour hints.
    pub annotations: ToolAnnotations,
    /// The arguments as the user interface receives them, an object.
    pub params: TypeSlot,
    /// The schema for arguments that a model may send, with all definitions included.
    pub accepts: Value,
    /// The result; `None` if the tool returns no result.
    pub result: Option<TypeSlot>,
}

impl ToolDecl {
    /// Returns the item type if the tool runs in the agent and returns a list without a fixed length: such a tool may
    /// send the items one by one.
    pub(crate) fn item(&self) -> Option<&Type> {
        match &self.result.as_ref()?.ty {
            Type::Array(list) if !self.frontend && list.max.is_none() && list.min.unwrap_or(0) == 0 => {
                Some(&list.item)
            }
            _ => None,
        }
    }
}

/// A custom event.
///
/// ```
/// use agui_codegen::ir::{EventDecl, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, EventSource, Manifest, TypeSource};
/// # let ready = EventSource { name: "ready", description: "", value: TypeSource::of::<bool>() };
/// # let chef = AgentSource { events: vec![ready], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let ready: &EventDecl = &api.agents[0].events[0];
/// assert_eq!((ready.name.as_str(), &ready.value.ty), ("ready", &Type::Bool));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EventDecl {
    /// The name on the wire.
    pub name: String,
    /// The description.
    pub description: String,
    /// The event's value.
    pub value: TypeSlot,
}

/// A typed interrupt.
///
/// ```
/// use agui_codegen::ir::{InterruptDecl, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, InterruptSource, Manifest, TypeSource};
/// # let pay = InterruptSource {
/// #     reason: "pay",
/// #     message: Some("Shall I pay?"),
/// #     description: "",
/// #     payload: TypeSource::of::<u32>(),
/// #     response: TypeSource::of::<bool>(),
/// # };
/// # let chef = AgentSource { interrupts: vec![pay], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let pay: &InterruptDecl = &api.agents[0].interrupts[0];
/// assert_eq!((pay.reason.as_str(), &pay.response.ty), ("pay", &Type::Bool));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InterruptDecl {
    /// The reason on the wire.
    pub reason: String,
    /// The question to the user, for a user interface that has no text for this interrupt.
    pub message: Option<String>,
    /// The description.
    pub description: String,
    /// The question's payload.
    pub payload: TypeSlot,
    /// The response.
    pub response: TypeSlot,
}

/// An activity.
///
/// ```
/// use agui_codegen::ir::ActivityDecl;
/// use agui_codegen::lower::lower;
/// use agui_runtime::manifest::{ActivitySource, AgentSource, Manifest, TypeSource};
///
/// #[derive(schemars::JsonSchema)]
/// struct Plan {
///     at: u32,
/// }
///
/// let content = TypeSource::of::<Plan>();
/// let plan = ActivitySource { activity_type: "PLAN", description: "", content };
/// let chef = AgentSource { activities: vec![plan], ..AgentSource::new("chef") };
/// let api = lower(&Manifest::build("kitchen", "0.1.0", &[chef])?)?;
/// let shown: &ActivityDecl = &api.agents[0].activities[0];
/// assert_eq!(shown.activity_type, "PLAN");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ActivityDecl {
    /// The `activityType` on the wire.
    pub activity_type: String,
    /// The description, as text.
    pub description: String,
    /// The `content`.
    pub content: TypeSlot,
}

impl AgentDecl {
    /// Returns every place that has a type.
    ///
    /// ```
    /// use agui_codegen::lower::lower;
    /// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
    /// # let chef = AgentSource { state: Some(TypeSource::of::<bool>()), ..AgentSource::new("chef") };
    /// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
    ///
    /// let api = lower(&manifest)?;
    /// assert_eq!(api.agents[0].slots().count(), 2, "the state, in both directions");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slots(&self) -> impl Iterator<Item = &TypeSlot> {
        let state = self.state.iter().flat_map(|state| [&state.out, &state.input]);
        let tools = self.tools.iter().flat_map(|tool| std::iter::once(&tool.params).chain(&tool.result));
        let events = self.events.iter().map(|event| &event.value);
        let interrupts = self.interrupts.iter().flat_map(|asked| [&asked.payload, &asked.response]);
        let activities = self.activities.iter().map(|activity| &activity.content);
        let run = self.result.iter().chain(&self.forwarded);
        state.chain(tools).chain(events).chain(interrupts).chain(activities).chain(run)
    }

    /// Returns every place that has a type, to change the place.
    ///
    /// ```
    /// use agui_codegen::ir::Type;
    /// use agui_codegen::lower::lower;
    /// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
    /// # let chef = AgentSource { state: Some(TypeSource::of::<bool>()), ..AgentSource::new("chef") };
    /// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
    ///
    /// let mut api = lower(&manifest)?;
    /// for slot in api.agents[0].slots_mut() {
    ///     slot.ty = Type::Nullable(Box::new(slot.ty.clone()));
    /// }
    /// assert!(api.agents[0].slots().all(|slot| matches!(slot.ty, Type::Nullable(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slots_mut(&mut self) -> impl Iterator<Item = &mut TypeSlot> {
        let state = self.state.iter_mut().flat_map(|state| [&mut state.out, &mut state.input]);
        let tools =
            self.tools.iter_mut().flat_map(|tool| std::iter::once(&mut tool.params).chain(&mut tool.result));
        let events = self.events.iter_mut().map(|event| &mut event.value);
        let interrupts =
            self.interrupts.iter_mut().flat_map(|asked| [&mut asked.payload, &mut asked.response]);
        let activities = self.activities.iter_mut().map(|activity| &mut activity.content);
        let run = self.result.iter_mut().chain(&mut self.forwarded);
        state.chain(tools).chain(events).chain(interrupts).chain(activities).chain(run)
    }
}
