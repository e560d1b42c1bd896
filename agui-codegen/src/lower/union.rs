//! Lowers and simplifies alternatives: separates `null`, constants and nesting, and finds the member that distinguishes
//! the alternatives at run time.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::ir::{DocComment, EnumValue, LiteralValue, ObjectType, Type, TypeDecl, UnionType, UnionVariant};

/// Returns the simplest type for a choice between `variants`. [`tag`] finds the tag later, when all names are known.
pub(super) fn union(variants: Vec<UnionVariant>) -> Type {
    let mut nullable = false;
    let mut flat: Vec<UnionVariant> = Vec::new();
    for variant in variants {
        let plain = variant.doc == DocComment::default();
        match variant.ty {
            Type::Null => nullable = true,
            Type::Never => {}
            Type::Nullable(inner) => {
                nullable = true;
                flat.push(UnionVariant { ty: *inner, doc: variant.doc });
            }
            Type::Union(inner) if plain => flat.extend(inner.variants),
            ty => flat.push(UnionVariant { ty, doc: variant.doc }),
        }
    }
    let ty = match (flat.len(), enum_values(&flat)) {
        (0, _) => return if nullable { Type::Null } else { Type::Never },
        (1, _) if flat.iter().all(|variant| variant.doc == DocComment::default()) => {
            flat.pop().map_or(Type::Never, |variant| variant.ty)
        }
        (_, Some(values)) => Type::Enum(values),
        _ => Type::Union(UnionType { variants: flat, tag: None }),
    };
    match ty {
        Type::Any | Type::Nullable(_) => ty,
        ty if nullable => Type::Nullable(Box::new(ty)),
        ty => ty,
    }
}

/// Returns the string constants with their documentation, if all `variants` are string constants.
fn enum_values(variants: &[UnionVariant]) -> Option<Vec<EnumValue>> {
    let mut values = Vec::new();
    for variant in variants {
        match &variant.ty {
            Type::Literal(LiteralValue::String(value)) => {
                values.push(EnumValue { value: value.clone(), doc: variant.doc.clone() });
            }
            Type::Enum(inner) => values.extend(inner.iter().cloned()),
            _ => return None,
        }
    }
    Some(values)
}

/// Returns the member that has a different constant in every alternative: serde's `tag`.
pub(super) fn tag(union: &UnionType, types: &IndexMap<String, TypeDecl>) -> Option<String> {
    let mut each = union.variants.iter().map(|variant| constants(&variant.ty, types, &mut BTreeSet::new()));
    let first = each.next()?;
    let rest: Vec<_> = each.collect();
    let mut candidates = first.iter();
    candidates
        .find(|(name, value)| {
            let mut seen = BTreeSet::from([value.clone()]);
            rest.iter()
                .all(|fields| fields.iter().any(|(other, value)| other == name && seen.insert(value.clone())))
        })
        .map(|(name, _)| name.clone())
}

/// Returns an object's members that are always present with one constant value; `seen` contains the visited types.
fn constants(
    ty: &Type,
    types: &IndexMap<String, TypeDecl>,
    seen: &mut BTreeSet<String>,
) -> Vec<(String, String)> {
    match ty {
        Type::Object(ObjectType { fields, .. }) => fields
            .iter()
            .filter(|field| field.required)
            .filter_map(|field| match &field.ty {
                Type::Literal(LiteralValue::String(value)) => Some((field.name.clone(), value.clone())),
                _ => None,
            })
            .collect(),
        Type::Intersection(parts) => parts.iter().flat_map(|part| constants(part, types, seen)).collect(),
        Type::Ref(name) if seen.insert(name.clone()) => {
            types.get(name).map_or_else(Vec::new, |decl| constants(&decl.ty, types, seen))
        }
        _ => Vec::new(),
    }
}
