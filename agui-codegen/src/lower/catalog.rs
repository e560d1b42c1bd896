//! Lowers component catalogs, whose schemas have no references.

mod definition;

use agui_runtime::manifest::{AgentDef, CatalogDef, CatalogFunctionDef, ComponentDef, SURFACE_PART};
use agui_runtime::protocol::ToolSide;
use serde_json::{Map, Value, json};

use super::LoweringReport;
use super::schema::{BOUND, SchemaLowering};
use crate::ir::{CatalogDecl, CatalogFunctionDecl, ComponentDecl, Type, TypeSlot, ValueDirection};
use crate::names::{identifier, pascal};

/// Lowers an agent's catalogs; each gets a name of its own.
pub(super) fn catalogs(agent: &AgentDef, report: &mut LoweringReport) -> Vec<CatalogDecl> {
    let mut taken: Vec<String> = Vec::new();
    let catalogs = agent.catalogs.iter().map(|catalog| {
        let mut name = identifier(&pascal(&catalog.name));
        while taken.contains(&name) {
            name.push('_');
        }
        taken.push(name.clone());
        CatalogPass { catalog, report }.lower(name)
    });
    catalogs.collect()
}

struct CatalogPass<'a> {
    catalog: &'a CatalogDef,
    report: &'a mut LoweringReport,
}

impl CatalogPass<'_> {
    fn lower(mut self, name: String) -> CatalogDecl {
        let catalog = self.catalog;
        CatalogDecl {
            id: catalog.id.clone(),
            name,
            description: catalog.description.clone(),
            components: catalog.components.iter().map(|component| self.component(component)).collect(),
            functions: catalog.functions.iter().map(|function| self.function(function)).collect(),
            definition: definition::definition(catalog),
        }
    }

    fn component(&mut self, component: &ComponentDef) -> ComponentDecl {
        let mut properties = self.slot(&component.properties, &component.name, ValueDirection::Out);
        present(&mut properties.ty);
        ComponentDecl {
            name: component.name.clone(),
            description: component.description.clone(),
            properties,
            sent: sent(&component.properties),
            bound: bound(&component.properties),
        }
    }

    fn function(&mut self, function: &CatalogFunctionDef) -> CatalogFunctionDecl {
        let in_agent = function.side == ToolSide::Backend;
        let (there, back) = match function.side {
            ToolSide::Backend => (ValueDirection::In, ValueDirection::Out),
            ToolSide::Frontend => (ValueDirection::Out, ValueDirection::In),
        };
        let mut arguments = self.slot(&function.arguments, &function.name, there);
        if !in_agent {
            present(&mut arguments.ty);
        }
        CatalogFunctionDecl {
            name: function.name.clone(),
            in_agent,
            description: function.description.clone(),
            arguments,
            value: function.value.as_ref().map(|value| self.slot(value, &function.name, back)),
        }
    }

    fn slot(&mut self, schema: &Value, item: &str, direction: ValueDirection) -> TypeSlot {
        let definitions = Map::new();
        let mut lowering = SchemaLowering { is_of_surface: true, ..SchemaLowering::new(&definitions) };
        let owner = format!("`{item}` in the catalog `{}`", self.catalog.id);
        let (ty, _) = lowering.lower(schema, &owner);
        lowering.problems.into_iter().for_each(|problem| self.report.problem(problem));
        lowering.wide_integers.iter().for_each(|place| self.report.wide_integer(place));
        self.report.ignored(&lowering.ignored, &owner);
        TypeSlot { ty, schema: schema.clone(), direction }
    }
}

/// Lowers a component's properties as the agent sends them. The lowering for pages reports the problems of both.
fn sent(properties: &Value) -> TypeSlot {
    let (schema, definitions) = (with_bound(properties), Map::new());
    let mut lowering = SchemaLowering { is_of_surface: true, ..SchemaLowering::new(&definitions) };
    let (mut ty, _) = lowering.lower(&schema, "");
    present(&mut ty);
    TypeSlot { ty, schema, direction: ValueDirection::Out }
}

/// Adds the stand-in to each value that follows the data.
fn with_bound(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(with_bound).collect(),
        Value::Object(members) => {
            let is_value = part(schema) == Some("value");
            let members = members.iter().filter(|(name, _)| !is_value || *name != SURFACE_PART);
            let mut members: Map<_, _> =
                members.map(|(name, value)| (name.clone(), with_bound(value))).collect();
            if !is_value {
                return Value::Object(members);
            }
            let description = members.remove("description");
            let mut either = json!({ "anyOf": [members, { SURFACE_PART: BOUND }] });
            if let (Some(either), Some(description)) = (either.as_object_mut(), description) {
                either.insert("description".to_owned(), description);
            }
            either
        }
        other => other.clone(),
    }
}

/// Removes `null` from members that may be left out: the agent leaves a property without a value out.
fn present(ty: &mut Type) {
    let Type::Object(object) = ty else { return };
    for field in object.fields.iter_mut().filter(|field| !field.required) {
        if let Type::Nullable(inner) = &mut field.ty {
            field.ty = std::mem::replace(inner, Type::Null);
        }
    }
}

/// Returns the properties that follow the data.
fn bound(properties: &Value) -> Vec<String> {
    let members = properties.get("properties").and_then(Value::as_object);
    let is_bound = |schema: &Value| {
        part(schema) == Some("value")
            || alternatives(schema).iter().any(|schema| part(schema) == Some("value"))
    };
    let bound = members.into_iter().flatten().filter(|(_, schema)| is_bound(schema));
    bound.map(|(name, _)| name.clone()).collect()
}

/// Returns the mark that says which part of A2UI the schema is.
pub(super) fn part(schema: &Value) -> Option<&str> {
    schema.get(SURFACE_PART).and_then(Value::as_str)
}

/// Returns the alternatives by which schemars writes an `Option`.
fn alternatives(schema: &Value) -> &[Value] {
    schema.get("anyOf").and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
