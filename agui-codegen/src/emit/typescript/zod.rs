//! `zod.ts`: the types as Zod schemas, for forms and other code. No other module imports `zod.ts`.
//!
//! A schema follows the schemas inside. Where types contain each other, a reference to a later schema is lazy,
//! and the type is written out. Constraints that no type shows (patterns, multiples, items that must differ) are
//! checked in `agent.ts` only. The text is in `templates/zod.ts`.

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

/// The names that `zod.ts` defines and imports, and the names that no value can have.
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

/// The module that both versions have.
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

/// The name of each type's schema.
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
    /// The name of each type's schema.
    constants: BTreeMap<&'a str, String>,
    /// The types that stand in `types` already.
    done: BTreeSet<&'a str>,
    /// The types whose parts are being printed.
    open: BTreeSet<&'a str>,
    /// The imports from `_zod.ts`.
    used: BTreeSet<&'static str>,
    /// The statements, in their order.
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
            // A checked string may have the branded type.
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

/// An expression that bundlers drop if its value is not used. The mark holds for one call, and not for those in its
/// arguments: so the expression is in a function, whose call is marked.
fn pure(expression: &str) -> String {
    format!("/* @__PURE__ */ (() => {expression})()")
}
