//! Object shapes: the objects that an intersection of alternatives expands to.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::ir::{
    AdditionalProperties, DocComment, EnumValue, LiteralValue, ObjectField, ObjectType, Type, TypeDecl,
};
use crate::names::pascal;

/// The maximum number of combinations. Beyond the limit, one class accepts all combinations.
const COMBINATIONS: usize = 16;

/// The maximum length for a reference chain. Only a cycle goes deeper.
const DEPTH: usize = 32;

/// One object shape.
#[derive(Clone, Debug)]
pub(in crate::emit) struct ObjectShape {
    pub(in crate::emit) fields: Vec<ObjectField>,
    pub(in crate::emit) extra: AdditionalProperties,
    /// The part of the shape's name that differs from sibling shapes.
    pub(in crate::emit) suffix: String,
    pub(in crate::emit) doc: DocComment,
}

/// A search for object shapes among an agent's named types.
pub(in crate::emit) struct ShapeFinder<'a> {
    pub(in crate::emit) types: &'a IndexMap<String, TypeDecl>,
}

impl ShapeFinder<'_> {
    /// Returns the shapes of the object type `ty`; `None` if there are too many shapes, or `ty` is not an
    /// object.
    pub(in crate::emit) fn find(&self, ty: &Type, depth: usize) -> Option<Vec<ObjectShape>> {
        let shapes = match ty {
            Type::Object(object) => vec![ObjectShape {
                fields: object.fields.clone(),
                extra: object.extra.clone(),
                suffix: String::new(),
                doc: DocComment::default(),
            }],
            Type::Ref(name) if depth < DEPTH => self.find(&self.types.get(name)?.ty, depth + 1)?,
            Type::Union(union) => {
                let mut all = Vec::new();
                for (index, variant) in union.variants.iter().enumerate() {
                    let own = suffix(&variant.ty, union.tag.as_deref(), index);
                    for shape in self.find(&variant.ty, depth)? {
                        let doc = if variant.doc == DocComment::default() {
                            shape.doc.clone()
                        } else {
                            variant.doc.clone()
                        };
                        all.push(ObjectShape { suffix: format!("{own}{}", shape.suffix), doc, ..shape });
                    }
                }
                all
            }
            Type::Intersection(parts) => {
                let mut all = vec![ObjectShape {
                    fields: Vec::new(),
                    extra: AdditionalProperties::Open,
                    suffix: String::new(),
                    doc: DocComment::default(),
                }];
                for part in parts {
                    let shapes = self.find(part, depth)?;
                    all = all.iter().flat_map(|one| shapes.iter().map(|other| both(one, other))).collect();
                    if all.len() > COMBINATIONS {
                        return None;
                    }
                }
                all
            }
            _ => return None,
        };
        (shapes.len() <= COMBINATIONS).then_some(shapes)
    }

    /// Returns one object that accepts the values from every combination.
    pub(in crate::emit) fn loosened(&self, ty: &Type, depth: usize) -> ObjectType {
        match ty {
            Type::Object(object) => object.clone(),
            Type::Union(union) => {
                let mut each = union.variants.iter().map(|variant| self.loosened(&variant.ty, depth));
                let first = each.next().unwrap_or_else(nothing);
                each.fold(first, either)
            }
            Type::Intersection(parts) => parts.iter().fold(nothing(), |mut object, part| {
                let part = self.loosened(part, depth);
                if part.extra != AdditionalProperties::Open {
                    object.extra = part.extra;
                }
                for field in part.fields {
                    if !object.fields.iter().any(|known| known.name == field.name) {
                        object.fields.push(field);
                    }
                }
                object
            }),
            Type::Ref(name) if depth < DEPTH => {
                self.types.get(name).map_or_else(nothing, |decl| self.loosened(&decl.ty, depth + 1))
            }
            _ => nothing(),
        }
    }
}

/// Returns an object without constraints.
fn nothing() -> ObjectType {
    ObjectType { fields: Vec::new(), extra: AdditionalProperties::Open }
}

/// Returns an object that accepts the values of both objects.
fn either(mut one: ObjectType, other: ObjectType) -> ObjectType {
    for field in &mut one.fields {
        match other.fields.iter().find(|known| known.name == field.name) {
            None => field.required = false,
            Some(known) => {
                field.required &= known.required;
                if field.ty != known.ty {
                    field.ty = either_constant(&field.ty, &known.ty).unwrap_or(Type::Any);
                }
            }
        }
    }
    for field in other.fields {
        if !one.fields.iter().any(|known| known.name == field.name) {
            one.fields.push(ObjectField { required: false, ..field });
        }
    }
    one
}

fn either_constant(one: &Type, other: &Type) -> Option<Type> {
    let mut values = Vec::new();
    for ty in [one, other] {
        match ty {
            Type::Literal(LiteralValue::String(value)) => {
                values.push(EnumValue { value: value.clone(), doc: DocComment::default() });
            }
            Type::Enum(more) => values.extend(more.iter().cloned()),
            _ => return None,
        }
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.value.clone()));
    Some(Type::Enum(values))
}

/// Combines the members and constraints from both shapes.
fn both(one: &ObjectShape, other: &ObjectShape) -> ObjectShape {
    let mut fields = one.fields.clone();
    for field in &other.fields {
        if !fields.iter().any(|known| known.name == field.name) {
            fields.push(field.clone());
        }
    }
    let extra = if one.extra == AdditionalProperties::Open { other.extra.clone() } else { one.extra.clone() };
    let doc = if one.doc == DocComment::default() { other.doc.clone() } else { one.doc.clone() };
    ObjectShape { fields, extra, suffix: format!("{}{}", one.suffix, other.suffix), doc }
}

/// Returns the suffix for an alternative's name: the alternative's tag, only member, or number.
pub(in crate::emit) fn suffix(ty: &Type, tag: Option<&str>, index: usize) -> String {
    let numbered = format!("Variant{}", index + 1);
    let named = match ty {
        Type::Object(object) => match object.fields.as_slice() {
            // In the externally tagged representation, the only member names the variant. A flattened variant
            // is an open object.
            [only] if tag.is_none() && only.required && constant(only).is_none() => Some(only.name.clone()),
            fields => fields
                .iter()
                .filter(|field| tag.is_none_or(|tag| field.name == tag))
                .find_map(constant)
                .map(str::to_owned),
        },
        Type::Intersection(parts) if tag.is_some() => {
            return parts
                .iter()
                .map(|part| suffix(part, tag, index))
                .find(|name| *name != numbered)
                .unwrap_or(numbered);
        }
        _ => None,
    };
    named.map(|name| pascal(&name)).filter(|name| !name.is_empty()).unwrap_or(numbered)
}

/// Returns a member's constant string.
fn constant(field: &ObjectField) -> Option<&str> {
    match &field.ty {
        Type::Literal(LiteralValue::String(value)) if field.required => Some(value),
        _ => None,
    }
}

/// Returns the member that has a different constant in each shape.
pub(in crate::emit) fn tag(shapes: &[ObjectShape]) -> Option<String> {
    let (first, rest) = shapes.split_first().filter(|(_, rest)| !rest.is_empty())?;
    let candidates = first.fields.iter().filter_map(|field| Some((&field.name, constant(field)?)));
    let mut found = candidates.filter(|(name, value)| {
        let mut seen = BTreeSet::from([*value]);
        rest.iter().all(|shape| {
            shape
                .fields
                .iter()
                .any(|field| field.name == **name && constant(field).is_some_and(|value| seen.insert(value)))
        })
    });
    found.next().map(|(name, _)| name.clone())
}
