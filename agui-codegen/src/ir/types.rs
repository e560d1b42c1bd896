//! Types, each a set of JSON values.

use serde_json::{Number, Value};

use super::{ObjectType, SurfacePart, UnionType};

/// A named type.
///
/// ```
/// use agui_codegen::ir::TypeDecl;
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Part { parts: Vec<Part> }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Part>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // struct Part { parts: Vec<Part> }
/// let api = lower(&manifest)?;
/// let part: &TypeDecl = &api.agents[0].types["Part"];
/// assert!(part.name == "Part" && part.recursive);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TypeDecl {
    /// The name, a valid identifier.
    pub name: String,
    /// The type's key in the manifest, which contains the module path; `None` for a type that has no name in Rust.
    pub path: Option<String>,
    /// The documentation.
    pub doc: DocComment,
    /// The definition.
    pub ty: Type,
    /// True if the type contains itself, directly or through other types.
    pub recursive: bool,
}

/// A type: a set of JSON values.
///
/// ```
/// use agui_codegen::ir::{StringType, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let chef = AgentSource { state: Some(TypeSource::of::<Option<String>>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // An agent whose state is an `Option<String>`.
/// let api = lower(&manifest)?;
/// let state = api.agents[0].slots().next().expect("the chef has a state");
/// assert_eq!(state.ty, Type::Nullable(Box::new(Type::String(StringType::default()))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// Any JSON value.
    Any,
    /// No value.
    Never,
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Integer(NumberBounds),
    /// A number.
    Number(NumberBounds),
    /// A string.
    String(StringType),
    /// A single constant value.
    Literal(LiteralValue),
    /// A choice between several strings.
    Enum(Vec<EnumValue>),
    /// A list.
    Array(Box<ArrayType>),
    /// A list with a type for each position.
    Tuple(Vec<Type>),
    /// An object whose keys are data.
    Map(Box<MapType>),
    /// An object whose keys are declared names.
    Object(ObjectType),
    /// The type or `null`.
    Nullable(Box<Type>),
    /// A choice between at least two types; `null` is not among them.
    Union(UnionType),
    /// An intersection of at least two types, each an object or a union with object alternatives.
    Intersection(Vec<Type>),
    /// The named type.
    Ref(String),
    /// A part of a surface that the page's code sees. Only catalogs have such parts.
    Surface(SurfacePart),
}

/// A number range.
///
/// ```
/// use agui_codegen::ir::{NumberBounds, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let chef = AgentSource { state: Some(TypeSource::of::<u8>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // An agent whose state is a `u8`.
/// let api = lower(&manifest)?;
/// let state = api.agents[0].slots().next().expect("the chef has a state");
/// let Type::Integer(NumberBounds { format, minimum, maximum, .. }) = &state.ty else { panic!("{state:?}") };
/// assert_eq!((format.as_deref(), minimum, maximum), (Some("uint8"), &Some(0.into()), &Some(255.into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NumberBounds {
    /// The Rust type where schemars names the type: `uint8`, `int64`, `double`, …
    pub format: Option<String>,
    /// The smallest value.
    pub minimum: Option<Number>,
    /// The largest value.
    pub maximum: Option<Number>,
    /// The exclusive lower bound.
    pub above: Option<Number>,
    /// The exclusive upper bound.
    pub below: Option<Number>,
    /// The number that every value is a multiple of.
    pub step: Option<Number>,
}

/// String constraints.
///
/// ```
/// use agui_codegen::ir::{StringType, Type};
///
/// let day = Type::String(StringType { format: Some("date".to_owned()), ..StringType::default() });
/// assert_ne!(day, Type::String(StringType::default()));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StringType {
    /// The format, if there is one: `uuid`, `date-time`, `uri`, …
    pub format: Option<String>,
    /// The minimum number of characters.
    pub min: Option<u64>,
    /// The maximum number of characters.
    pub max: Option<u64>,
    /// The regular expression that the string must match.
    pub pattern: Option<String>,
}

/// A constant.
///
/// ```
/// use agui_codegen::ir::{LiteralValue, Type};
///
/// let version = Type::Literal(LiteralValue::Integer(1));
/// assert_ne!(version, Type::Literal(LiteralValue::String("1".to_owned())));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum LiteralValue {
    /// A string.
    String(String),
    /// A whole number.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
}

/// A string in [`Type::Enum`].
///
/// ```
/// use agui_codegen::ir::{EnumValue, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # enum Status { Open, Done }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Status>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // enum Status { Open, Done }
/// let api = lower(&manifest)?;
/// let Type::Enum(values) = &api.agents[0].types["Status"].ty else { panic!("no enum") };
/// let first: &EnumValue = &values[0];
/// assert_eq!(first.value, "Open");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct EnumValue {
    /// The string.
    pub value: String,
    /// The documentation.
    pub doc: DocComment,
}

/// A list, with length limits.
///
/// ```
/// use agui_codegen::ir::{ArrayType, Type};
///
/// let pair = Type::Array(Box::new(ArrayType { item: Type::Bool, min: Some(2), max: Some(2) }));
/// let mut types = Vec::new();
/// pair.each(&mut |ty| types.push(ty.clone()));
/// assert_eq!(types, [pair, Type::Bool]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayType {
    /// The item type.
    pub item: Type,
    /// The minimum number of items.
    pub min: Option<u64>,
    /// The maximum number of items.
    pub max: Option<u64>,
}

/// An object whose keys are data.
///
/// ```
/// use agui_codegen::ir::{MapKey, MapType, Type};
/// use agui_codegen::lower::lower;
/// # use std::collections::BTreeMap;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let state = TypeSource::of::<BTreeMap<String, bool>>();
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource { state: Some(state), ..AgentSource::new("chef") }])?;
///
/// // An agent whose state is a `BTreeMap<String, bool>`.
/// let api = lower(&manifest)?;
/// let state = api.agents[0].slots().next().expect("the chef has a state");
/// assert_eq!(state.ty, Type::Map(Box::new(MapType { key: MapKey::String, value: Type::Bool })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MapType {
    /// The keys.
    pub key: MapKey,
    /// The values.
    pub value: Type,
}

/// The key kind in a [`MapType`].
///
/// ```
/// use agui_codegen::ir::{MapKey, Type};
/// use agui_codegen::lower::lower;
/// # use std::collections::BTreeMap;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # let state = TypeSource::of::<BTreeMap<i32, bool>>();
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[AgentSource { state: Some(state), ..AgentSource::new("chef") }])?;
///
/// // An agent whose state is a `BTreeMap<i32, bool>`.
/// let api = lower(&manifest)?;
/// let state = api.agents[0].slots().next().expect("the chef has a state");
/// let Type::Map(map) = &state.ty else { panic!("{state:?}") };
/// assert_eq!(map.key, MapKey::Integer { signed: true });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKey {
    /// Any string.
    String,
    /// A whole number, written as a string.
    Integer {
        /// True if the number may be negative.
        signed: bool,
    },
}

/// The documentation for a type or a member.
///
/// ```
/// use agui_codegen::ir::DocComment;
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, EventSource, Manifest, TypeSource};
/// # /// A dish on the menu.
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String }
/// # let served = EventSource { name: "served", description: "", value: TypeSource::of::<Dish>() };
/// # let chef = AgentSource { events: vec![served], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // /// A dish on the menu.
/// // struct Dish { name: String }
/// let api = lower(&manifest)?;
/// let doc: &DocComment = &api.agents[0].types["Dish"].doc;
/// assert_eq!(doc.description.as_deref(), Some("A dish on the menu."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DocComment {
    /// The doc comment.
    pub description: Option<String>,
    /// The value that an absent member stands for.
    pub default: Option<Value>,
    /// True if the type or member should not be used any more.
    pub deprecated: bool,
}
