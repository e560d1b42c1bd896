//! An activity as data: its name on the wire, and the parts of it that cannot be a JSON object.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Fields, FieldsUnnamed, Generics, Ident, Variant};

use super::attr::ActivityAttr;
use crate::attr::{Docs, SerdeAttrs};
use crate::case::snake;

pub(super) struct ActivityModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) name: Name,
    pub(super) description: String,
    /// The parts that serde does not write as an object.
    pub(super) not_an_object: Vec<NotAnObject<'a>>,
}

pub(super) enum Name {
    /// The package's name, a dot, and this.
    Prefixed(String),
    Given {
        text: String,
        span: Span,
    },
}

pub(super) enum NotAnObject<'a> {
    UnitStruct(&'a Ident),
    TupleStruct(&'a FieldsUnnamed),
    /// A unit variant of an enum whose variants are not tagged inside.
    UnitVariant(&'a Variant),
}

impl<'a> ActivityModel<'a> {
    pub(super) fn from_syn(attr: &ActivityAttr, input: &'a DeriveInput) -> Self {
        let name = match &attr.name {
            Some(name) => Name::Given { text: name.value(), span: name.span() },
            None => Name::Prefixed(snake(&syn::ext::IdentExt::unraw(&input.ident).to_string())),
        };
        Self {
            ident: &input.ident,
            generics: &input.generics,
            name,
            description: Docs::of(&input.attrs).text,
            not_an_object: not_an_object(input),
        }
    }
}

/// Only the spelling counts here; the rest is checked when the value is written.
fn not_an_object(input: &DeriveInput) -> Vec<NotAnObject<'_>> {
    let serde = SerdeAttrs::of(&input.attrs);
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
