//! The declarations of agents, before any schema is generated.
//!
//! `#[agent]`, `#[tool]` and the derives of events, activities and interrupts write these values;
//! [`Manifest`](super::Manifest) and the capabilities route read them. Types are kept as functions, because
//! building a manifest runs every schema several times: once per direction, and in two orders to find names
//! that collide.

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform as _};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::SizedInteger;
use super::schema::decoded;
use crate::protocol::{LazyJson, ReadError, ToolAnnotations, ToolSide};

/// A Rust type that can describe itself to a schema generator.
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
    name: fn() -> Cow<'static, str>,
    is_inline: fn() -> bool,
    rust_path: fn() -> &'static str,
    /// Checks that a value can be read as the type; only for types that clients send.
    read: Option<ReadFn>,
    /// Checks a text as the arguments of a tool.
    check: Option<CheckFn>,
}

type CheckFn = fn(&str) -> Result<(), String>;

type ReadFn = fn(&LazyJson<Value>) -> Result<(), ReadError>;

impl TypeSource {
    /// Returns the source of `T`.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    /// use schemars::SchemaGenerator;
    ///
    /// let schema = TypeSource::of::<bool>().schema(&mut SchemaGenerator::default());
    /// assert_eq!(schema.as_value()["type"], "boolean");
    /// ```
    #[must_use]
    pub const fn of<T: JsonSchema>() -> Self {
        Self {
            schema: SchemaGenerator::subschema_for::<T>,
            name: T::schema_name,
            is_inline: T::inline_schema,
            rust_path: std::any::type_name::<T>,
            read: None,
            check: None,
        }
    }

    /// Returns the source of a type whose values can be checked without knowing the type.
    pub(crate) fn of_readable<T: JsonSchema + DeserializeOwned>() -> Self {
        Self { read: Some(|value| value.read::<T>().map(drop)), ..Self::of::<T>() }
    }

    /// Adds the check of a text as the arguments of a tool.
    pub(crate) const fn checked_by(self, check: CheckFn) -> Self {
        Self { check: Some(check), ..self }
    }

    /// Checks a text as the arguments of a tool; always `Ok` for a type that is not checked.
    pub(crate) fn check_arguments(&self, text: &str) -> Result<(), String> {
        self.check.map_or(Ok(()), |check| check(text))
    }

    /// Checks that `value` can be read as the type; always `Ok` for a type from [`Self::of`].
    pub(crate) fn read(&self, value: &LazyJson<Value>) -> Result<(), ReadError> {
        self.read.map_or(Ok(()), |read| read(value))
    }

    /// Returns the schema of the type: a reference into the generator's definitions if the type has a name.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    /// use schemars::SchemaGenerator;
    ///
    /// let schema = TypeSource::of::<bool>().schema(&mut SchemaGenerator::default());
    /// assert_eq!(schema.as_value()["type"], "boolean");
    /// ```
    #[must_use]
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// Returns a JSON Schema that stands alone, definitions included: AG-UI's `parameters` of a tool and
    /// `responseSchema` of an interrupt. Numbers have no `format`, because `uint32` and the like are not
    /// formats of JSON Schema, and some validators refuse unknown formats. Integers of up to 32 bits have the bounds of
    /// their type instead. Larger integers lack the bounds that only their format states, because many readers of JSON
    /// round numbers of that size; serde refuses a value outside of the type.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    ///
    /// let schema = TypeSource::of::<u32>().root_schema().to_value();
    /// assert_eq!((&schema["maximum"], schema.get("format")), (&u32::MAX.into(), None));
    /// ```
    #[must_use]
    pub fn root_schema(&self) -> Schema {
        self.root(SchemaSettings::draft2020_12().for_deserialize())
    }

    /// Returns the schema as [`root_schema`](Self::root_schema) does, of the values that the agent writes: those of a
    /// result, in which serde may use other names and leave out other members.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    ///
    /// /// A price.
    /// #[derive(Serialize, Deserialize, JsonSchema)]
    /// struct Price {
    ///     #[serde(default)]
    ///     cents: u32,
    /// }
    ///
    /// let price = TypeSource::of::<Price>();
    /// assert_eq!(price.written_schema().as_value()["required"][0], "cents");
    /// assert_eq!(price.root_schema().get("required"), None);
    /// ```
    #[must_use]
    pub fn written_schema(&self) -> Schema {
        self.root(SchemaSettings::draft2020_12().for_serialize())
    }

    fn root(&self, settings: SchemaSettings) -> Schema {
        let mut schema = self.unmodified_root(settings);
        RecursiveTransform(replace_number_format).transform(&mut schema);
        schema
    }

    /// Returns the JSON Schema with the formats of numbers, which bound them.
    pub(crate) fn formatted_schema(&self) -> Value {
        self.unmodified_root(SchemaSettings::draft2020_12().for_deserialize()).to_value()
    }

    /// Does what [`SchemaGenerator::into_root_schema_for`] does, without the type: a program has many types, and each
    /// would compile a copy of that.
    fn unmodified_root(&self, settings: SchemaSettings) -> Schema {
        let mut generator = settings.into_generator();
        let mut schema = (self.schema)(&mut generator);
        let mut definitions = generator.take_definitions(false);
        if !(self.is_inline)() {
            take_up(&mut schema, &mut definitions);
        }
        let object = schema.ensure_object();
        object.entry("title").or_insert_with(|| (self.name)().into());
        if let Some(meta_schema) = &generator.settings().meta_schema {
            object.insert("$schema".into(), meta_schema.as_ref().into());
        }
        if !definitions.is_empty() {
            object.insert("$defs".into(), definitions.into());
        }
        schema
    }

    /// Returns the path of the Rust type, for people to read. Not stable between compiler versions.
    ///
    /// ```
    /// use agui_runtime::manifest::TypeSource;
    ///
    /// assert_eq!(TypeSource::of::<u8>().rust_path(), "u8");
    /// ```
    #[must_use]
    pub fn rust_path(&self) -> &'static str {
        (self.rust_path)()
    }
}

/// Replaces a reference by its definition, and the references to that by `#`.
fn take_up(schema: &mut Schema, definitions: &mut Map<String, Value>) {
    let Some(reference) = schema.get("$ref").and_then(Value::as_str).map(str::to_owned) else { return };
    let name = reference.strip_prefix("#/$defs/").and_then(decoded);
    let Some(name) = name.map(Cow::into_owned) else { return };
    let Some(Ok(definition)) = definitions.get(&name).cloned().map(Schema::try_from) else { return };
    // The others keep their order.
    definitions.retain(|other, _| *other != name);
    *schema = definition;
    let mut to_root = RecursiveTransform(|schema: &mut Schema| {
        if schema.get("$ref").is_some_and(|to| *to == reference) {
            schema.insert("$ref".to_owned(), "#".into());
        }
    });
    to_root.transform(schema);
    for definition in definitions.values_mut() {
        if let Ok(definition) = definition.try_into() {
            to_root.transform(definition);
        }
    }
}

/// Replaces the format of numbers by the bounds that only it states.
fn replace_number_format(schema: &mut Schema) {
    let is_number = |kind: &Value| matches!(kind.as_str(), Some("integer" | "number"));
    let is_of_numbers = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().all(|kind| is_number(kind) || kind == "null"),
        kind => kind.is_some_and(is_number),
    };
    if !is_of_numbers {
        return;
    }
    let format = schema.remove("format");
    let integer = format.as_ref().and_then(Value::as_str).and_then(SizedInteger::of);
    let Some(integer) = integer.filter(|integer| integer.bits <= 32) else { return };
    let (least, greatest) = (i64::try_from(integer.least()), u64::try_from(integer.greatest()));
    let bounds = [
        ("minimum", "exclusiveMinimum", least.ok().map(Value::from)),
        ("maximum", "exclusiveMaximum", greatest.ok().map(Value::from)),
    ];
    for (keyword, exclusive, bound) in bounds {
        if let Some(bound) = bound.filter(|_| schema.get(exclusive).is_none()) {
            schema.ensure_object().entry(keyword).or_insert(bound);
        }
    }
}

/// A tool as `#[tool]` declares it.
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
    /// The name the model and the wire use.
    pub name: &'static str,
    /// The purpose of the tool, from its doc comment.
    pub description: &'static str,
    /// The side that runs it.
    pub side: ToolSide,
    /// True if the user is asked before a call runs.
    pub approval: bool,
    /// The title, and the hints about its behaviour.
    pub annotations: ToolAnnotations,
    /// The arguments, an object.
    pub arguments: TypeSource,
    /// The type of the result; `None` if the tool returns `()`.
    pub result: Option<TypeSource>,
}

/// A custom event as `#[derive(CustomEvent)]` declares it.
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
    /// The meaning of the event, from its doc comment.
    pub description: &'static str,
    /// The `CUSTOM.value`.
    pub value: TypeSource,
}

/// An activity as `#[derive(Activity)]` declares it.
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
    /// The meaning of the activity, from its doc comment.
    pub description: &'static str,
    /// The `content`, an object.
    pub content: TypeSource,
}

/// A typed interrupt as `#[derive(Interrupt)]` declares it.
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
    /// The question for the user, for a user interface that has no words of its own.
    pub message: Option<&'static str>,
    /// The meaning of the interrupt, from its doc comment.
    pub description: &'static str,
    /// The data of the question: `metadata["agui-rust/payload"]`.
    pub payload: TypeSource,
    /// The answer: the `payload` of the entry in `resume`.
    pub response: TypeSource,
}

/// An agent as `#[agent]` declares it.
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
    /// The agent's name: that of the function, or that of the type in snake case.
    pub name: &'static str,
    /// The purpose of the agent, from its doc comment.
    pub description: &'static str,
    /// The version of the package that defines it.
    pub version: &'static str,
    /// The Rust path of the agent's type, for people to read.
    pub rust_path: &'static str,
    /// The shared state; `None` if the agent has none (`()`).
    pub state: Option<TypeSource>,
    /// The tools that the agent may call, backend and frontend, in the order of the declaration.
    pub tools: Vec<ToolSource>,
    /// The custom events that the agent may send, in the order of the declaration.
    pub events: Vec<EventSource>,
    /// The interrupts that the agent may raise, in the order of the declaration.
    pub interrupts: Vec<InterruptSource>,
    /// The activities that the agent may show, in the order of the declaration.
    pub activities: Vec<ActivitySource>,
    /// The result of a successful run; `None` if there is none (`()`).
    pub output: Option<TypeSource>,
    /// The `forwardedProps` that the agent reads; `None` if it declares none.
    pub forwarded: Option<TypeSource>,
    /// The agents that the model may call or hand over to.
    pub subagents: Vec<fn() -> AgentSource>,
}

impl AgentSource {
    /// Creates an agent with that name and nothing else: no description, no version, no types.
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
            activities: Vec::new(),
            output: None,
            forwarded: None,
            subagents: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use schemars::json_schema;

    use super::*;

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Tree {
        leaf: Option<Leaf>,
        branches: Vec<Tree>,
        again: Option<Box<Tree>>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Leaf {
        of: Box<Tree>,
        size: u8,
    }

    /// The title stands.
    #[derive(JsonSchema)]
    #[schemars(title = "Branch of a tree/~")]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Branch(Leaf);

    #[derive(JsonSchema)]
    #[schemars(rename = "Page of/~%T")]
    #[expect(dead_code, reason = "only its schema is read")]
    struct Page<T> {
        items: Vec<T>,
        next: Option<Box<Page<T>>>,
    }

    struct Alias;

    impl JsonSchema for Alias {
        fn schema_name() -> Cow<'static, str> {
            "Alias".into()
        }

        fn inline_schema() -> bool {
            true
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            generator.subschema_for::<Leaf>()
        }
    }

    struct Anything;

    impl JsonSchema for Anything {
        fn schema_name() -> Cow<'static, str> {
            "Anything".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!(true)
        }
    }

    fn is_as_schemars_makes_it<T: JsonSchema>() {
        let settings = SchemaSettings::draft2020_12();
        for settings in [settings.clone().for_deserialize(), settings.for_serialize()] {
            let expected = settings.clone().into_generator().into_root_schema_for::<T>().to_value();
            let ours = TypeSource::of::<T>().unmodified_root(settings).to_value();
            assert_eq!(ours.to_string(), expected.to_string(), "also in the order of the members");
        }
    }

    #[test]
    fn a_root_is_what_schemars_makes_of_the_type() {
        is_as_schemars_makes_it::<Tree>();
        is_as_schemars_makes_it::<Leaf>();
        is_as_schemars_makes_it::<Branch>();
        is_as_schemars_makes_it::<Page<Tree>>();
        is_as_schemars_makes_it::<Box<Page<Leaf>>>();
        is_as_schemars_makes_it::<Alias>();
        is_as_schemars_makes_it::<Anything>();
        is_as_schemars_makes_it::<Option<Tree>>();
        is_as_schemars_makes_it::<Vec<Leaf>>();
        is_as_schemars_makes_it::<String>();
        is_as_schemars_makes_it::<()>();
    }
}
