//! The attributes inside a type.

use syn::{Attribute, Data};

/// The attributes of everything inside the type, where options of the type have no place.
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
