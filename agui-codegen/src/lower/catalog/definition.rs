//! A catalog in A2UI's own form (v1.0, schema `catalog_definition.json`), with references to the types that catalogs share
//! (schema `common_types.json`): renderers know by a reference what a property is.

use agui_runtime::manifest::{
    CatalogDef, CatalogFunctionDef, ComponentDef, Keyword, keyword, without_number_formats,
};
use agui_runtime::protocol::ToolSide;
use serde_json::{Map, Value, json};

use super::part;

pub(super) fn definition(catalog: &CatalogDef) -> Value {
    let components = catalog.components.iter().map(|known| (known.name.clone(), component(known)));
    let mut definition = json!({ "protocolVersion": "1.0", "catalogId": catalog.id });
    insert(&mut definition, "description", catalog.description.as_str());
    insert(&mut definition, "components", components.collect::<Map<_, _>>());
    if !catalog.functions.is_empty() {
        let functions = catalog.functions.iter().map(|known| (known.name.clone(), function(known)));
        insert(&mut definition, "functions", functions.collect::<Map<_, _>>());
    }
    definition
}

/// Adds a member, unless the member is an empty text.
fn insert(object: &mut Value, name: &str, value: impl Into<Value>) {
    let value = value.into();
    if let (Value::Object(members), false) = (object, value == "") {
        members.insert(name.to_owned(), value);
    }
}

/// A component's messages have members of A2UI's own, so the properties stay open.
fn component(component: &ComponentDef) -> Value {
    let shared = shared(&component.properties, true);
    let mut properties = Map::from_iter([("component".to_owned(), json!({ "const": component.name }))]);
    let mut required = vec![Value::from("component")];
    if let Some(Value::Object(own)) = shared.get("properties") {
        properties.extend(own.clone());
    }
    required.extend(shared.get("required").and_then(Value::as_array).into_iter().flatten().cloned());
    let mut definition = json!({ "type": "object" });
    insert(&mut definition, "description", component.description.as_str());
    insert(&mut definition, "properties", properties);
    insert(&mut definition, "required", required);
    definition
}

fn function(function: &CatalogFunctionDef) -> Value {
    let mut arguments = shared(&function.arguments, true);
    insert(&mut arguments, "additionalProperties", false);
    let callers = match function.side {
        ToolSide::Frontend => "rendererOrAgent",
        ToolSide::Backend => "rendererOnly",
    };
    let mut definition = json!({ "type": "object" });
    insert(&mut definition, "description", function.description.as_str());
    insert(&mut definition, "properties", json!({ "call": { "const": function.name }, "args": arguments }));
    insert(&mut definition, "required", json!(["call", "args"]));
    insert(&mut definition, "returnType", return_type(function.value.as_ref()));
    insert(&mut definition, "allowedCallers", callers);
    insert(&mut definition, "requiresUserActivation", false);
    definition
}

fn return_type(value: Option<&Value>) -> &str {
    let Some(value) = value else { return "void" };
    match value.get("type").and_then(Value::as_str) {
        Some("integer") => "number",
        Some(name @ ("string" | "number" | "boolean" | "array" | "object")) => name,
        _ => "any",
    }
}

/// Returns the schema with a reference in place of each part of A2UI. `is_object` is true for an object whose optional members are
/// left out if they have no value, so that they are never `null`.
fn shared(schema: &Value, is_object: bool) -> Value {
    let mut schema = schema.clone();
    without_number_formats(&mut schema);
    if let (true, Some(Value::Object(properties))) = (is_object, schema.get_mut("properties")) {
        properties.values_mut().for_each(remove_null);
    }
    refer(&mut schema);
    schema
}

/// Takes `null` off an optional member.
fn remove_null(schema: &mut Value) {
    let Value::Object(members) = schema else { return };
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|ty| ty != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    let Some(Value::Array(alternatives)) = members.get_mut("anyOf") else { return };
    alternatives.retain(|schema| schema.get("type").and_then(Value::as_str) != Some("null"));
    if let [Value::Object(only)] = alternatives.as_slice() {
        let only = only.clone();
        members.remove("anyOf");
        for (name, value) in only {
            members.entry(name).or_insert(value);
        }
    }
}

/// Replaces the marked schemas, at every depth.
fn refer(schema: &mut Value) {
    if let Some(name) = part(schema).map(|part| shared_type(part, schema)) {
        let mut reference = json!({ "$ref": format!("common_types.json#/$defs/{name}") });
        insert(
            &mut reference,
            "description",
            schema.get("description").and_then(Value::as_str).unwrap_or_default(),
        );
        *schema = reference;
        return;
    }
    let Value::Object(members) = schema else { return };
    for (name, value) in members.iter_mut() {
        match (keyword(name), value) {
            (Keyword::Schema, schema) => refer(schema),
            (Keyword::SchemaList, Value::Array(schemas)) => schemas.iter_mut().for_each(refer),
            (Keyword::SchemaMap, Value::Object(schemas)) => schemas.values_mut().for_each(refer),
            _ => {}
        }
    }
}

/// Returns the name of the type that A2UI shares between catalogs.
fn shared_type(part: &str, schema: &Value) -> &'static str {
    let ty = |schema: &Value| schema.get("type").and_then(Value::as_str).map(str::to_owned);
    match part {
        "action" => "Action",
        "component" => "ComponentId",
        "components" => "ChildList",
        _ => match ty(schema).as_deref() {
            Some("string") => "DynamicString",
            Some("number" | "integer") => "DynamicNumber",
            Some("boolean") => "DynamicBoolean",
            Some("array") if schema.get("items").and_then(&ty).as_deref() == Some("string") => {
                "DynamicStringList"
            }
            _ => "DynamicValue",
        },
    }
}
