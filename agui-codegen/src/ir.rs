//! The representation between the manifest and the languages: every name is resolved, every direction decided.
//!
//! Nothing here is JSON Schema any more, and nothing belongs to one language. If an emitter has to look into the
//! manifest, [`lower`](mod@crate::lower) lacks a decision.

mod agent;
mod catalog;
mod integer;
mod object;
mod options;
mod types;
mod visit;
mod warnings;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

pub use agent::{ActivityDecl, AgentDecl, EventDecl, InterruptDecl, StateDecl, ToolDecl};
pub use catalog::{CatalogDecl, CatalogFunctionDecl, ComponentDecl, SurfacePart};
pub(crate) use integer::SizedInteger;
pub use object::{AdditionalProperties, ObjectField, ObjectType, UnionType, UnionVariant};
pub use options::{OutputOptions, PythonEnum, PythonFormats, PythonStyle, ReactPackage, ZodVersion};
pub use types::{
    ArrayType, DocComment, EnumValue, LiteralValue, MapKey, MapType, NumberBounds, StringType, Type, TypeDecl,
};

/// The complete input for the emitters.
///
/// ```
/// use agui_codegen::ir::{ApiDecl, ReactPackage};
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let mut api: ApiDecl = lower(&manifest)?;
/// api.options.react = Some(ReactPackage::V2);
/// let files = LANGUAGES[0].emit(&api);
/// assert!(files.iter().any(|file| file.text.contains("@copilotkit/react-core/v2")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ApiDecl {
    /// The origin, for each file's header.
    pub origin: FileOrigin,
    /// The agents, sorted by name.
    pub agents: Vec<AgentDecl>,
    /// Warnings for the user, except those from the next two members; [`all_warnings`](Self::all_warnings) returns all
    /// warnings.
    pub warnings: Vec<String>,
    /// The paths to integers that a JavaScript number may round.
    pub wide_integers: Vec<String>,
    /// The keywords that JSON Schema does not define, each with the schemas that use the keyword.
    pub ignored_keywords: BTreeMap<String, BTreeSet<String>>,
    /// The output options.
    pub options: OutputOptions,
}

/// The generated files' origin.
///
/// ```
/// use agui_codegen::ir::FileOrigin;
/// use agui_codegen::lower::lower;
/// # use agui_codegen::LANGUAGES;
/// # use agui_runtime::manifest::{AgentSource, Manifest};
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource::new("chef")])?;
///
/// let mut api = lower(&manifest)?;
/// api.origin = FileOrigin { command: "just types".to_owned(), ..api.origin };
/// assert!(LANGUAGES[0].emit(&api)[0].text.contains("Regenerate: just types"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOrigin {
    /// The package name.
    pub krate: String,
    /// The package version.
    pub version: String,
    /// The command that regenerates the files; [`lower`](crate::lower::lower) sets the command for a package that has
    /// an `agui-codegen.toml`.
    pub command: String,
}

/// A type where a value travels, and the schema that describes the value there.
///
/// ```
/// use agui_codegen::ir::{Type, TypeSlot};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// let slot: &TypeSlot = api.agents[0].slots().next().expect("the chef has a state");
/// assert_eq!(slot.ty, Type::Ref("Dish".to_owned()));
/// assert_eq!(slot.schema["$ref"], "#/$defs/Dish");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TypeSlot {
    /// The type.
    pub ty: Type,
    /// The schema; the path `#/$defs/Name` refers to the agent's definitions.
    pub schema: Value,
    /// The direction whose definitions the schema refers to.
    pub direction: ValueDirection,
}

/// A value's direction, seen from the agent.
///
/// ```
/// use agui_codegen::ir::ValueDirection;
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, EventSource, Manifest, TypeSource};
/// # let ready = EventSource { name: "ready", description: "", value: TypeSource::of::<bool>() };
/// # let chef = AgentSource { events: vec![ready], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// let api = lower(&manifest)?;
/// assert_eq!(api.agents[0].events[0].value.direction, ValueDirection::Out, "an agent never reads its events");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueDirection {
    /// The agent writes the value.
    Out,
    /// The agent reads the value.
    In,
}
