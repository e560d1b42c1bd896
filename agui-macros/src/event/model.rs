//! A custom event as data.

use proc_macro2::Span;
use syn::{Data, DeriveInput, Generics, Ident, Token};

use super::attr::EventAttr;
use crate::attr::{Docs, Flag, SerdeAttrs};
use crate::case::snake;

pub(super) struct EventModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) name: Name,
    pub(super) reserved: Option<Flag>,
    pub(super) description: String,
    pub(super) fields: Vec<FieldModel>,
    /// What makes it a type that has no JSON.
    pub(super) union: Option<&'a Token![union]>,
}

pub(super) enum Name {
    /// The package's name, a dot, and this.
    Prefixed(String),
    Given {
        text: String,
        span: Span,
    },
}

pub(super) struct FieldModel {
    pub(super) serde: SerdeAttrs,
}

impl<'a> EventModel<'a> {
    pub(super) fn from_syn(attr: &EventAttr, input: &'a DeriveInput) -> Self {
        let name = match &attr.name {
            Some(name) => Name::Given { text: name.value(), span: name.span() },
            None => Name::Prefixed(snake(&syn::ext::IdentExt::unraw(&input.ident).to_string())),
        };
        let (fields, union): (Vec<_>, _) = match &input.data {
            Data::Struct(strukt) => (strukt.fields.iter().collect(), None),
            Data::Enum(enum_) => (enum_.variants.iter().flat_map(|variant| &variant.fields).collect(), None),
            Data::Union(union) => (Vec::new(), Some(&union.union_token)),
        };
        Self {
            ident: &input.ident,
            generics: &input.generics,
            name,
            reserved: attr.reserved,
            description: Docs::of(&input.attrs).text,
            fields: fields
                .into_iter()
                .map(|field| FieldModel { serde: SerdeAttrs::of(&field.attrs) })
                .collect(),
            union,
        }
    }
}
