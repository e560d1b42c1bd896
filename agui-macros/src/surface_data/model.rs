//! A surface's data as data: each field with its name in JSON.

use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, Generics, Ident, Type, Visibility};

use crate::attr::{RenameRule, SerdeAttrs, SerdeKey};

pub(super) struct DataModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) vis: &'a Visibility,
    pub(super) generics: &'a Generics,
    /// `None` for everything but a struct with named fields.
    pub(super) fields: Option<Vec<FieldModel<'a>>>,
    /// Options on the type that write another form than the fields.
    pub(super) other_form: Option<SerdeKey>,
}

pub(super) struct FieldModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) ty: &'a Type,
    /// The name in JSON.
    pub(super) name: String,
    /// Options on the field that write another form than the field's type.
    pub(super) other_form: Option<SerdeKey>,
}

impl<'a> DataModel<'a> {
    pub(super) fn from_syn(input: &'a DeriveInput) -> Self {
        let serde = SerdeAttrs::from_attributes(&input.attrs);
        let rule = serde.serde(&["rename_all"]).and_then(SerdeKey::text);
        let rule = rule.and_then(|rule| RenameRule::of(&rule.value()));
        let fields = match &input.data {
            Data::Struct(strukt) => match &strukt.fields {
                Fields::Named(fields) => {
                    Some(fields.named.iter().filter_map(|field| FieldModel::from_syn(field, rule)).collect())
                }
                Fields::Unnamed(_) | Fields::Unit => None,
            },
            Data::Enum(_) | Data::Union(_) => None,
        };
        Self {
            ident: &input.ident,
            vis: &input.vis,
            generics: &input.generics,
            fields,
            other_form: serde.serde(&["into", "remote", "transparent", "tag"]).cloned(),
        }
    }
}

impl<'a> FieldModel<'a> {
    /// `None` for a field that serde does not write: components cannot show it.
    fn from_syn(field: &'a syn::Field, rule: Option<RenameRule>) -> Option<Self> {
        let serde = SerdeAttrs::from_attributes(&field.attrs);
        if serde.serde(&["skip", "skip_serializing"]).is_some() {
            return None;
        }
        let ident = field.ident.as_ref()?;
        let plain = ident.unraw().to_string();
        let name = match serde.serde(&["rename"]).and_then(SerdeKey::text) {
            Some(name) => name.value(),
            None => rule.map_or_else(|| plain.clone(), |rule| rule.field(&plain)),
        };
        let other_form = serde.serde(&["flatten", "with", "serialize_with", "getter"]).cloned();
        Some(Self { ident, ty: &field.ty, name, other_form })
    }
}
