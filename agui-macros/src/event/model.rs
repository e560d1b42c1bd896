//! A custom event as data.

use proc_macro2::Span;
use syn::{DeriveInput, Ident};

use super::attr::EventAttr;
use crate::attr::{Docs, Flag};
use crate::carried::Carried;
use crate::case::snake;

pub(super) struct EventModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) name: Name,
    pub(super) reserved: Option<Flag>,
    pub(super) description: String,
    pub(super) carried: Carried<'a>,
}

pub(super) enum Name {
    /// The package's name, a dot, and this.
    Prefixed(String),
    Given {
        text: String,
        span: Span,
    },
}

impl<'a> EventModel<'a> {
    pub(super) fn from_syn(attr: &EventAttr, input: &'a DeriveInput) -> Self {
        let name = match &attr.name {
            Some(name) => Name::Given { text: name.value(), span: name.span() },
            None => Name::Prefixed(snake(&syn::ext::IdentExt::unraw(&input.ident).to_string())),
        };
        Self {
            ident: &input.ident,
            name,
            reserved: attr.reserved,
            description: Docs::of(&input.attrs).text,
            carried: Carried::of(input),
        }
    }
}
