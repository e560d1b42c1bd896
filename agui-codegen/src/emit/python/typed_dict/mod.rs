//! Types alone: dictionaries as `json.loads` returns them, with names for type checkers. The generated code
//! needs no package, checks nothing, and has no client.
//!
//! A member keeps its wire name. A value without a JSON form of its own, such as a tuple or a map with number
//! keys, has the type that Python reads: a list, a dictionary with string keys.

mod annotation;
mod catalogs;
mod print;
mod slots;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

pub(super) use catalogs::catalogs;
pub(super) use print::package;

use super::lower::lines;
use super::model::EnumAlias;
use super::names::{KEYWORDS, NameScope, USED};
use super::types::{docstring, enum_alias, print_module, quoted};
use crate::emit::shape::ShapeFinder;
use crate::ir::{AdditionalProperties, AgentDecl, ObjectField, ObjectType, Type, TypeDecl};
use crate::names::{identifier, is_identifier, pascal, screaming};
use print::{call, class};

const WIDTH: usize = 88;

/// Names that the generated module imports from `typing`.
const TYPING: [&str; 6] = ["Any", "Literal", "Never", "NotRequired", "TypeAlias", "TypedDict"];

/// Prints `types.py` and `agent.py`.
pub(super) fn modules(agent: &AgentDecl) -> (String, String) {
    let mut pass = TypedDictPass::new(&agent.types);
    agent.types.values().for_each(|decl| pass.decl(decl));
    let slots = pass.slots(agent);
    (pass.module(), print::agent(agent, &slots))
}

struct TypedDictPass<'a> {
    shapes: ShapeFinder<'a>,
    scope: NameScope,
    /// Python names, by type name in the shared representation.
    names: BTreeMap<String, String>,
    /// Names that class members avoid: inside the class, such a name would mean the member.
    avoided: BTreeSet<String>,
    used: BTreeSet<&'static str>,
    decls: Vec<String>,
    all: Vec<String>,
}

impl<'a> TypedDictPass<'a> {
    fn new(types: &'a IndexMap<String, TypeDecl>) -> Self {
        let mut scope = NameScope::for_types();
        TYPING.into_iter().for_each(|name| drop(scope.give(name)));
        let mut names = BTreeMap::new();
        for name in types.keys() {
            names.insert(name.clone(), scope.give(name));
        }
        let mut avoided: BTreeSet<String> = names.values().cloned().collect();
        avoided.extend(USED.into_iter().chain(TYPING).filter(|name| *name != "id").map(str::to_owned));
        let shapes = ShapeFinder { types };
        Self { shapes, scope, names, avoided, used: BTreeSet::new(), decls: vec![], all: vec![] }
    }
}

impl TypedDictPass<'_> {
    fn module(self) -> String {
        let used: Vec<&str> = self.used.iter().copied().collect();
        let imports = if used.is_empty() {
            String::new()
        } else {
            format!("\nfrom typing import {}\n", used.join(", "))
        };
        print_module(&imports, &self.decls, self.all)
    }

    fn use_(&mut self, name: &'static str) -> &'static str {
        self.used.insert(name);
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
            Type::Intersection(_) => match self.shapes.find(&decl.ty, 0).as_deref() {
                Some([shape]) => {
                    let object = ObjectType { fields: shape.fields.clone(), extra: shape.extra.clone() };
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
        // The alias is a string, so that the alias may name later types and itself.
        let value = quoted(annotation);
        let line = format!("{name}: TypeAlias = {value}\n");
        let line =
            if line.len() <= WIDTH + 1 { line } else { format!("{name}: TypeAlias = (\n    {value}\n)\n") };
        self.decls.push(format!("{line}{}", docstring(doc, 0)));
        self.all.push(name);
    }

    fn object(&mut self, name: String, doc: &[String], object: &ObjectType) {
        if let AdditionalProperties::Typed(extra) = &object.extra {
            // A `TypedDict` has only the members that the class names.
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
        let fields: Vec<(&ObjectField, String)> = object
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
        // Python normalizes non-ASCII identifiers, but the attribute must equal the wire name.
        name.is_ascii()
            && is_identifier(name)
            && !name.starts_with("__")
            && !KEYWORDS.contains(&name)
            && !self.avoided.contains(name)
    }
}
