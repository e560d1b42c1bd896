//! The module `catalogs.ts`: the renderer's side of the agent's component catalogs. The text is in
//! `templates/catalogs.ts`.

use serde_json::{Value, json};

use super::jsdoc;
use super::literal::{key, literal};
use super::names::{TypeNames, member, text};
use super::types::TypePrinter;
use crate::emit::doc::lines;
use crate::ir::{AgentDecl, CatalogDecl, CatalogFunctionDecl, ComponentDecl, SurfacePart, TypeSlot};
use crate::template::render;

pub(super) fn catalogs(agent: &AgentDecl, names: &TypeNames) -> String {
    let module = CatalogModule { printer: TypePrinter::new(names, ""), taken: super::taken_by_shared() };
    let has_functions = agent.catalogs.iter().any(|catalog| !catalog.functions.is_empty());
    let values = json!({
        "catalogs": agent.catalogs.iter().map(|catalog| module.catalog(catalog)).collect::<Value>(),
        "has_functions": has_functions,
        "imports": imports(&agent.catalogs),
    });
    render(include_str!("templates/catalogs.ts"), &values)
}

/// Returns the names that the catalogs import from `_surfaces.ts`.
fn imports(catalogs: &[CatalogDecl]) -> String {
    let draws = |part| catalogs.iter().any(|catalog| catalog.draws(part));
    let names = [
        ("type Catalog", true),
        ("type SurfaceAction", draws(SurfacePart::Action)),
        ("type SurfaceComponent", draws(SurfacePart::Component)),
        ("type SurfaceComponents", draws(SurfacePart::Components)),
    ];
    let names = names.into_iter().filter_map(|(name, is_needed)| is_needed.then_some(name));
    names.collect::<Vec<_>>().join(", ")
}

struct CatalogModule<'a> {
    printer: TypePrinter<'a>,
    /// The names that shared files declare.
    taken: std::collections::BTreeSet<String>,
}

impl CatalogModule<'_> {
    fn catalog(&self, catalog: &CatalogDecl) -> Value {
        let mut name = catalog.name.clone();
        while self.taken.contains(&name) || super::names::is_reserved(&name) {
            name.push('_');
        }
        let functions = |in_agent: bool| -> Value {
            let of_side = catalog.functions.iter().filter(|function| function.in_agent == in_agent);
            of_side.map(|function| self.function(function)).collect()
        };
        json!({
            "agent_functions": functions(true),
            "catalog": &name,
            "components": catalog.components.iter().map(|component| self.component(component)).collect::<Value>(),
            "constant": constant(&name),
            "definition": literal(&catalog.definition, 2, "definition: ,".len()),
            "doc": jsdoc(&doc(catalog), 0),
            "functions": functions(false),
            "id": text(&catalog.id),
        })
    }

    fn component(&self, component: &ComponentDecl) -> Value {
        let bound: Vec<String> = component.bound.iter().map(|name| text(name)).collect();
        json!({
            "bound": if bound.is_empty() { "never".to_owned() } else { bound.join(" | ") },
            "doc": jsdoc(&lines(&component.description), 0),
            "key": member(&component.name),
            "props": self.ty(&component.properties),
        })
    }

    fn function(&self, function: &CatalogFunctionDecl) -> Value {
        let value = function.value.as_ref();
        json!({
            "args": self.ty(&function.arguments),
            "args_schema": self.schema(&function.arguments),
            "doc": jsdoc(&lines(&function.description), 0),
            "key": member(&function.name),
            "object_key": key(&function.name),
            "value": value.map_or_else(|| "void".to_owned(), |value| self.ty(value)),
            "value_schema": value.map(|value| self.schema(value)),
        })
    }

    fn ty(&self, slot: &TypeSlot) -> String {
        self.printer.ty(&slot.ty, 6, "      value: ;".len())
    }

    fn schema(&self, slot: &TypeSlot) -> String {
        let ty = self.printer.ty(&slot.ty, 6, 0);
        let json = literal(&slot.schema, 6, "args: /* @__PURE__ */ schema<>(),".len() + 6 + ty.len());
        format!("/* @__PURE__ */ schema<{ty}>({json})")
    }
}

/// Returns the constant's name, which differs from those of other catalogs as the type's name does.
fn constant(name: &str) -> String {
    let mut letters = name.chars();
    let first = letters.next().map(|first| first.to_lowercase().collect::<String>());
    format!("{}{}Catalog", first.unwrap_or_default(), letters.as_str())
}

fn doc(catalog: &CatalogDecl) -> Vec<String> {
    let mut doc = lines(&catalog.description);
    if doc.iter().all(String::is_empty) {
        doc = vec![format!("The types of the catalog `{}`.", catalog.id)];
    }
    doc
}
