//! One agent's type declarations.

use std::collections::BTreeMap;

use indexmap::IndexMap;

use super::super::cycle::cyclic;
use super::super::problem::SchemaProblem;
use super::super::union::tag;
use super::super::{LoweredDirections, LoweringReport};
use super::names::ManifestNames;
use super::needed_types::NeededTypes;
use crate::ir::{Type, TypeDecl, ValueDirection};
use crate::names::NameClaims;

#[derive(Default)]
pub(super) struct TypeDeclarations {
    types: BTreeMap<String, TypeDecl>,
    claims: NameClaims,
}

impl TypeDeclarations {
    /// Declares the named types; a type that is equal in both directions is declared once.
    pub(super) fn new(
        needed: &NeededTypes,
        names: &ManifestNames,
        directions: &LoweredDirections<'_>,
        report: &mut LoweringReport,
    ) -> Self {
        let mut declarations = Self::default();
        let both = needed.both();
        for (all, direction) in [(&needed.out, ValueDirection::Out), (&needed.input, ValueDirection::In)] {
            for name in all {
                let shared =
                    direction == ValueDirection::In && both.contains(name) && !names.split.contains(name);
                if let Some((ty, doc)) = directions.direction(direction).types.get(name).filter(|_| !shared) {
                    let decl = TypeDecl {
                        name: names.name(name, direction),
                        path: directions.paths.get(name).cloned(),
                        doc: doc.clone(),
                        ty: names.rename(ty.clone(), direction),
                        recursive: false,
                    };
                    declarations.add(decl, &format!("type `{name}`"), report);
                }
            }
        }
        declarations
    }

    /// Adds a type; messages call the type `owner`.
    pub(super) fn add(&mut self, decl: TypeDecl, owner: &str, report: &mut LoweringReport) {
        let name = decl.name.clone();
        if let Err(first) = self.claims.claim(&name, owner) {
            report.problem(SchemaProblem {
                owner: owner.to_owned(),
                path: String::new(),
                message: format!(
                    "would be generated as `{name}`, as {first} is; rename one with `#[schemars(rename = \"…\")]`"
                ),
            });
        }
        self.types.insert(name, decl);
    }

    /// Returns all types, with union tags and with recursive types marked.
    pub(super) fn finish(self, report: &mut LoweringReport) -> IndexMap<String, TypeDecl> {
        let mut types: IndexMap<String, TypeDecl> = self.types.into_iter().collect();
        let recursive = cyclic(&types, Type::each_ref);
        let bare = cyclic(&types, each_bare_ref);
        let mut tags = Vec::new();
        for decl in types.values() {
            decl.ty.each(&mut |inner| {
                if let Type::Union(union) = inner {
                    tags.push(tag(union, &types));
                }
            });
        }
        let mut tags = tags.into_iter();
        for ((decl, recursive), bare) in types.values_mut().zip(recursive).zip(bare) {
            decl.ty.each_mut(&mut |inner| {
                if let Type::Union(union) = inner {
                    union.tag = tags.next().flatten();
                }
            });
            decl.recursive = recursive;
            if bare {
                report.problem(SchemaProblem {
                    owner: format!("type `{}`", decl.name),
                    path: String::new(),
                    message: "is defined as itself, with no object or list in between".into(),
                });
            }
        }
        types
    }
}

/// Visits references that are the whole type, not a part inside the type.
fn each_bare_ref(ty: &Type, visit: &mut dyn FnMut(&str)) {
    match ty {
        Type::Ref(name) => visit(name),
        Type::Nullable(inner) => each_bare_ref(inner, visit),
        Type::Union(union) => union.variants.iter().for_each(|variant| each_bare_ref(&variant.ty, visit)),
        Type::Intersection(parts) => parts.iter().for_each(|part| each_bare_ref(part, visit)),
        _ => {}
    }
}
