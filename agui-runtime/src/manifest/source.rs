//! What an agent says about itself, before any schema is generated.
//!
//! `#[agent]`, `#[tool]`, `#[derive(CustomEvent)]` and `#[derive(Interrupt)]` write these values; [`Manifest`](super::Manifest) and the
//! capabilities route read them. Types are kept as functions, because the manifest runs every schema several times:
//! once per direction, and in two orders to find names that collide.

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::protocol::LazyJson;

/// A Rust type, as something that can describe itself to a schema generator.
///
/// ```
/// use agui_runtime::manifest::TypeSource;
/// use schemars::SchemaGenerator;
///
/// let text = TypeSource::of::<String>();
/// let schema = text.schema(&mut SchemaGenerator::default());
/// assert_eq!(schema.as_value()["type"], "string");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TypeSource {
    schema: fn(&mut SchemaGenerator) -> Schema,
    root: fn(SchemaGenerator) -> Schema,
    rust_path: fn() -> &'static str,
    /// Whether a value is one of the type, for types that clients send.
    read: Option<ReadFn>,
}

type ReadFn = fn(&LazyJson<Value>) -> Result<(), ReadError>;

type ReadError = serde_path_to_error::Error<serde_json::Error>;

impl TypeSource {
    /// The source of `T`.
    #[must_use]
    pub fn of<T: JsonSchema>() -> Self {
        Self {
            schema: |generator| generator.subschema_for::<T>(),
            root: SchemaGenerator::into_root_schema_for::<T>,
            rust_path: std::any::type_name::<T>,
            read: None,
        }
    }

    /// The source of a type whose values are looked at without knowing it.
    pub(crate) fn of_readable<T: JsonSchema + DeserializeOwned>() -> Self {
        Self { read: Some(|value| value.read::<T>().map(drop)), ..Self::of::<T>() }
    }

    /// Whether it is a value of the type, as far as that is known.
    pub(crate) fn read(&self, value: &LazyJson<Value>) -> Result<(), ReadError> {
        self.read.map_or(Ok(()), |read| read(value))
    }

    /// The schema of the type: a reference into the generator's definitions where the type has a name of its own.
    #[must_use]
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// A JSON Schema that stands alone, definitions included: what AG-UI calls a tool's `parameters`, and an interrupt's
    /// `responseSchema`. Without `format` on numbers: `uint32` and the like are no formats of JSON Schema, and some validators
    /// refuse what they do not know.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    ///
    /// let schema = TypeSource::of::<u8>().root_schema().to_value();
    /// assert_eq!((&schema["maximum"], schema.get("format")), (&255.into(), None));
    /// ```
    #[must_use]
    pub fn root_schema(&self) -> Schema {
        let plain = RecursiveTransform(remove_number_format);
        (self.root)(SchemaSettings::draft2020_12().for_deserialize().with_transform(plain).into_generator())
    }

    /// The path of the Rust type, for people to read. Not stable between compiler versions.
    #[must_use]
    pub fn rust_path(&self) -> &'static str {
        (self.rust_path)()
    }
}

fn remove_number_format(schema: &mut Schema) {
    let is_number = |kind: &Value| matches!(kind.as_str(), Some("integer" | "number"));
    let is_of_numbers = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().all(|kind| is_number(kind) || kind == "null"),
        kind => kind.is_some_and(is_number),
    };
    if is_of_numbers {
        schema.remove("format");
    }
}

/// On which side of the wire a tool runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolSide {
    /// In the agent: the call and its result travel in the same run.
    Backend,
    /// In the user interface: the run ends with the call pending, the next run brings the answer.
    Frontend,
}

/// A tool as `#[tool]` declares it.
#[derive(Clone, Debug)]
pub struct ToolSource {
    /// The name the model and the wire use.
    pub name: &'static str,
    /// What the tool does, from its doc comment.
    pub description: &'static str,
    /// Where it runs.
    pub side: ToolSide,
    /// The arguments, an object.
    pub arguments: TypeSource,
    /// What the tool answers; `None` when the answer is nothing (`()`).
    pub result: Option<TypeSource>,
}

/// A custom event as `#[derive(CustomEvent)]` declares it.
#[derive(Clone, Debug)]
pub struct EventSource {
    /// The `CUSTOM.name` on the wire.
    pub name: &'static str,
    /// What the event means, from its doc comment.
    pub description: &'static str,
    /// The `CUSTOM.value`.
    pub value: TypeSource,
}

/// A typed question as `#[derive(Interrupt)]` declares it.
#[derive(Clone, Debug)]
pub struct InterruptSource {
    /// The `reason` on the wire.
    pub reason: &'static str,
    /// What a person is asked, where the user interface has no words of its own.
    pub message: Option<&'static str>,
    /// What the question means, from its doc comment.
    pub description: &'static str,
    /// What is asked: `metadata["agui-rust/payload"]`.
    pub payload: TypeSource,
    /// What is answered: the `payload` of the entry in `resume`.
    pub response: TypeSource,
}

/// An agent as `#[agent]` declares it.
#[derive(Clone, Debug)]
pub struct AgentSource {
    /// The agent's name: the function's, or the type's in snake case.
    pub name: &'static str,
    /// What the agent does, from its doc comment.
    pub description: &'static str,
    /// The version of the package that defines it.
    pub version: &'static str,
    /// The Rust path of the agent's type, for people to read.
    pub rust_path: &'static str,
    /// The shared state; `None` when the agent has none (`()`).
    pub state: Option<TypeSource>,
    /// The tools it may call, backend and frontend, in the order they were named.
    pub tools: Vec<ToolSource>,
    /// The custom events it may send, in the order they were named.
    pub events: Vec<EventSource>,
    /// The questions it may ask, in the order they were named.
    pub interrupts: Vec<InterruptSource>,
}

impl AgentSource {
    /// An agent of that name that has nothing else yet: no description, no version, no types.
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
            events: Vec::new(),
            interrupts: Vec::new(),
        }
    }
}
