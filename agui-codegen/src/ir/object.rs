//! Objects with declared members, and unions.

use super::{DocComment, Type};

/// An object whose keys are declared names.
///
/// ```
/// use agui_codegen::ir::{AdditionalProperties, ObjectType, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish { name: String, hot: Option<bool> }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // struct Dish { name: String, hot: Option<bool> }
/// let api = lower(&manifest)?;
/// let Type::Object(ObjectType { fields, extra }) = &api.agents[0].types["Dish"].ty else { panic!("no object") };
/// assert_eq!((fields[0].name.as_str(), fields[1].name.as_str()), ("name", "hot"));
/// assert_eq!(extra, &AdditionalProperties::Open);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectType {
    /// The members, in Rust field order.
    pub fields: Vec<ObjectField>,
    /// The rule for undeclared members.
    pub extra: AdditionalProperties,
}

/// A member of an [`ObjectType`].
///
/// ```
/// use agui_codegen::ir::{ObjectField, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, EventSource, Manifest, TypeSource};
/// # /// Hidden.
/// # #[derive(schemars::JsonSchema)]
/// # struct Dish {
/// #     /// As on the menu.
/// #     name: String,
/// # }
/// # let served = EventSource { name: "served", description: "", value: TypeSource::of::<Dish>() };
/// # let chef = AgentSource { events: vec![served], ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // struct Dish {
/// //     /// As on the menu.
/// //     name: String,
/// // }
/// let api = lower(&manifest)?;
/// let Type::Object(dish) = &api.agents[0].types["Dish"].ty else { panic!("no object") };
/// let ObjectField { name, required, doc, .. } = &dish.fields[0];
/// assert_eq!((name.as_str(), *required, doc.description.as_deref()), ("name", true, Some("As on the menu.")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectField {
    /// The name on the wire.
    pub name: String,
    /// The member's type.
    pub ty: Type,
    /// True if the member is always present.
    pub required: bool,
    /// The documentation.
    pub doc: DocComment,
}

/// The members that an [`ObjectType`] may have besides the declared fields.
///
/// ```
/// use agui_codegen::ir::{AdditionalProperties, Type};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema, serde::Deserialize)]
/// # #[serde(deny_unknown_fields)]
/// # struct Dish { name: String }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Dish>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // #[serde(deny_unknown_fields)]
/// // struct Dish { name: String }
/// let api = lower(&manifest)?;
/// let is_closed = |ty: &Type| matches!(ty, Type::Object(object) if object.extra == AdditionalProperties::Closed);
/// assert!(api.agents[0].types.values().any(|decl| is_closed(&decl.ty)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum AdditionalProperties {
    /// Unknown members, which have no meaning.
    Open,
    /// No other members.
    Closed,
    /// Data members with this value type.
    Typed(Box<Type>),
}

/// A choice between several types.
///
/// ```
/// use agui_codegen::ir::{Type, UnionType};
/// use agui_codegen::lower::lower;
/// # use agui_runtime::manifest::{AgentSource, Manifest, TypeSource};
/// # #[derive(schemars::JsonSchema, serde::Serialize)]
/// # #[serde(tag = "kind")]
/// # enum Step { Cook { minutes: u8 }, Serve }
/// # let chef = AgentSource { state: Some(TypeSource::of::<Step>()), ..AgentSource::new("chef") };
/// # let manifest = Manifest::build("kitchen", "0.1.0", &[chef])?;
///
/// // #[serde(tag = "kind")]
/// // enum Step { Cook { minutes: u8 }, Serve }
/// let api = lower(&manifest)?;
/// let Type::Union(UnionType { variants, tag }) = &api.agents[0].types["Step"].ty else { panic!("no union") };
/// assert_eq!((variants.len(), tag.as_deref()), (2, Some("kind")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UnionType {
    /// The alternatives, in Rust variant order.
    pub variants: Vec<UnionVariant>,
    /// The member whose constant distinguishes the alternatives, if there is such a member.
    pub tag: Option<String>,
}

/// An alternative of a [`UnionType`].
///
/// ```
/// use agui_codegen::ir::{DocComment, Type, UnionType, UnionVariant};
///
/// let alternative = |ty| UnionVariant { ty, doc: DocComment::default() };
/// let either = UnionType { variants: vec![alternative(Type::Bool), alternative(Type::Null)], tag: None };
/// assert_eq!(either.variants[0].ty, Type::Bool);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct UnionVariant {
    /// The type.
    pub ty: Type,
    /// The documentation.
    pub doc: DocComment,
}
