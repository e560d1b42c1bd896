//! An activity as data: the wire name, and the parts that cannot be a JSON object.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Fields, FieldsUnnamed, Generics, Ident, Type, Variant};

use super::attr::ActivityAttr;
use crate::attr::{DocText, SerdeAttrs, SerdeKey};
use crate::case::snake;

pub(super) struct ActivityModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) name: ActivityName,
    pub(super) description: String,
    /// Parts that serde does not write as an object.
    pub(super) not_an_object: Vec<NotAnObject<'a>>,
    /// True if serde alone decides the written form.
    pub(super) is_opaque: bool,
    /// Type behind the only field, where the struct is written as that field.
    pub(super) inner: Option<&'a Type>,
}

pub(super) enum ActivityName {
    /// A suffix: the wire name is the package's name, a dot, and this text.
    Prefixed(String),
    Given {
        text: String,
        span: Span,
    },
}

pub(super) enum NotAnObject<'a> {
    UnitStruct(&'a Ident),
    TupleStruct(&'a FieldsUnnamed),
    /// A unit variant in an enum without internal tags.
    UnitVariant(&'a Variant),
    /// `serde(into)` with a type that is known not to be an object.
    Into(SerdeKey),
}

impl<'a> ActivityModel<'a> {
    pub(super) fn from_syn(attr: &ActivityAttr, input: &'a DeriveInput) -> Self {
        let name = match &attr.name {
            Some(name) => ActivityName::Given { text: name.value(), span: name.span() },
            None => ActivityName::Prefixed(snake(&syn::ext::IdentExt::unraw(&input.ident).to_string())),
        };
        Self {
            ident: &input.ident,
            generics: &input.generics,
            name,
            description: DocText::from_attributes(&input.attrs).text,
            not_an_object: not_an_object(input),
            is_opaque: is_opaque(input),
            inner: inner(input),
        }
    }
}

/// Returns the field's type if the struct is written as that field.
fn inner(input: &DeriveInput) -> Option<&Type> {
    let Data::Struct(strukt) = &input.data else { return None };
    let is_transparent = SerdeAttrs::from_attributes(&input.attrs).serde(&["transparent"]).is_some();
    let mut fields = strukt.fields.iter();
    match &strukt.fields {
        Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed.first().map(|field| &field.ty),
        _ if is_transparent => fields
            .find(|field| {
                SerdeAttrs::from_attributes(&field.attrs).serde(&["skip", "skip_serializing"]).is_none()
            })
            .map(|field| &field.ty),
        _ => None,
    }
}

/// Returns true for `serde(into)`, and for `state(opaque)` on the type.
fn is_opaque(input: &DeriveInput) -> bool {
    let is_marked = |attr: &syn::Attribute| {
        let options = attr.path().is_ident("state").then(|| attr.meta.require_list());
        let options = options.and_then(Result::ok).map(|list| list.tokens.clone());
        options.into_iter().flatten().any(|tree| tree.to_string() == "opaque")
    };
    SerdeAttrs::from_attributes(&input.attrs).serde(&["into", "remote"]).is_some()
        || input.attrs.iter().any(is_marked)
}

/// Returns true for standard library types that are written as text, number or list.
fn is_written_otherwise(ty: &str) -> bool {
    const OTHERS: [&str; 25] = [
        "String",
        "char",
        "bool",
        "u8",
        "u16",
        "u32",
        "u64",
        "u128",
        "usize",
        "i8",
        "i16",
        "i32",
        "i64",
        "i128",
        "isize",
        "f32",
        "f64",
        "Vec",
        "VecDeque",
        "HashSet",
        "BTreeSet",
        "PathBuf",
        "IpAddr",
        "SocketAddr",
        "NonZeroU32",
    ];
    match syn::parse_str::<Type>(ty) {
        Ok(Type::Path(path)) => {
            path.path.segments.last().is_some_and(|last| OTHERS.iter().any(|other| last.ident == other))
        }
        Ok(Type::Tuple(_) | Type::Array(_) | Type::Slice(_)) => true,
        _ => false,
    }
}

/// Only the spelling counts here; the compiler checks the rest, and what serde alone writes is checked as a value.
fn not_an_object(input: &DeriveInput) -> Vec<NotAnObject<'_>> {
    let serde = SerdeAttrs::from_attributes(&input.attrs);
    if let Some(key) = serde.serde(&["into"])
        && key.text().is_some_and(|ty| is_written_otherwise(&ty.value()))
    {
        return vec![NotAnObject::Into(key.clone())];
    }
    if serde.serde(&["into", "remote", "tag"]).is_some() {
        return Vec::new();
    }
    match &input.data {
        Data::Struct(strukt) => match &strukt.fields {
            Fields::Unit => vec![NotAnObject::UnitStruct(&input.ident)],
            Fields::Unnamed(fields) if fields.unnamed.len() != 1 => vec![NotAnObject::TupleStruct(fields)],
            Fields::Unnamed(_) | Fields::Named(_) => Vec::new(),
        },
        Data::Enum(enum_) => enum_
            .variants
            .iter()
            .filter(|variant| matches!(variant.fields, Fields::Unit))
            .map(NotAnObject::UnitVariant)
            .collect(),
        Data::Union(_) => Vec::new(),
    }
}
