//! `zod.ts`: the types as schemas of Zod, for forms and other code that wants them so. Nothing else imports it.
//!
//! A schema stands behind the schemas it is made of; where types contain each other, a reference to what comes later waits
//! for it, and the type is written out. What no type shows (patterns, multiples, items that must differ), only the checks in
//! `agent.ts` look at.

use std::collections::{BTreeMap, BTreeSet};

use super::jsdoc;
use super::names::{Names, member, text};
use super::types::{Printer, fixed_length, literal};
use crate::emit::doc::{described, lines};
use crate::emit::shape::Shapes;
use crate::ir::{AgentDecl, Bounds, Extra, Field, MapKey, Object, Slot, Type, TypeDecl, Union, Zod};

/// What `zod.ts` and what it imports are called, and what no value can be called.
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
        let mut free = names.ty(name);
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
    /// What the schema of each type is called.
    constants: BTreeMap<&'a str, String>,
    /// The types that stand in `out` already.
    done: BTreeSet<&'a str>,
    /// The types that wait for what they are made of.
    open: BTreeSet<&'a str>,
    /// What is imported from `_zod.ts`.
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
            // Whoever checks a text may call it what it was checked to be.
            format!("{constant} = {expression} as unknown as z.ZodType<{ty}>")
        } else if decl.recursive {
            format!("{constant}: z.ZodType<{ty}> = {expression}")
        } else {
            format!("{constant} = {expression} satisfies z.ZodType<{ty}>")
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
            format!("{doc}  {}: {{\n    parameters: {parameters},\n{result}  }},\n", member(&tool.name))
        });
        let tools: String = tools.collect();
        text.push_str(&record("The arguments and the answer of each tool, by name.", "tools", &tools));
        let events = agent.events.iter().map(|event| {
            let doc = jsdoc(&lines(&event.description), 2);
            format!("{doc}  {}: {},\n", member(&event.name), self.slot(&event.value, 2))
        });
        let events: String = events.collect();
        text.push_str(&record("The value of each custom event, by name.", "events", &events));
        let interrupts = agent.interrupts.iter().map(|asked| {
            let doc = jsdoc(&lines(&asked.description), 2);
            let (payload, response) = (self.slot(&asked.payload, 4), self.slot(&asked.response, 4));
            let reason = member(&asked.reason);
            format!("{doc}  {reason}: {{\n    payload: {payload},\n    response: {response},\n  }},\n")
        });
        let interrupts: String = interrupts.collect();
        if !interrupts.is_empty() {
            text.push_str(&record(
                "What is asked and what answers it, by reason.",
                "interrupts",
                &interrupts,
            ));
        }
        text
    }

    fn slot(&mut self, slot: &Slot, indent: usize) -> String {
        let expression = self.expression(&slot.ty, indent);
        if let Type::Ref(_) = slot.ty {
            return expression;
        }
        let ty = Printer::new(self.names, "types.").ty(&slot.ty, indent, 0);
        format!("{expression} satisfies z.ZodType<{ty}>")
    }

    fn use_(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
        name
    }

    /// `ty` in a line indented by `indent`.
    fn expression(&mut self, ty: &Type, indent: usize) -> String {
        match ty {
            Type::Any => self.use_("anything").into(),
            Type::Never => "z.never()".into(),
            Type::Null => "z.null()".into(),
            Type::Bool => "z.boolean()".into(),
            Type::Integer(bounds) => {
                let (least, most) = range(bounds);
                format!("{}({least}, {most})", self.use_("whole"))
            }
            Type::Number(bounds) => {
                let limit = |name: &str, limit: &Option<serde_json::Number>| {
                    limit.as_ref().map_or_else(String::new, |limit| format!(".{name}({limit})"))
                };
                format!("z.number(){}{}", limit("min", &bounds.minimum), limit("max", &bounds.maximum))
            }
            Type::String(of) if of.min.is_none() && of.max.is_none() => "z.string()".into(),
            Type::String(of) => {
                let most = of.max.map_or_else(|| "Infinity".to_owned(), |most| most.to_string());
                format!("{}({}, {most})", self.use_("text"), of.min.unwrap_or(0))
            }
            Type::Literal(value) => format!("z.literal({})", literal(value)),
            Type::Enum(values) => {
                let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
                format!("z.enum([{}])", values.join(", "))
            }
            Type::Array(array) => {
                let item = self.expression(&array.item, indent);
                if let Some(length) = fixed_length(array) {
                    return format!("z.tuple([{}])", vec![item; length].join(", "));
                }
                let least = array.min.map_or_else(String::new, |least| format!(".min({least})"));
                let most = array.max.map_or_else(String::new, |most| format!(".max({most})"));
                format!("z.array({item}){least}{most}")
            }
            Type::Tuple(items) => {
                let items: Vec<String> = items.iter().map(|item| self.expression(item, indent)).collect();
                format!("z.tuple([{}])", items.join(", "))
            }
            Type::Map(map) => {
                let key = match map.key {
                    MapKey::String => "z.string()",
                    MapKey::Integer { signed: true } => "z.string().regex(/^-?\\d+$/)",
                    MapKey::Integer { signed: false } => "z.string().regex(/^\\d+$/)",
                };
                format!("z.record({key}, {})", self.expression(&map.value, indent))
            }
            Type::Object(object) => self.object(object, indent),
            Type::Nullable(inner) => format!("{}.nullable()", self.expression(inner, indent)),
            Type::Union(union) => self.union(union, indent),
            Type::Intersection(parts) => match (Shapes { types: &self.agent.types }).of(ty, 0) {
                Some(shapes) => {
                    let shapes = shapes.into_iter().map(|shape| {
                        let object = Object { fields: shape.fields, extra: shape.extra };
                        self.object(&object, indent + 2)
                    });
                    let mut once: Vec<String> = Vec::new();
                    for shape in shapes.collect::<Vec<_>>() {
                        if !once.contains(&shape) {
                            once.push(shape);
                        }
                    }
                    alternatives(once, indent)
                }
                // Too many to write each of them out.
                None => {
                    let parts: Vec<String> = parts.iter().map(|part| self.loose(part, indent)).collect();
                    let mut parts = parts.into_iter();
                    let first = parts.next().unwrap_or_else(|| "z.unknown()".into());
                    parts.fold(first, |all, part| format!("z.intersection({all}, {part})"))
                }
            },
            Type::Ref(name) => {
                let constant = self.constants.get(name.as_str()).cloned().unwrap_or_else(|| name.clone());
                if self.done.contains(name.as_str()) { constant } else { format!("z.lazy(() => {constant})") }
            }
        }
    }

    /// Part of an intersection, whose other parts have members that this one does not know.
    fn loose(&mut self, part: &Type, indent: usize) -> String {
        match part {
            Type::Object(object) => {
                let open = Object { fields: object.fields.clone(), extra: Extra::Open };
                self.object(&open, indent)
            }
            other => self.expression(other, indent),
        }
    }

    fn object(&mut self, object: &Object, indent: usize) -> String {
        let pad = " ".repeat(indent + 2);
        let fields: String = object
            .fields
            .iter()
            .map(|field| {
                let doc = described(&field.doc, &field.ty, |name, value| format!("@{name} {value}"));
                format!(
                    "{}{pad}{}: {},\n",
                    jsdoc(&doc, indent + 2),
                    key(field),
                    self.field(field, indent + 2)
                )
            })
            .collect();
        let fields =
            if fields.is_empty() { "{}".to_owned() } else { format!("{{\n{fields}{}}}", " ".repeat(indent)) };
        match (&object.extra, self.version) {
            // The type of an object without members has no room for others either; they are left out.
            (Extra::Open, _) if object.fields.is_empty() => format!("z.object({fields})"),
            (Extra::Open, Zod::V3) => format!("z.object({fields}).passthrough()"),
            (Extra::Open, Zod::V4) => format!("z.looseObject({fields})"),
            (Extra::Closed, Zod::V3) => format!("z.object({fields}).strict()"),
            (Extra::Closed, Zod::V4) => format!("z.strictObject({fields})"),
            (Extra::Typed(extra), _) => {
                format!("z.object({fields}).catchall({})", self.expression(extra, indent))
            }
        }
    }

    fn field(&mut self, field: &Field, indent: usize) -> String {
        let ty = self.expression(&field.ty, indent);
        if field.required { ty } else { format!("{ty}.optional()") }
    }

    fn union(&mut self, union: &Union, indent: usize) -> String {
        let is_object = |ty: &Type| matches!(ty, Type::Object(object) if !object.fields.is_empty());
        let tag = union.tag.as_ref().filter(|_| union.variants.iter().all(|variant| is_object(&variant.ty)));
        let mut all: Vec<String> = Vec::new();
        for variant in &union.variants {
            let text = self.expression(&variant.ty, indent + 2);
            if !all.contains(&text) {
                all.push(text);
            }
        }
        match tag {
            Some(tag) if all.len() > 1 => {
                format!("z.discriminatedUnion({}, {})", text(tag), list(&all, indent))
            }
            _ => alternatives(all, indent),
        }
    }
}

fn alternatives(mut all: Vec<String>, indent: usize) -> String {
    match (all.len(), all.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            all.extend(last);
            format!("z.union({})", list(&all, indent))
        }
    }
}

fn list(items: &[String], indent: usize) -> String {
    let pad = " ".repeat(indent + 2);
    let items: String = items.iter().map(|item| format!("{pad}{item},\n")).collect();
    format!("[\n{items}{}]", " ".repeat(indent))
}

fn record(doc: &str, name: &str, members: &str) -> String {
    let members = if members.is_empty() { "{}".to_owned() } else { format!("{{\n{members}}}") };
    format!("\n/** {doc} */\nexport const {name} = {members};\n")
}

/// In an object literal, unlike in a type, `__proto__: x` would set the prototype.
fn key(field: &Field) -> String {
    if field.name == "__proto__" { "[\"__proto__\"]".into() } else { member(&field.name).into_owned() }
}

/// The least and the greatest value, as expressions.
fn range(bounds: &Bounds) -> (String, String) {
    let (least, most) = match bounds.format.as_deref() {
        Some("uint8") => ("0", "255"),
        Some("uint16") => ("0", "65535"),
        Some("uint32") => ("0", "4294967295"),
        Some("uint64" | "uint") => ("0", "2 ** 64"),
        Some("uint128") => ("0", "2 ** 128"),
        Some("int8") => ("-128", "127"),
        Some("int16") => ("-32768", "32767"),
        Some("int32") => ("-2147483648", "2147483647"),
        Some("int64" | "int") => ("-(2 ** 63)", "2 ** 63"),
        Some("int128") => ("-(2 ** 127)", "2 ** 127"),
        _ => ("-Infinity", "Infinity"),
    };
    let said = |said: &Option<serde_json::Number>, otherwise: &str| {
        said.as_ref().map_or_else(|| otherwise.to_owned(), ToString::to_string)
    };
    (said(&bounds.minimum, least), said(&bounds.maximum, most))
}
