//! `zod.ts`: the types as Zod schemas, for forms and other code that needs them. No other module imports it.
//!
//! A schema follows the schemas it is made of. Where types contain each other, a reference to a later schema is lazy,
//! and its type is written out. Constraints that no type shows (patterns, multiples, items that must differ) are
//! checked in `agent.ts` only.

mod expression;

use std::collections::{BTreeMap, BTreeSet};

use super::jsdoc;
use super::literal::key;
use super::names::Names;
use super::types::Printer;
use crate::emit::doc::{described, lines};
use crate::ir::{AgentDecl, Slot, Type, TypeDecl, Zod};

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
pub(super) fn module(version: Zod) -> &'static str {
    match version {
        Zod::V3 => "zod/v3",
        Zod::V4 => "zod/v4",
    }
}

pub(super) fn zod(agent: &AgentDecl, names: &Names, version: Zod) -> String {
    let mut taken: BTreeSet<String> = RESERVED.into_iter().map(str::to_owned).collect();
    let mut constants = BTreeMap::new();
    for name in agent.types.keys() {
        let mut free = names.ty(name).to_owned();
        while !taken.insert(free.clone()) {
            free.push('_');
        }
        constants.insert(name.as_str(), free);
    }
    let mut pass = Pass {
        agent,
        names,
        version,
        constants,
        done: BTreeSet::new(),
        open: BTreeSet::new(),
        used: BTreeSet::new(),
        out: String::new(),
    };
    agent.types.values().for_each(|decl| pass.decl(decl));
    let slots = pass.slots();
    let mut head = format!("import {{ z }} from \"{}\";\n", module(version));
    if !pass.used.is_empty() {
        let used: Vec<&str> = pass.used.iter().copied().collect();
        head.push_str(&format!("import {{ {} }} from \"../_zod.js\";\n", used.join(", ")));
    }
    if !agent.types.is_empty() {
        head.push_str("import type * as types from \"./types.js\";\n");
    }
    let body = pass.out + &slots;
    if !body.contains("z.") {
        // An agent without types and places.
        return body.trim_start().to_owned();
    }
    head + &body
}

struct Pass<'a> {
    agent: &'a AgentDecl,
    names: &'a Names,
    version: Zod,
    /// The name of each type's schema.
    constants: BTreeMap<&'a str, String>,
    /// The types that stand in `out` already.
    done: BTreeSet<&'a str>,
    /// The types whose parts are being printed.
    open: BTreeSet<&'a str>,
    /// The imports from `_zod.ts`.
    used: BTreeSet<&'static str>,
    out: String,
}

impl<'a> Pass<'a> {
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
            // A checked string may have the type that it was checked for.
            format!("{constant} = {}", pure(&format!("{expression} as unknown as z.ZodType<{ty}>")))
        } else if decl.recursive {
            format!("{constant}: z.ZodType<{ty}> = {}", pure(&expression))
        } else {
            format!("{constant} = {}", pure(&format!("{expression} satisfies z.ZodType<{ty}>")))
        };
        self.out.push_str(&format!("\n{}export const {statement};\n", jsdoc(&doc, 0)));
        self.done.insert(&decl.name);
    }

    /// The schemas of the places where values travel.
    fn slots(&mut self) -> String {
        let agent = self.agent;
        let mut text = String::new();
        if let Some(state) = &agent.state {
            let (written, read) = (self.slot(&state.out, 2), self.slot(&state.input, 2));
            text.push_str(&format!(
                "\n/** The shared state: `written` by the agent, `read` by the agent. */\nexport const state = {{\n  written: \
                 {written},\n  read: {read},\n}};\n"
            ));
        }
        let tools = agent.tools.iter().map(|tool| {
            let doc = jsdoc(&lines(&tool.description), 2);
            let parameters = self.slot(&tool.params, 4);
            let result =
                tool.result.as_ref().map(|result| format!("    result: {},\n", self.slot(result, 4)));
            let result = result.unwrap_or_default();
            format!("{doc}  {}: {{\n    parameters: {parameters},\n{result}  }},\n", key(&tool.name))
        });
        let tools: String = tools.collect();
        text.push_str(&record("The arguments and the answer of each tool, by name.", "tools", &tools));
        let events = agent.events.iter().map(|event| {
            let doc = jsdoc(&lines(&event.description), 2);
            format!("{doc}  {}: {},\n", key(&event.name), self.slot(&event.value, 2))
        });
        let events: String = events.collect();
        text.push_str(&record("The value of each custom event, by name.", "events", &events));
        let interrupts = agent.interrupts.iter().map(|asked| {
            let doc = jsdoc(&lines(&asked.description), 2);
            let (payload, response) = (self.slot(&asked.payload, 4), self.slot(&asked.response, 4));
            let reason = key(&asked.reason);
            format!("{doc}  {reason}: {{\n    payload: {payload},\n    response: {response},\n  }},\n")
        });
        let interrupts: String = interrupts.collect();
        if !interrupts.is_empty() {
            text.push_str(&record(
                "The payload and the response of each interrupt, by reason.",
                "interrupts",
                &interrupts,
            ));
        }
        let activities = agent.activities.iter().map(|shown| {
            let doc = jsdoc(&lines(&shown.description), 2);
            format!("{doc}  {}: {},\n", key(&shown.activity_type), self.slot(&shown.content, 2))
        });
        let activities: String = activities.collect();
        if !activities.is_empty() {
            text.push_str(&record("The content of each activity, by type.", "activities", &activities));
        }
        for (slot, doc, name) in [
            (&agent.result, "The result of a run.", "result"),
            (&agent.forwarded, "The props that a run may forward to the agent.", "forwardedProps"),
        ] {
            if let Some(slot) = slot {
                text.push_str(&format!("\n/** {doc} */\nexport const {name} = {};\n", self.slot(slot, 0)));
            }
        }
        text
    }

    fn slot(&mut self, slot: &Slot, indent: usize) -> String {
        let expression = self.expression(&slot.ty, indent);
        if let Type::Ref(_) = slot.ty {
            return expression;
        }
        let ty = Printer::new(self.names, "types.").ty(&slot.ty, indent, 0);
        pure(&format!("{expression} satisfies z.ZodType<{ty}>"))
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

fn record(doc: &str, name: &str, members: &str) -> String {
    let members = if members.is_empty() { "{}".to_owned() } else { format!("{{\n{members}}}") };
    format!("\n/** {doc} */\nexport const {name} = {members};\n")
}
