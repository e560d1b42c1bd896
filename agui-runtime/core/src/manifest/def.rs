//! The manifest as data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::CatalogDef;
use crate::protocol::{ToolAnnotations, ToolSide};

/// The version of the manifest format, written as `agui_manifest`.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, FORMAT, Manifest, ManifestError};
///
/// let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
/// assert_eq!(manifest.agui_manifest, FORMAT);
///
/// let newer = manifest.to_json().replacen("\"agui_manifest\": 1", "\"agui_manifest\": 99", 1);
/// assert!(matches!(Manifest::from_json(&newer), Err(ManifestError::UnknownFormat { .. })));
/// # Ok::<(), ManifestError>(())
/// ```
pub const FORMAT: u64 = 1;

/// The contract of one program's agents: everything a generator needs.
///
/// Built by [`Manifest::build`](Manifest::build), written with [`Manifest::to_json`], read with [`Manifest::from_json`]. Schemas
/// are JSON Schema 2020-12 and refer to named types as `#/types/out/crate::Name` and `#/types/in/crate::Name`.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, Manifest};
///
/// let chef = AgentSource {
///     description: "Cooks with you.",
///     version: "0.1.0",
///     rust_path: "kitchen::Chef",
///     ..AgentSource::new("chef")
/// };
/// let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
/// assert_eq!(Manifest::from_json(&manifest.to_json())?, manifest);
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The format version: [`FORMAT`].
    pub agui_manifest: u64,
    /// The name and version of the program that built the manifest: `agui-runtime 0.1.0`.
    pub generator: String,
    /// The package whose program wrote the manifest.
    #[serde(rename = "crate")]
    pub krate: CrateDef,
    /// The agents, sorted by name.
    pub agents: Vec<AgentDef>,
    /// The named types, by direction.
    pub types: TypesDef,
    /// The content hashes.
    pub hash: HashDef,
}

/// A package: name and version as in `Cargo.toml`.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, CrateDef, Manifest};
///
/// let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
/// assert_eq!(manifest.krate, CrateDef { name: "kitchen".to_owned(), version: "0.1.0".to_owned() });
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateDef {
    /// The package name.
    pub name: String,
    /// The package version.
    pub version: String,
}

/// One agent in a [`Manifest`].
///
/// ```
/// use agui_runtime::manifest::{AgentDef, AgentSource, Manifest, TypeSource};
///
/// let chef = AgentSource { state: Some(TypeSource::of::<u32>()), ..AgentSource::new("chef") };
/// let waiter = AgentSource::new("waiter");
/// let manifest = Manifest::build("kitchen", "0.1.0", &[waiter, chef])?;
///
/// let stateful: Vec<&AgentDef> = manifest.agents.iter().filter(|agent| agent.state.is_some()).collect();
/// assert_eq!((stateful.len(), stateful[0].name.as_str()), (1, "chef"));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentDef {
    /// The agent's name, unique in the manifest.
    pub name: String,
    /// The agent's purpose.
    pub description: String,
    /// The version of the defining package.
    pub version: String,
    /// The Rust path of the agent's type, for human readers.
    pub rust: String,
    /// The shared state; absent without state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SchemaPair>,
    /// The tools in declaration order.
    pub tools: Vec<ToolDef>,
    /// The custom events in declaration order.
    pub events: Vec<EventDef>,
    /// The typed interrupts in declaration order; absent without interrupts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<InterruptDef>,
    /// The activities in declaration order; absent without activities.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub activities: Vec<ActivityDef>,
    /// A successful run's result, always *out*; absent without a result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Value>,
    /// The `forwardedProps`, always *in*; absent without a declaration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forwarded: Option<Value>,
    /// The component catalogs in declaration order; absent without catalogs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub catalogs: Vec<CatalogDef>,
}

/// One type in both directions.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, Manifest, SchemaPair, TypeSource};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
///
/// /// A dish.
/// #[derive(Serialize, Deserialize, JsonSchema)]
/// struct Dish {
///     #[serde(rename(serialize = "title"))]
///     name: String,
/// }
///
/// let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
/// let SchemaPair { out, input } = manifest.agents[0].state.as_ref().expect("the chef has a state");
/// let named = |schema: &serde_json::Value| schema["$ref"].as_str().map(str::to_owned).unwrap_or_default();
/// let key = named(out).trim_start_matches("#/types/out/").to_owned();
/// assert_eq!(named(input), format!("#/types/in/{key}"));
/// assert_eq!(manifest.types.out[&key]["required"][0], "title");
/// assert_eq!(manifest.types.input[&key]["required"][0], "name");
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemaPair {
    /// The form that the agent writes.
    pub out: Value,
    /// The form that the agent reads.
    #[serde(rename = "in")]
    pub input: Value,
}

/// One of an agent's tools.
///
/// ```
/// use agui_runtime::manifest::{Manifest, ToolDef};
/// use agui_runtime::prelude::*;
/// use agui_runtime::protocol::ToolSide;
///
/// /// Looks up a price, in cents.
/// #[tool]
/// async fn price(name: String) -> u32 {
///     name.len() as u32 * 100
/// }
///
/// /// Sells.
/// #[agent(tools = [price])]
/// async fn seller(run: &mut Run<Seller>, input: Input<Seller>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// # fn main() -> Result<(), agui_runtime::manifest::ManifestError> {
/// let manifest = Manifest::build("shop", "0.1.0", &[Seller::source()])?;
/// let tool: &ToolDef = &manifest.agents[0].tools[0];
/// assert_eq!((tool.name.as_str(), tool.description.as_str()), ("price", "Looks up a price, in cents."));
/// assert_eq!(tool.side, ToolSide::Backend);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDef {
    /// The name on the wire, unique within the agent.
    pub name: String,
    /// The side that runs the tool.
    pub side: ToolSide,
    /// The tool's purpose.
    pub description: String,
    /// The title and the behaviour hints; absent if there are none.
    #[serde(default, skip_serializing_if = "ToolAnnotations::is_empty")]
    pub annotations: ToolAnnotations,
    /// The arguments, an object: `out` is the form that the user interface receives, `in` the form that a model may send.
    pub params: SchemaPair,
    /// The result; absent if the tool returns none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultDef>,
}

/// A tool's result type, in the one direction that results travel.
///
/// ```
/// use agui_runtime::manifest::{Manifest, ResultDef};
/// use agui_runtime::prelude::*;
///
/// /// Asks the user.
/// #[tool(frontend)]
/// async fn confirm(question: String) -> bool;
///
/// /// Asks first.
/// #[agent(tools = [confirm])]
/// async fn careful(run: &mut Run<Careful>, input: Input<Careful>) -> Result<(), Stop> {
///     Ok(())
/// }
///
/// # fn main() -> Result<(), agui_runtime::manifest::ManifestError> {
/// let manifest = Manifest::build("shop", "0.1.0", &[Careful::source()])?;
/// let Some(ResultDef::In(schema)) = &manifest.agents[0].tools[0].result else { panic!("not of the page") };
/// assert_eq!(schema["type"], "boolean");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultDef {
    /// The agent writes the result: a backend tool.
    Out(Value),
    /// The agent reads the result: a frontend tool.
    In(Value),
}

/// One of an agent's custom events.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, EventDef, EventSource, Manifest, TypeSource};
///
/// let progress = EventSource { name: "progress", description: "", value: TypeSource::of::<f64>() };
/// let chef = AgentSource { events: vec![progress], ..AgentSource::new("chef") };
/// let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
/// let event: &EventDef = &manifest.agents[0].events[0];
/// assert_eq!((event.name.as_str(), &event.value["type"]), ("progress", &"number".into()));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventDef {
    /// The `CUSTOM.name` on the wire, unique within the agent.
    pub name: String,
    /// The event's meaning.
    pub description: String,
    /// The `CUSTOM.value`, always *out*.
    pub value: Value,
}

/// One of an agent's typed interrupts.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, InterruptDef, InterruptSource, Manifest, TypeSource};
///
/// let pay = InterruptSource {
///     reason: "pay",
///     message: Some("Shall I pay?"),
///     description: "",
///     payload: TypeSource::of::<u32>(),
///     response: TypeSource::of::<bool>(),
/// };
/// let chef = AgentSource { interrupts: vec![pay], ..AgentSource::new("chef") };
/// let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
/// let asked: &InterruptDef = &manifest.agents[0].interrupts[0];
/// assert_eq!((asked.reason.as_str(), &asked.response["type"]), ("pay", &"boolean".into()));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterruptDef {
    /// The `reason` on the wire, unique within the agent.
    pub reason: String,
    /// The message for the user; absent if the user interface words the message.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The interrupt's meaning.
    pub description: String,
    /// The interrupt's data, always *out*: `metadata["agui-rust/payload"]`.
    pub payload: Value,
    /// The resume entry's `payload`, always *in*.
    pub response: Value,
}

/// One of an agent's activities.
///
/// ```
/// use agui_runtime::manifest::{ActivityDef, ActivitySource, AgentSource, Manifest, TypeSource};
///
/// let content = TypeSource::of::<Vec<String>>();
/// let plan = ActivitySource { activity_type: "PLAN", description: "", content };
/// let chef = AgentSource { activities: vec![plan], ..AgentSource::new("chef") };
/// let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
/// let shown: &ActivityDef = &manifest.agents[0].activities[0];
/// assert_eq!((shown.activity_type.as_str(), &shown.content["type"]), ("PLAN", &"array".into()));
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ActivityDef {
    /// The `activityType` on the wire, unique within the agent.
    #[serde(rename = "type")]
    pub activity_type: String,
    /// The activity's meaning.
    pub description: String,
    /// The `content`, always *out*.
    pub content: Value,
}

/// The named types, sorted by key; each map has only the types reachable in that direction.
///
/// A type's key is the [`schema_id`](schemars::JsonSchema::schema_id), which contains the module path: types with the same name in
/// different modules or crates have different keys.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, EventSource, Manifest, TypeSource, TypesDef};
/// # use schemars::JsonSchema;
/// # use serde::Serialize;
///
/// /// How far the dish is.
/// #[derive(Serialize, JsonSchema)]
/// struct Progress {
///     percent: u8,
/// }
///
/// let progress = EventSource { name: "progress", description: "", value: TypeSource::of::<Progress>() };
/// let chef = AgentSource { events: vec![progress], ..AgentSource::new("chef") };
/// let TypesDef { out, input, .. } = Manifest::build("kitchen", "0.1.0", &[chef])?.types;
/// assert!(out.keys().all(|key| key.ends_with("Progress")) && input.is_empty(), "an agent only writes its events");
/// # Ok::<(), agui_runtime::manifest::ManifestError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TypesDef {
    /// The forms that the agent writes.
    pub out: Map<String, Value>,
    /// The forms that the agent reads.
    #[serde(rename = "in")]
    pub input: Map<String, Value>,
    /// The type names by key, for names that differ from the key's last segment; absent if there are none. [`Manifest::type_name`]
    /// returns any type's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
}

/// Two fingerprints, each `sha256-` and 64 hex digits.
///
/// ```
/// use agui_runtime::manifest::{AgentSource, HashDef, Manifest, ManifestError};
///
/// let hash = |description| -> Result<HashDef, ManifestError> {
///     let chef = AgentSource { description, ..AgentSource::new("chef") };
///     Ok(Manifest::build("kitchen", "0.1.0", &[chef])?.hash)
/// };
/// let (cooks, bakes) = (hash("Cooks.")?, hash("Bakes.")?);
/// assert!(cooks.wire == bakes.wire && cooks.full != bakes.full);
/// # Ok::<(), ManifestError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashDef {
    /// Changes if the JSON on the wire may change; ignores descriptions, titles, examples, versions and order.
    pub wire: String,
    /// Changes if anything in the manifest changes.
    pub full: String,
}
