//! A custom event as data.

use proc_macro2::Span;
use syn::{DeriveInput, Ident};

use super::attr::EventAttr;
use crate::attr::{AttributeFlag, DocText};
use crate::carried::CarriedItem;
use crate::case::snake;

pub(super) struct EventModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) name: EventName,
    pub(super) reserved: Option<AttributeFlag>,
    pub(super) description: String,
    pub(super) carried: CarriedItem<'a>,
}

pub(super) enum EventName {
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
            Some(name) => EventName::Given { text: name.value(), span: name.span() },
            None => EventName::Prefixed(snake(&syn::ext::IdentExt::unraw(&input.ident).to_string())),
        };
        Self {
            ident: &input.ident,
            name,
            reserved: attr.reserved,
            description: DocText::from_attributes(&input.attrs).text,
            carried: CarriedItem::from_input(input),
        }
    }
}
