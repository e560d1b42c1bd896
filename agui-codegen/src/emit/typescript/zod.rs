//! The module `zod.ts`: the types as Zod schemas, for forms and other code. No other module imports `zod.ts`.
//!
//! A schema follows the schemas that it uses. Where types contain each other, a reference to a later schema
//! is lazy, and the schema's type is written out. Only `agent.ts` checks constraints that TypeScript types do
//! not show: patterns, multiples, unique items. The text is in `templates/zod.ts`.

mod expression;
mod object;
mod slots;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::jsdoc;
use super::names::TypeNames;
use crate::emit::doc::described;
use crate::ir::{AgentDecl, TypeDecl, ZodVersion};
use crate::template::render;

/// Names that `zod.ts` declares or imports, and names that no value can have.
const RESERVED: [&str; 13] = [
    "NaN",
    "Infinity",
    "anything",
    "arguments",
    "eval",
    "events",
    "interrupts",
    "state",
    "text",
    "tools",
    "types",
    "whole",
    "z",
];

/// Returns the import path for a Zod version. Package version 3 and package version 4 have both paths.
pub(super) fn module(version: ZodVersion) -> &'static str {
    match version {
        ZodVersion::V3 => "zod/v3",
        ZodVersion::V4 => "zod/v4",
    }
}

pub(super) fn zod(agent: &AgentDecl, names: &TypeNames, version: ZodVersion) -> String {
    let mut pass = ZodPass {
        agent,
        names,
        version,
        constants: constants(agent, names),
        done: BTreeSet::new(),
        open: BTreeSet::new(),
        used: BTreeSet::new(),
        types: Vec::new(),
    };
    agent.types.values().for_each(|decl| pass.decl(decl));
    let mut values = pass.slots();
    let has_schemas = !agent.types.is_empty() || agent.slots().next().is_some();
    values.insert("has_schemas".into(), has_schemas.into());
    values.insert("module".into(), module(version).into());
    values.insert("support".into(), pass.used.iter().copied().collect::<Vec<_>>().join(", ").into());
    values.insert("types".into(), pass.types.into());
    render(include_str!("templates/zod.ts"), &values.into()).trim_start().to_owned()
}

/// Returns the constant name for each type's schema.
fn constants<'a>(agent: &'a AgentDecl, names: &TypeNames) -> BTreeMap<&'a str, String> {
    let mut taken: BTreeSet<String> = RESERVED.into_iter().map(str::to_owned).collect();
    let mut constants = BTreeMap::new();
    for name in agent.types.keys() {
        let mut free = names.ty(name).to_owned();
        while !taken.insert(free.clone()) {
            free.push('_');
        }
        constants.insert(name.as_str(), free);
    }
    constants
}

struct ZodPass<'a> {
    agent: &'a AgentDecl,
    names: &'a TypeNames,
    version: ZodVersion,
    /// Schema constants, by type name.
    constants: BTreeMap<&'a str, String>,
    /// Types already printed into `types`.
    done: BTreeSet<&'a str>,
    /// Types whose parts are being printed.
    open: BTreeSet<&'a str>,
    /// Imports from `_zod.ts`.
    used: BTreeSet<&'static str>,
    /// Statements, in output order.
    types: Vec<Value>,
}

impl<'a> ZodPass<'a> {
    fn decl(&mut self, decl: &'a TypeDecl) {
        if self.done.contains(decl.name.as_str()) || !self.open.insert(&decl.name) {
            return;
        }
        let agent = self.agent;
        decl.ty.each_ref(&mut |name| {
            if let Some(needed) = agent.types.get(name) {
                self.decl(needed);
            }
        });
        let ty = format!("types.{}", self.names.ty(&decl.name));
        let expression = self.expression(&decl.ty, 0);
        let constant = self.constants.get(decl.name.as_str()).cloned().unwrap_or_default();
        let doc = described(&decl.doc, &decl.ty, |name, value| format!("@{name} {value}"));
        let statement = if self.names.is_brand(&decl.name) {
            // After the check, a string may have the branded type.
            format!("{constant} = {}", pure(&format!("{expression} as unknown as z.ZodType<{ty}>")))
        } else if decl.recursive {
            format!("{constant}: z.ZodType<{ty}> = {}", pure(&expression))
        } else {
            format!("{constant} = {}", pure(&format!("{expression} satisfies z.ZodType<{ty}>")))
        };
        self.types.push(json!({ "doc": jsdoc(&doc, 0), "statement": statement }));
        self.done.insert(&decl.name);
    }

    fn use_(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
        name
    }
}

/// Wraps an expression so that bundlers drop an unused value. The purity mark covers one call, but not the
/// calls in the arguments, so the expression stands in a function and the function's call has the mark.
fn pure(expression: &str) -> String {
    format!("/* @__PURE__ */ (() => {expression})()")
}
