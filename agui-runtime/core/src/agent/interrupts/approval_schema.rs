//! Approval response schema, in a form that user interfaces read.

use serde_json::Value;

use crate::manifest::{Keyword, keyword};
use crate::protocol::JsonObject;

/// The member whose type has definitions: the tool's arguments.
const ARGUMENTS: &str = "editedArgs";

/// Moves the schema definitions from the root to the arguments, the only place that refers to them. assistant-ui shows approval
/// buttons only if it knows every root keyword, and it does not know `$defs`.
pub(super) fn with_definitions_inside(mut schema: JsonObject) -> JsonObject {
    let Some(definitions) = schema.remove("$defs") else { return schema };
    let arguments = schema.get_mut("properties").and_then(|members| members.get_mut(ARGUMENTS));
    match arguments {
        Some(Value::Object(arguments)) => {
            arguments.insert("$defs".to_owned(), definitions);
            move_references(arguments);
        }
        _ => drop(schema.insert("$defs".to_owned(), definitions)),
    }
    schema
}

fn move_references(schema: &mut JsonObject) {
    for (name, value) in schema.iter_mut() {
        match (keyword(name), value) {
            (_, Value::String(reference)) if name == "$ref" => {
                if let Some(definition) = reference.strip_prefix("#/$defs/") {
                    *reference = format!("#/properties/{ARGUMENTS}/$defs/{definition}");
                }
            }
            (Keyword::Schema, Value::Object(schema)) => move_references(schema),
            (Keyword::SchemaList, Value::Array(schemas)) => {
                schemas.iter_mut().filter_map(Value::as_object_mut).for_each(move_references);
            }
            (Keyword::SchemaMap, Value::Object(schemas)) => {
                schemas.values_mut().filter_map(Value::as_object_mut).for_each(move_references);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn moved(schema: &Value) -> Value {
        with_definitions_inside(schema.as_object().cloned().unwrap_or_default()).into()
    }

    #[test]
    fn references_follow_the_definitions() {
        let tree = |place: &str| json!({ "type": "object", "properties": { "$ref": { "type": "array", "items": { "$ref": place } } } });
        let root = json!({
            "properties": {
                "approved": { "type": "boolean" },
                "editedArgs": { "anyOf": [{ "$ref": "#/$defs/Tree" }, { "type": "null" }] },
            },
            "$defs": { "Tree": tree("#/$defs/Tree") },
        });
        let there = "#/properties/editedArgs/$defs/Tree";
        let inside = json!({
            "properties": {
                "approved": { "type": "boolean" },
                "editedArgs": {
                    "anyOf": [{ "$ref": there }, { "type": "null" }], "$defs": { "Tree": tree(there) },
                },
            },
        });
        assert_eq!(moved(&root), inside);
        assert_eq!(moved(&inside), inside);
    }

    #[test]
    fn a_schema_without_arguments_keeps_its_definitions() {
        for schema in
            [json!({ "$defs": { "A": true } }), json!({ "properties": { "editedArgs": true }, "$defs": {} })]
        {
            assert_eq!(moved(&schema), schema);
        }
    }
}
