//! Describes an agent's catalogs: each type in the one direction in which its values travel.

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use super::{
    CatalogDef, CatalogFunctionDef, CatalogFunctionSource, CatalogSource, ComponentDef, ComponentSource,
    RENDERED,
};
use crate::manifest::build::normal;
use crate::manifest::schema::walk;
use crate::manifest::{AgentDef, AgentSource, ManifestError, TypeSource, unwritable_default};
use crate::protocol::ToolSide;

/// Returns the agent's catalogs, each id once.
pub(in crate::manifest) fn catalogs(agent: &AgentSource) -> Result<Vec<CatalogDef>, ManifestError> {
    let mut catalogs: Vec<CatalogDef> = Vec::new();
    for source in &agent.catalogs {
        let catalog = catalog(source)?;
        match catalogs.iter().find(|known| known.id == catalog.id) {
            Some(known) if *known != catalog => {
                return Err(contradicting(&catalog.id, agent.name, agent.name));
            }
            Some(_) => {}
            None => catalogs.push(catalog),
        }
    }
    Ok(catalogs)
}

/// Returns an error if agents have different catalogs under one id: a page knows a catalog by the id alone.
pub(in crate::manifest) fn contradiction(agents: &[AgentDef]) -> Result<(), ManifestError> {
    let all = || agents.iter().flat_map(|agent| agent.catalogs.iter().map(move |catalog| (agent, catalog)));
    for (agent, catalog) in all() {
        if let Some((other_agent, _)) = all().find(|(_, other)| other.id == catalog.id && *other != catalog) {
            return Err(contradicting(&catalog.id, &agent.name, &other_agent.name));
        }
    }
    Ok(())
}

fn contradicting(id: &str, first: &str, second: &str) -> ManifestError {
    ManifestError::ContradictingCatalogs { id: id.into(), first: first.into(), second: second.into() }
}

fn catalog(source: &CatalogSource) -> Result<CatalogDef, ManifestError> {
    let components = source.components.iter().map(|component| self::component(source, component));
    let functions = source.functions.iter().map(|function| self::function(source, function));
    Ok(CatalogDef {
        id: source.id.into(),
        name: source.name.into(),
        description: source.description.into(),
        components: components.collect::<Result<_, _>>()?,
        functions: functions.collect::<Result<_, _>>()?,
    })
}

fn component(catalog: &CatalogSource, source: &ComponentSource) -> Result<ComponentDef, ManifestError> {
    let (description, properties) =
        object(schema(catalog, source.name, &source.properties, ToolSide::Frontend)?);
    Ok(ComponentDef { name: source.name.into(), description, properties })
}

fn function(
    catalog: &CatalogSource,
    source: &CatalogFunctionSource,
) -> Result<CatalogFunctionDef, ManifestError> {
    let CatalogFunctionSource { name, side, .. } = *source;
    // An argument that is not there is not `null` either: the contract of a reader describes that.
    let (description, arguments) = object(schema(catalog, name, &source.arguments, ToolSide::Frontend)?);
    let value = schema(catalog, name, &source.value, side)?;
    let value = Some(value).filter(|value| value.get("type").and_then(Value::as_str) != Some("null"));
    Ok(CatalogFunctionDef { name: name.into(), side, description, arguments, value })
}

/// Returns a schema without references. `Frontend` asks for the form that the agent reads, in which an `Option` may be left out.
fn schema(
    catalog: &CatalogSource,
    item: &str,
    source: &TypeSource,
    side: ToolSide,
) -> Result<Value, ManifestError> {
    let settings = SchemaSettings::draft2020_12();
    let settings = match side {
        ToolSide::Frontend => settings.for_deserialize(),
        ToolSide::Backend => settings.for_serialize(),
    };
    let settings = settings.with(|settings| {
        settings.inline_subschemas = true;
        settings.definitions_path = RENDERED.into();
    });
    let mut schema = normal(source.schema(&mut settings.into_generator()).to_value());
    unwritable_default::remove_from_root(&mut schema);
    let mut is_recursive = false;
    walk(&schema, &mut |_, object| is_recursive |= object.contains_key("$ref"));
    if is_recursive {
        return Err(ManifestError::RecursiveCatalogType { catalog: catalog.id.into(), item: item.into() });
    }
    Ok(schema)
}

/// Splits the description off a schema. A unit struct is an object without members.
fn object(mut schema: Value) -> (String, Value) {
    let mut description = String::new();
    if let Value::Object(members) = &mut schema {
        if let Some(Value::String(text)) = members.get_mut("description") {
            description = std::mem::take(text);
        }
        members.retain(|name, _| name != "title" && name != "description");
    }
    let is_unit = schema.get("type").and_then(Value::as_str) == Some("null");
    (description, if is_unit { json!({ "type": "object" }) } else { schema })
}
