//! Finds the types that need two declarations because the agent reads one form and writes another.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{DocComment, Type};

/// The lowered types for one direction, by name.
pub(super) type LoweredTypes = BTreeMap<String, (Type, DocComment)>;

/// Returns the names reachable from `roots`.
pub(super) fn reachable<'a>(roots: impl Iterator<Item = &'a Type>, types: &LoweredTypes) -> BTreeSet<String> {
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

/// Returns the names in `both` whose types differ between the directions, closed over references: a type differs if a
/// part differs.
pub(super) fn differing(
    both: &BTreeSet<String>,
    out: &LoweredTypes,
    input: &LoweredTypes,
) -> BTreeSet<String> {
    let mut due = Vec::new();
    let mut holders: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for name in both {
        let (Some((written, _)), Some((read, _))) = (out.get(name), input.get(name)) else { continue };
        if written != read && without_docs(written) != without_docs(read) {
            due.push(name);
        }
        written.each_ref(&mut |inner| holders.entry(inner.to_owned()).or_default().push(name));
    }
    let mut differing = BTreeSet::new();
    while let Some(name) = due.pop() {
        if differing.insert(name.clone()) {
            due.extend(holders.get(name).into_iter().flatten());
        }
    }
    differing
}

/// Returns `ty` without documentation, which does not change the set of values.
pub(super) fn without_docs(ty: &Type) -> Type {
    let mut ty = ty.clone();
    ty.each_mut(&mut |inner| match inner {
        Type::Object(object) => object.fields.iter_mut().for_each(|field| field.doc = DocComment::default()),
        Type::Union(union) => {
            union.variants.iter_mut().for_each(|variant| variant.doc = DocComment::default());
        }
        Type::Enum(values) => values.iter_mut().for_each(|value| value.doc = DocComment::default()),
        _ => {}
    });
    ty
}
