//! Types that are merged with other types.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{AgentDecl, Type};

/// Returns the named types that are part of an intersection, directly or as an alternative.
pub(super) fn merged(agent: &AgentDecl) -> BTreeSet<String> {
    let mut due: Vec<&Type> = Vec::new();
    for decl in agent.types.values() {
        decl.ty.each(&mut |ty| {
            if let Type::Intersection(parts) = ty {
                due.extend(parts);
            }
        });
    }
    let types: BTreeMap<&str, &Type> =
        agent.types.values().map(|decl| (decl.name.as_str(), &decl.ty)).collect();
    let mut merged = BTreeSet::new();
    while let Some(ty) = due.pop() {
        match ty {
            Type::Ref(name) if merged.insert(name.clone()) => due.extend(types.get(name.as_str()).copied()),
            Type::Nullable(inner) => due.push(inner),
            Type::Union(union) => due.extend(union.variants.iter().map(|variant| &variant.ty)),
            _ => {}
        }
    }
    merged
}
