//! A typed interrupt as data.

use syn::{DeriveInput, Ident, Type};

use super::attr::InterruptAttr;
use crate::attr::DocText;
use crate::carried::CarriedItem;
use crate::spelling::{borrowed, peeled};

pub(super) struct InterruptModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) attr: InterruptAttr,
    pub(super) description: String,
    pub(super) carried: CarriedItem<'a>,
}

impl<'a> InterruptModel<'a> {
    pub(super) fn from_syn(attr: InterruptAttr, input: &'a DeriveInput) -> Self {
        Self {
            ident: &input.ident,
            attr,
            description: DocText::from_attributes(&input.attrs).text,
            carried: CarriedItem::from_input(input),
        }
    }

    /// The response type, where it can be read: a type that borrows cannot.
    pub(super) fn owned_response(&self) -> Option<&Type> {
        let owned = |ty: &&Type| borrowed(ty).is_none() && !matches!(peeled(ty), Type::Reference(_));
        self.attr.response.as_ref().filter(owned)
    }
}
