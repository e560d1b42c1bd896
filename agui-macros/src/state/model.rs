//! A state type as data: which parts of it are compared, and what may be a map's key.

use syn::visit::{self, Visit};
use syn::{Data, DeriveInput, Fields, Generics, Ident, Token, Type, TypeParam};

use super::attr::{Attrs, KeyAttr, StateAttr};
use crate::attr::{Flag, SerdeAttrs};

pub(super) struct StateModel<'a> {
    pub(super) ident: &'a Ident,
    pub(super) generics: &'a Generics,
    pub(super) serde: SerdeAttrs,
    pub(super) opaque: Option<Flag>,
    pub(super) fields: Vec<FieldModel<'a>>,
    pub(super) shape: Shape<'a>,
}

pub(super) enum Shape<'a> {
    Struct,
    /// A struct around one field, which serde writes as that field.
    Newtype,
    Enum {
        variants: Vec<VariantModel<'a>>,
    },
    Union(&'a Token![union]),
}

pub(super) struct VariantModel<'a> {
    pub(super) fields: &'a Fields,
    pub(super) serde: SerdeAttrs,
}

pub(super) struct FieldModel<'a> {
    pub(super) ty: &'a Type,
    pub(super) owner: Owner,
    pub(super) serde: SerdeAttrs,
    pub(super) opaque: Option<Flag>,
    pub(super) key: Option<KeyAttr>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    NamedStruct,
    TupleStruct,
    Variant,
}

impl<'a> StateModel<'a> {
    pub(super) fn from_syn(attrs: Attrs, input: &'a DeriveInput) -> Self {
        let syn_fields: Vec<(Owner, &syn::Field)> = match &input.data {
            Data::Struct(strukt) => {
                let owner = match strukt.fields {
                    Fields::Named(_) => Owner::NamedStruct,
                    Fields::Unnamed(_) | Fields::Unit => Owner::TupleStruct,
                };
                strukt.fields.iter().map(|field| (owner, field)).collect()
            }
            Data::Enum(enum_) => enum_
                .variants
                .iter()
                .flat_map(|variant| &variant.fields)
                .map(|field| (Owner::Variant, field))
                .collect(),
            Data::Union(_) => Vec::new(),
        };
        let fields = syn_fields
            .into_iter()
            .zip(attrs.on_fields)
            .map(|((owner, field), attr)| FieldModel::from_syn(owner, field, attr))
            .collect();
        let shape = match &input.data {
            Data::Struct(strukt) if matches!(&strukt.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1) => {
                Shape::Newtype
            }
            Data::Struct(_) => Shape::Struct,
            Data::Enum(enum_) => Shape::Enum {
                variants: enum_
                    .variants
                    .iter()
                    .map(|variant| VariantModel {
                        fields: &variant.fields,
                        serde: SerdeAttrs::of(&variant.attrs),
                    })
                    .collect(),
            },
            Data::Union(union) => Shape::Union(&union.union_token),
        };
        Self {
            ident: &input.ident,
            generics: &input.generics,
            serde: SerdeAttrs::of(&input.attrs),
            opaque: attrs.on_type.opaque,
            fields,
            shape,
        }
    }

    /// The fields that must be states themselves.
    pub(super) fn compared(&self) -> impl Iterator<Item = &FieldModel<'a>> {
        self.fields.iter().filter(|field| self.opaque.is_none() && field.is_compared())
    }

    /// The type parameters that some compared field is made of.
    pub(super) fn compared_params(&self) -> Vec<&'a TypeParam> {
        let mut used = Used { names: Vec::new() };
        self.compared().for_each(|field| used.visit_type(field.ty));
        self.generics.type_params().filter(|param| used.names.contains(&&param.ident)).collect()
    }

    /// Whether every value is written as a string, so that it can be the name of a member.
    pub(super) fn is_unit_enum(&self) -> bool {
        let Shape::Enum { variants } = &self.shape else { return false };
        self.is_plainly_written()
            && self.serde.serde(&["tag", "untagged"]).is_none()
            && !variants.is_empty()
            && variants.iter().all(|variant| {
                variant.fields.is_empty()
                    && matches!(variant.fields, Fields::Unit)
                    && variant.serde.serde(&["untagged", "with", "serialize_with"]).is_none()
            })
    }

    /// The field of a struct that is written as that field is.
    pub(super) fn newtype_of(&self) -> Option<&FieldModel<'a>> {
        match (&self.shape, self.fields.as_slice()) {
            (Shape::Newtype, [field]) if self.is_plainly_written() && field.is_compared() => Some(field),
            _ => None,
        }
    }

    fn is_plainly_written(&self) -> bool {
        self.opaque.is_none() && self.serde.serde(&["into", "remote"]).is_none()
    }
}

impl<'a> FieldModel<'a> {
    fn from_syn(owner: Owner, field: &'a syn::Field, attr: StateAttr) -> Self {
        Self { ty: &field.ty, owner, serde: SerdeAttrs::of(&field.attrs), opaque: attr.opaque, key: attr.key }
    }

    fn is_compared(&self) -> bool {
        self.opaque.is_none() && !self.is_skipped()
    }

    /// Whether it is no part of the JSON.
    pub(super) fn is_skipped(&self) -> bool {
        self.serde.serde(&["skip", "skip_serializing"]).is_some()
    }
}

struct Used<'a> {
    names: Vec<&'a Ident>,
}

impl<'a> Visit<'a> for Used<'a> {
    fn visit_path(&mut self, path: &'a syn::Path) {
        self.names.extend(path.get_ident());
        visit::visit_path(self, path);
    }
}
