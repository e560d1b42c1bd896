//! The representation between the manifest and the languages: every name resolved, every direction decided.
//!
//! Nothing here is JSON Schema any more, and nothing belongs to one language. What an emitter has to ask the manifest
//! is a decision missing in [`lower`](mod@crate::lower).

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use serde_json::{Map, Number, Value};

/// Everything the emitters print.
#[derive(Clone, Debug, PartialEq)]
pub struct Api {
    /// Where it comes from: what the header of each file says.
    pub origin: Origin,
    /// The agents, sorted by name.
    pub agents: Vec<AgentDecl>,
    /// What is worth telling the person who generates.
    pub warnings: Vec<String>,
    /// The places of integers that a JavaScript number may round; each has a warning.
    pub wide_integers: Vec<String>,
    /// What is printed besides what always is.
    pub options: Options,
}

/// What is printed besides what always is; nothing, unless somebody asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Hooks of CopilotKit, in TypeScript.
    pub react: Option<React>,
    /// Schemas of Zod, in TypeScript.
    pub zod: Option<Zod>,
    /// One module for each agent in TypeScript, with nothing beside it but what needs other packages.
    pub single_file: bool,
    /// The texts and numbers that TypeScript tells from other texts and numbers, by the name they have in the generated
    /// code: where [`rename`](crate::choose::rename) gave another, that one.
    pub brand: BTreeSet<String>,
    /// What a text of a format is called in TypeScript: `uuid`, `Uuid`.
    pub formats: BTreeMap<String, String>,
    /// What an object is in Python.
    pub python_style: PythonStyle,
    /// What a type of texts is in Python.
    pub python_enum: PythonEnum,
}

/// Which Zod.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zod {
    /// `zod/v3`.
    V3,
    /// `zod/v4`.
    V4,
}

/// What an object is in Python.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonStyle {
    /// A model of pydantic, which checks, and a client that uses it.
    #[default]
    Pydantic,
    /// A `TypedDict`: for type checkers alone, without any package.
    TypedDict,
}

/// What a type of texts is in Python.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PythonEnum {
    /// `Literal["open", "done"]`.
    #[default]
    Literal,
    /// A class that is an `Enum` and a `str`.
    StrEnum,
}

/// Whose hooks those are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum React {
    /// `@copilotkit/react-core`.
    V1,
    /// `@copilotkit/react-core/v2`.
    V2,
}

/// Where the generated files come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The package.
    pub krate: String,
    /// Its version.
    pub version: String,
    /// What to type to generate them again; [`lower`](crate::lower::lower) says it for a package that has an
    /// `agui-codegen.toml`.
    pub command: String,
}

/// One agent.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDecl {
    /// The name on the wire.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The version of the package that defines it.
    pub version: String,
    /// The manifest's wire hash.
    pub wire: String,
    /// The shared state.
    pub state: Option<StateDecl>,
    /// The tools, as the agent lists them.
    pub tools: Vec<ToolDecl>,
    /// The custom events, as the agent lists them.
    pub events: Vec<EventDecl>,
    /// The named types this agent needs, sorted by name.
    pub types: IndexMap<String, TypeDecl>,
    /// The schemas of the named types the agent writes, refering to each other as `#/$defs/Name`.
    pub out_schemas: Map<String, Value>,
    /// The schemas of the named types the agent reads.
    pub in_schemas: Map<String, Value>,
}

/// The shared state in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct StateDecl {
    /// What the agent writes.
    pub out: Slot,
    /// What it reads.
    pub input: Slot,
}

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolDecl {
    /// The name on the wire.
    pub name: String,
    /// Whether the user interface runs it.
    pub frontend: bool,
    /// What it does.
    pub description: String,
    /// The arguments as the user interface sees them, an object.
    pub params: Slot,
    /// The schema of the arguments as a model may send them, complete in itself.
    pub accepts: Value,
    /// The answer; `None` when there is none.
    pub result: Option<Slot>,
}

/// One custom event.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDecl {
    /// The name on the wire.
    pub name: String,
    /// What it means.
    pub description: String,
    /// Its value.
    pub value: Slot,
}

/// A type in a place, and the schema that describes it there.
#[derive(Clone, Debug, PartialEq)]
pub struct Slot {
    /// The type.
    pub ty: Type,
    /// The schema; it refers to the agent's definitions as `#/$defs/Name`.
    pub schema: Value,
    /// Whose definitions those are.
    pub direction: Direction,
}

/// Which way a value travels, seen from the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The agent writes it.
    Out,
    /// The agent reads it.
    In,
}

/// A named type.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// The name, an identifier.
    pub name: String,
    /// What it is.
    pub doc: Doc,
    /// What it is made of.
    pub ty: Type,
    /// Whether it contains itself, directly or through others.
    pub recursive: bool,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any JSON value.
    Any,
    /// No value at all.
    Never,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer(Bounds),
    /// A number.
    Number(Bounds),
    /// A text.
    String(Text),
    /// One value.
    Literal(Literal),
    /// One of several texts.
    Enum(Vec<EnumValue>),
    /// A list.
    Array(Box<ArrayType>),
    /// A list with a type for each place.
    Tuple(Vec<Type>),
    /// An object whose keys are data.
    Map(Box<MapType>),
    /// An object whose keys are names.
    Object(Object),
    /// The type or `null`.
    Nullable(Box<Type>),
    /// One of several types, at least two, none of them `null`.
    Union(Union),
    /// All of several types at once, at least two, each an object or a union of objects.
    Intersection(Vec<Type>),
    /// The named type.
    Ref(String),
}

/// What a number may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The Rust type where schemars names it: `uint8`, `int64`, `double`, …
    pub format: Option<String>,
    /// The smallest value.
    pub minimum: Option<Number>,
    /// The largest value.
    pub maximum: Option<Number>,
    /// What it is greater than.
    pub above: Option<Number>,
    /// What it is less than.
    pub below: Option<Number>,
    /// What it is a multiple of.
    pub step: Option<Number>,
}

/// What a text may be.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Text {
    /// The format where one is named: `uuid`, `date-time`, `uri`, …
    pub format: Option<String>,
    /// The least number of characters.
    pub min: Option<u64>,
    /// The greatest number of characters.
    pub max: Option<u64>,
    /// The regular expression that matches in it.
    pub pattern: Option<String>,
}

/// A value written out.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// A text.
    String(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
}

/// One of the texts of [`Type::Enum`].
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The text.
    pub value: String,
    /// What it means.
    pub doc: Doc,
}

/// A list and how long it may be.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayType {
    /// What it lists.
    pub item: Type,
    /// The least number of items.
    pub min: Option<u64>,
    /// The greatest number of items.
    pub max: Option<u64>,
}

/// An object whose keys are data.
#[derive(Clone, Debug, PartialEq)]
pub struct MapType {
    /// The keys.
    pub key: MapKey,
    /// The values.
    pub value: Type,
}

/// The keys of a [`MapType`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKey {
    /// Any text.
    String,
    /// A whole number, written as text.
    Integer {
        /// Whether it may be negative.
        signed: bool,
    },
}

/// An object whose keys are names.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The members, in the order of the Rust fields.
    pub fields: Vec<Field>,
    /// What other members there may be.
    pub extra: Extra,
}

/// A member of an [`Object`].
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name on the wire.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it is always there.
    pub required: bool,
    /// What it is.
    pub doc: Doc,
}

/// What members an [`Object`] may have besides its fields.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// Unknown ones, that mean nothing.
    Open,
    /// None.
    Closed,
    /// Ones of this type, that are data.
    Typed(Box<Type>),
}

/// One of several types.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The alternatives, in the order of the Rust variants.
    pub variants: Vec<Variant>,
    /// The member whose text tells the alternatives apart, where there is one.
    pub tag: Option<String>,
}

/// An alternative of a [`Union`].
#[derive(Clone, Debug, PartialEq)]
pub struct Variant {
    /// The type.
    pub ty: Type,
    /// What it means.
    pub doc: Doc,
}

/// What there is to say about a type or a member.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Doc {
    /// The doc comment.
    pub description: Option<String>,
    /// The value when absent.
    pub default: Option<Value>,
    /// Whether it should not be used any more.
    pub deprecated: bool,
}

impl Type {
    /// Calls `visit` with every named type inside.
    pub fn each_ref(&self, visit: &mut dyn FnMut(&str)) {
        self.each(&mut |ty| {
            if let Self::Ref(name) = ty {
                visit(name);
            }
        });
    }

    /// Calls `visit` with this type and every type inside.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each(visit),
            Self::Tuple(items) | Self::Intersection(items) => items.iter().for_each(|item| item.each(visit)),
            Self::Map(map) => map.value.each(visit),
            Self::Object(object) => {
                object.fields.iter().for_each(|field| field.ty.each(visit));
                if let Extra::Typed(extra) = &object.extra {
                    extra.each(visit);
                }
            }
            Self::Nullable(inner) => inner.each(visit),
            Self::Union(union) => union.variants.iter().for_each(|variant| variant.ty.each(visit)),
            _ => {}
        }
    }

    /// Calls `visit` with this type and every type inside, in the order of [`each`](Self::each), to change them.
    pub fn each_mut(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Array(array) => array.item.each_mut(visit),
            Self::Tuple(items) | Self::Intersection(items) => {
                items.iter_mut().for_each(|item| item.each_mut(visit));
            }
            Self::Map(map) => map.value.each_mut(visit),
            Self::Object(object) => {
                object.fields.iter_mut().for_each(|field| field.ty.each_mut(visit));
                if let Extra::Typed(extra) = &mut object.extra {
                    extra.each_mut(visit);
                }
            }
            Self::Nullable(inner) => inner.each_mut(visit),
            Self::Union(union) => union.variants.iter_mut().for_each(|variant| variant.ty.each_mut(visit)),
            _ => {}
        }
    }
}
