//! The manifest as data.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::ToolSide;

/// The version of the manifest's own shape, written as `agui_manifest`.
pub const FORMAT: u64 = 1;

/// Everything a generator needs to know about the agents of one program.
///
/// Built by [`Manifest::build`](Manifest::build), written with [`Manifest::to_json`], read with
/// [`Manifest::from_json`]. Schemas are JSON Schema 2020-12 and refer to named types as `#/types/out/Name` and
/// `#/types/in/Name`.
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
    /// The version of this shape: [`FORMAT`].
    pub agui_manifest: u64,
    /// What built the manifest, name and version: `agui-runtime 0.1.0`.
    pub generator: String,
    /// The package whose program was asked.
    #[serde(rename = "crate")]
    pub krate: CrateDef,
    /// The agents, sorted by name.
    pub agents: Vec<AgentDef>,
    /// The named types, by direction.
    pub types: TypesDef,
    /// What the contents hash to.
    pub hash: HashDef,
}

/// A package: its name and version as in its `Cargo.toml`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CrateDef {
    /// The package name.
    pub name: String,
    /// The package version.
    pub version: String,
}

/// One agent of a [`Manifest`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgentDef {
    /// The agent's name, unique in the manifest.
    pub name: String,
    /// What the agent does.
    pub description: String,
    /// The version of the package that defines it.
    pub version: String,
    /// The Rust path of its type, for people to read.
    pub rust: String,
    /// The shared state; absent when the agent has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SchemaPair>,
    /// The tools, in the order the agent names them.
    pub tools: Vec<ToolDef>,
    /// The custom events, in the order the agent names them.
    pub events: Vec<EventDef>,
    /// The typed questions, in the order the agent names them; absent when it has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interrupts: Vec<InterruptDef>,
}

/// One type in both directions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemaPair {
    /// As the agent writes it.
    pub out: Value,
    /// As the agent reads it.
    #[serde(rename = "in")]
    pub input: Value,
}

/// One tool of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolDef {
    /// The name on the wire, unique in its agent.
    pub name: String,
    /// Which side runs it.
    pub side: ToolSide,
    /// What it does.
    pub description: String,
    /// The arguments, an object: `out` is what the user interface is shown, `in` what a model may send.
    pub params: SchemaPair,
    /// The answer; absent when the tool answers nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ResultDef>,
}

/// The answer of a tool, in the one direction it travels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultDef {
    /// The agent writes it: a backend tool.
    Out(Value),
    /// The agent reads it: a frontend tool.
    In(Value),
}

/// One custom event of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EventDef {
    /// The `CUSTOM.name` on the wire, unique in its agent.
    pub name: String,
    /// What it means.
    pub description: String,
    /// The `CUSTOM.value`, always *out*.
    pub value: Value,
}

/// One typed question of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InterruptDef {
    /// The `reason` on the wire, unique in its agent.
    pub reason: String,
    /// What a person is asked; absent when the user interface has to find words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What it means.
    pub description: String,
    /// What is asked, always *out*: `metadata["agui-rust/payload"]`.
    pub payload: Value,
    /// What is answered, always *in*: the `payload` of the entry in `resume`.
    pub response: Value,
}

/// The named types, sorted by name; each map holds what is reachable in its direction and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TypesDef {
    /// As the agent writes them.
    pub out: Map<String, Value>,
    /// As the agent reads them.
    #[serde(rename = "in")]
    pub input: Map<String, Value>,
}

/// Two fingerprints, each `sha256-` and 64 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashDef {
    /// Changes when the JSON that travels may change: blind to descriptions, titles, examples, versions and order.
    pub wire: String,
    /// Changes whenever anything in the manifest does.
    pub full: String,
}

impl Serialize for ToolSide {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Backend => "backend",
            Self::Frontend => "frontend",
        })
    }
}

impl<'de> Deserialize<'de> for ToolSide {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match String::deserialize(deserializer)?.as_str() {
            "backend" => Ok(Self::Backend),
            "frontend" => Ok(Self::Frontend),
            other => Err(serde::de::Error::unknown_variant(other, &["backend", "frontend"])),
        }
    }
}
