//! Types alone: dictionaries as `json.loads` returns them, with names for type checkers. They need no package, check
//! nothing, and have no client.
//!
//! A member keeps its name on the wire. Values without a JSON form of their own, such as a tuple or a map with numbers
//! for keys, have the types that Python reads: a list, a dictionary with strings for keys.

mod print;

use std::collections::{BTreeMap, BTreeSet};

pub(super) use print::package;

use super::lower::lines;
use super::model::EnumAlias;
use super::names::{KEYWORDS, Scope, USED, text};
use super::types::{docstring, enum_alias, quoted};
use crate::emit::shape::{Shapes, suffix};
use crate::ir::{AgentDecl, Doc, Extra, Field, Literal, Object, Type, TypeDecl};
use crate::names::{identifier, is_identifier, pascal, screaming, upper_camel};
use print::{Slots, call, class};

const WIDTH: usize = 88;

/// The names that this module takes from `typing`.
const TYPING: [&str; 6] = ["Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"];

/// `types.py` and `agent.py`.
pub(super) fn modules(agent: &AgentDecl) -> (String, String) {
    let mut scope = Scope::of_types();
    TYPING.into_iter().for_each(|name| drop(scope.give(name)));
    let mut names = BTreeMap::new();
    for name in agent.types.keys() {
        names.insert(name.clone(), scope.give(name));
    }
    let mut avoided: BTreeSet<String> = names.values().cloned().collect();
    avoided.extend(USED.into_iter().chain(TYPING).filter(|name| *name != "id").map(str::to_owned));
    let shapes = Shapes { types: &agent.types };
    let mut pass = Pass { shapes, scope, names, avoided, used: BTreeSet::new(), decls: vec![], all: vec![] };
    agent.types.values().for_each(|decl| pass.decl(decl));
    let slots = pass.slots(agent);
    (pass.module(), print::agent(agent, &slots))
}

struct Pass<'a> {
    shapes: Shapes<'a>,
    scope: Scope,
    /// The Python name of each named type.
    names: BTreeMap<String, String>,
    /// The names that members of a class avoid: inside the class, the name would mean the member.
    avoided: BTreeSet<String>,
    used: BTreeSet<&'static str>,
    decls: Vec<String>,
    all: Vec<String>,
}

impl Pass<'_> {
    fn module(mut self) -> String {
        let mut out =
            String::from("\"\"\"The types of the agent.\"\"\"\n\nfrom __future__ import annotations\n");
        if !self.used.is_empty() {
            let used: Vec<&str> = self.used.iter().copied().collect();
            out.push_str(&format!("\nfrom typing import {}\n", used.join(", ")));
        }
        self.decls.iter().for_each(|decl| out.push_str(&format!("\n\n{decl}")));
        self.all.sort();
        let names: String = self.all.iter().map(|name| format!("    {},\n", text(name))).collect();
        out.push_str(&if names.is_empty() {
            "\n__all__: list[str] = []\n".to_owned()
        } else {
            format!("\n\n__all__ = [\n{names}]\n")
        });
        out
    }

    fn use_(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
        name
    }

    /// Names the type of every place.
    fn slots<'a>(&mut self, agent: &'a AgentDecl) -> Slots<'a> {
        let agent_name = identifier(&pascal(&agent.name));
        if let Some(state) = &agent.state {
            self.slot(&state.out.ty, &format!("{agent_name}State"));
            if state.input.ty != state.out.ty {
                self.slot(&state.input.ty, &format!("{agent_name}StateInput"));
            }
        }
        let mut slots = Slots::default();
        for tool in &agent.tools {
            let name = identifier(&pascal(&tool.name));
            slots.arguments.push((&tool.name, self.slot(&tool.params.ty, &format!("{name}Arguments"))));
            if let Some(result) = &tool.result {
                slots.results.push((&tool.name, self.slot(&result.ty, &format!("{name}Result"))));
            }
        }
        for event in &agent.events {
            let name = format!("{}Value", identifier(&pascal(&event.name)));
            slots.events.push((&event.name, self.slot(&event.value.ty, &name)));
        }
        for asked in &agent.interrupts {
            let base = identifier(&pascal(&asked.reason));
            let payload = self.slot(&asked.payload.ty, &format!("{base}Payload"));
            let response = self.slot(&asked.response.ty, &format!("{base}Response"));
            slots.payloads.push((&asked.reason, payload));
            slots.responses.push((&asked.reason, response));
        }
        for shown in &agent.activities {
            let name = format!("{}Content", identifier(&upper_camel(&shown.activity_type)));
            slots.activities.push((&shown.activity_type, self.slot(&shown.content.ty, &name)));
        }
        if let Some(result) = &agent.result {
            self.slot(&result.ty, &format!("{agent_name}Result"));
        }
        if let Some(props) = &agent.forwarded {
            self.slot(&props.ty, &format!("{agent_name}ForwardedProps"));
        }
        slots
    }

    fn slot(&mut self, ty: &Type, name: &str) -> String {
        if let Type::Ref(name) = ty {
            return self.name(name);
        }
        let name = self.scope.give(name);
        self.alias(name.clone(), &[], ty);
        name
    }

    fn decl(&mut self, decl: &TypeDecl) {
        let name = self.name(&decl.name);
        let doc = lines(&decl.doc, &decl.ty);
        match &decl.ty {
            Type::Object(object) => self.object(name, &doc, object),
            Type::Enum(values) => {
                self.use_("Literal");
                let list = self.scope.give(&format!("{}_VALUES", screaming(&name)));
                let values = values.iter().map(|value| (value.value.clone(), lines(&value.doc, &Type::Null)));
                let alias = EnumAlias { name, list, doc, values: values.collect() };
                self.decls.push(enum_alias(&alias));
                self.all.extend([alias.name, alias.list]);
            }
            Type::Intersection(_) => match self.shapes.of(&decl.ty, 0).as_deref() {
                Some([shape]) => {
                    let object = Object { fields: shape.fields.clone(), extra: shape.extra.clone() };
                    self.object(name, &doc, &object);
                }
                _ => self.alias(name, &doc, &decl.ty),
            },
            ty => self.alias(name, &doc, ty),
        }
    }

    fn name(&self, name: &str) -> String {
        self.names.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    fn alias(&mut self, name: String, doc: &[String], ty: &Type) {
        let annotation = self.annotation(ty, &name);
        self.alias_of(name, doc, &annotation);
    }

    fn alias_of(&mut self, name: String, doc: &[String], annotation: &str) {
        self.use_("TypeAlias");
        // A string, so that it may name a later type, itself included.
        let value = quoted(annotation);
        let line = format!("{name}: TypeAlias = {value}\n");
        let line =
            if line.len() <= WIDTH + 1 { line } else { format!("{name}: TypeAlias = (\n    {value}\n)\n") };
        self.decls.push(format!("{line}{}", docstring(doc, 0)));
        self.all.push(name);
    }

    fn object(&mut self, name: String, doc: &[String], object: &Object) {
        if let Extra::Typed(extra) = &object.extra {
            // A `TypedDict` has no members besides those it names.
            let mut types: Vec<String> = Vec::new();
            let inner =
                object.fields.iter().map(|field| (&field.ty, format!("{name}{}", pascal(&field.name))));
            for (ty, place) in inner.chain([(extra.as_ref(), format!("{name}Other"))]) {
                let annotation = self.annotation(ty, &identifier(&place));
                if !types.contains(&annotation) {
                    types.push(annotation);
                }
            }
            let value = if types.iter().any(|ty| ty == "Any") { "Any".into() } else { types.join(" | ") };
            return self.alias_of(name, doc, &format!("dict[str, {value}]"));
        }
        self.use_("TypedDict");
        let fields: Vec<(&Field, String)> = object
            .fields
            .iter()
            .map(|field| {
                let place = format!("{name}{}", identifier(&pascal(&field.name)));
                (field, self.annotation(&field.ty, &place))
            })
            .collect();
        if fields.iter().any(|(field, _)| !field.required) {
            self.use_("NotRequired");
        }
        let as_class = fields.iter().all(|(field, _)| self.can_be_attribute(&field.name));
        let text = if as_class { class(&name, doc, &fields) } else { call(&name, doc, &fields) };
        self.decls.push(text);
        self.all.push(name);
    }

    fn can_be_attribute(&self, name: &str) -> bool {
        // Python normalises other identifiers, and the name must be the one on the wire.
        name.is_ascii()
            && is_identifier(name)
            && !name.starts_with("__")
            && !KEYWORDS.contains(&name)
            && !self.avoided.contains(name)
    }

    fn annotation(&mut self, ty: &Type, place: &str) -> String {
        match ty {
            Type::Any => self.use_("Any").into(),
            Type::Never => self.use_("Never").into(),
            Type::Null => "None".into(),
            Type::Bool => "bool".into(),
            Type::Integer(_) => "int".into(),
            Type::Number(_) => "float".into(),
            Type::String(_) => "str".into(),
            Type::Literal(literal) => {
                self.use_("Literal");
                match literal {
                    Literal::String(value) => format!("Literal[{}]", text(value)),
                    Literal::Integer(value) => format!("Literal[{value}]"),
                    Literal::Bool(value) => format!("Literal[{}]", if *value { "True" } else { "False" }),
                }
            }
            Type::Enum(values) => {
                self.use_("Literal");
                let values: Vec<String> = values.iter().map(|value| text(&value.value)).collect();
                format!("Literal[{}]", values.join(", "))
            }
            Type::Array(array) => format!("list[{}]", self.annotation(&array.item, &format!("{place}Item"))),
            Type::Tuple(items) => {
                let items: Vec<(String, &Type)> =
                    items.iter().enumerate().map(|(index, item)| (format!("{place}{index}"), item)).collect();
                format!("list[{}]", self.either(items))
            }
            Type::Map(map) => format!("dict[str, {}]", self.annotation(&map.value, &format!("{place}Value"))),
            Type::Object(object) => {
                let name = self.scope.give(place);
                self.object(name.clone(), &[], object);
                name
            }
            Type::Nullable(inner) => format!("{} | None", self.annotation(inner, place)),
            Type::Union(union) => {
                let mut texts: Vec<String> = Vec::new();
                for (index, variant) in union.variants.iter().enumerate() {
                    let name = format!("{place}{}", suffix(&variant.ty, union.tag.as_deref(), index));
                    let text = match &variant.ty {
                        Type::Object(object) => self.variant(&name, &variant.doc, object),
                        ty => self.annotation(ty, &name),
                    };
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                texts.join(" | ")
            }
            Type::Intersection(_) => match self.shapes.of(ty, 0) {
                Some(shapes) => {
                    let alone = shapes.len() == 1;
                    let texts = shapes.into_iter().map(|shape| {
                        let name = if alone { place.to_owned() } else { format!("{place}{}", shape.suffix) };
                        let object = Object { fields: shape.fields, extra: shape.extra };
                        self.variant(&name, &shape.doc, &object)
                    });
                    texts.collect::<Vec<_>>().join(" | ")
                }
                None => {
                    let object = self.shapes.loosened(ty, 0);
                    self.variant(place, &Doc::default(), &object)
                }
            },
            Type::Ref(name) => self.name(name),
        }
    }

    fn variant(&mut self, name: &str, doc: &Doc, object: &Object) -> String {
        let name = self.scope.give(name);
        self.object(name.clone(), &lines(doc, &Type::Null), object);
        name
    }

    /// A union of types, each with the place it is named after.
    fn either(&mut self, types: Vec<(String, &Type)>) -> String {
        let mut texts: Vec<String> = Vec::new();
        for (place, ty) in types {
            let text = self.annotation(ty, &place);
            if !texts.contains(&text) {
                texts.push(text);
            }
        }
        if texts.is_empty() { self.use_("Never").into() } else { texts.join(" | ") }
    }
}
