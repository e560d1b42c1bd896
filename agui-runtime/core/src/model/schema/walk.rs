//! JSON Schema traversal, and steps that several dialects share.

use serde_json::{Map, Value, json};

use super::place::{SchemaFault, SchemaPath};
use crate::json::RemoveMember as _;
use crate::manifest::{Unlike, check_plain_object};

pub(super) type SchemaObject = Map<String, Value>;

/// Keywords that map names to schemas.
const SCHEMAS_BY_NAME: [&str; 4] = ["properties", "patternProperties", "$defs", "dependentSchemas"];
/// Keywords that list schemas.
const LISTS_OF_SCHEMAS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
/// Keywords with a schema as value.
const SCHEMAS: [&str; 9] = [
    "items",
    "additionalProperties",
    "not",
    "if",
    "then",
    "else",
    "contains",
    "propertyNames",
    "unevaluatedProperties",
];

/// Translates each direct child schema. Non-object values, such as `true`, stay.
pub(super) fn each_child(
    schema: &mut SchemaObject,
    place: &SchemaPath,
    translate: &mut dyn FnMut(&mut Value, &SchemaPath) -> Result<(), SchemaFault>,
) -> Result<(), SchemaFault> {
    for (keyword, value) in schema.iter_mut() {
        let at = place.child(keyword);
        match value {
            Value::Object(named) if SCHEMAS_BY_NAME.contains(&keyword.as_str()) => {
                for (name, schema) in named.iter_mut() {
                    translate(schema, &at.child(name))?;
                }
            }
            Value::Array(list) if LISTS_OF_SCHEMAS.contains(&keyword.as_str()) => {
                for (index, schema) in list.iter_mut().enumerate() {
                    translate(schema, &at.child(&index.to_string()))?;
                }
            }
            schema if SCHEMAS.contains(&keyword.as_str()) => translate(schema, &at)?,
            _ => {}
        }
    }
    Ok(())
}

/// Fails unless the root is an object without alternatives: providers accept nothing else for arguments.
pub(super) fn plain_object(schema: &Value, place: &SchemaPath) -> Result<(), SchemaFault> {
    check_plain_object(schema).map_err(|unlike| match unlike {
        Unlike::Alternatives(keyword) => place.child(keyword).fault(
            "the arguments of a tool must be one object without alternatives: take the alternatives as an argument",
        ),
        Unlike::AnotherType => place.fault("the arguments of a tool must be one object"),
    })
}

/// Returns the schema without its `$schema` keyword.
pub(super) fn without_dialect(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(members) = &mut schema {
        members.remove_member("$schema");
    }
    schema
}

/// Resolves a reference: the definition and its name.
pub(super) fn definition<'s>(
    root: &'s Value,
    reference: &str,
    place: &SchemaPath,
) -> Result<(&'s str, &'s Value), SchemaFault> {
    let name = reference.strip_prefix("#/$defs/");
    let found = name.and_then(|name| {
        let name = name.replace("~1", "/").replace("~0", "~");
        root.get("$defs")?.as_object()?.get_key_value(&name)
    });
    let (name, schema) =
        found.ok_or_else(|| place.fault(format!("the reference `{reference}` has no target")))?;
    Ok((name.as_str(), schema))
}

/// Wraps a reference that has neighbours: providers ignore or refuse keywords beside a reference.
pub(super) fn wrap_reference(members: &mut SchemaObject) {
    if members.len() > 1
        && let Some(reference) = members.remove_member("$ref")
    {
        members.insert("anyOf".to_owned(), json!([{ "$ref": reference }]));
    }
}

/// Moves a constraint unknown to the provider into the description, where the model reads it.
pub(super) fn describe(schema: &mut SchemaObject, keyword: &str, words: &str) {
    let Some(value) = schema.remove_member(keyword) else { return };
    match &value {
        Value::Bool(true) => note(schema, words),
        Value::Bool(false) | Value::Null if keyword != "default" => {}
        value => note(schema, &format!("{words}: {value}")),
    }
}

/// Adds a note to the description.
pub(super) fn note(schema: &mut SchemaObject, note: &str) {
    let description = match schema.get("description").and_then(Value::as_str) {
        Some(before) if !before.is_empty() => format!("{before} ({note})"),
        _ => format!("({note})"),
    };
    schema.insert("description".to_owned(), description.into());
}
