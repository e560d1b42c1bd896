//! Attributes inside a type.

use syn::{Attribute, Data};

/// Attributes on everything inside the type, where type options have no place.
pub(crate) fn inner_attrs(data: &Data) -> Vec<&[Attribute]> {
    match data {
        Data::Struct(strukt) => strukt.fields.iter().map(|field| field.attrs.as_slice()).collect(),
        Data::Enum(enum_) => enum_
            .variants
            .iter()
            .flat_map(|variant| {
                std::iter::once(variant.attrs.as_slice())
                    .chain(variant.fields.iter().map(|field| field.attrs.as_slice()))
            })
            .collect(),
        Data::Union(union) => union.fields.named.iter().map(|field| field.attrs.as_slice()).collect(),
    }
}
