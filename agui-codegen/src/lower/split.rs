//! Which types need two declarations because the agent reads them differently than it writes them.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Doc, Type};

/// The named types of one direction, as lowered.
pub(super) type Lowered = BTreeMap<String, (Type, Doc)>;

/// The names reachable from `roots`.
pub(super) fn reachable<'a>(roots: impl Iterator<Item = &'a Type>, types: &Lowered) -> BTreeSet<String> {
    let mut due: Vec<String> = Vec::new();
    for root in roots {
        root.each_ref(&mut |name| due.push(name.to_owned()));
    }
    let mut seen = BTreeSet::new();
    while let Some(name) = due.pop() {
        if let Some((ty, _)) = types.get(&name).filter(|_| !seen.contains(&name)) {
            ty.each_ref(&mut |inner| due.push(inner.to_owned()));
        }
        seen.insert(name);
    }
    seen
}

/// The names of `both` directions whose types differ, closed over references: a type differs when one it holds does.
pub(super) fn differing(both: &BTreeSet<String>, out: &Lowered, input: &Lowered) -> BTreeSet<String> {
    let mut differing: BTreeSet<String> = both
        .iter()
        .filter(|name| match (out.get(*name), input.get(*name)) {
            (Some((a, _)), Some((b, _))) => without_docs(a) != without_docs(b),
            _ => false,
        })
        .cloned()
        .collect();
    loop {
        let more: Vec<String> = both
            .iter()
            .filter(|name| !differing.contains(*name))
            .filter(|name| out.get(*name).is_some_and(|(ty, _)| refers_to(ty, &differing)))
            .cloned()
            .collect();
        if more.is_empty() {
            return differing;
        }
        differing.extend(more);
    }
}

fn refers_to(ty: &Type, names: &BTreeSet<String>) -> bool {
    let mut found = false;
    ty.each_ref(&mut |name| found |= names.contains(name));
    found
}

/// `ty` as far as values go.
pub(super) fn without_docs(ty: &Type) -> Type {
    let mut ty = ty.clone();
    ty.each_mut(&mut |inner| match inner {
        Type::Object(object) => object.fields.iter_mut().for_each(|field| field.doc = Doc::default()),
        Type::Union(union) => union.variants.iter_mut().for_each(|variant| variant.doc = Doc::default()),
        Type::Enum(values) => values.iter_mut().for_each(|value| value.doc = Doc::default()),
        _ => {}
    });
    ty
}
