//! The descriptions of an agent's tools as MCP has them.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::Schema;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;

use crate::manifest::{AgentSource, ToolSource, check_plain_object};
use crate::protocol::ToolSide;

/// Returns the tools that clients see. Without `approves`, those that ask the user are left out.
pub(super) fn exported(source: &AgentSource, approves: bool) -> impl Iterator<Item = &ToolSource> {
    source.tools.iter().filter(move |tool| tool.side == ToolSide::Backend && (approves || !tool.approval))
}

/// Returns the name of the first of these tools whose arguments are no plain object.
pub(super) fn without_object(source: &AgentSource, approves: bool) -> Option<&'static str> {
    let is_object = |tool: &ToolSource| check_plain_object(&tool.arguments.root_schema().to_value()).is_ok();
    exported(source, approves).find(|tool| !is_object(tool)).map(|tool| tool.name)
}

/// Returns the description of a tool: JSON Schema 2020-12, as schemars generates it.
pub(super) fn describe(source: &ToolSource) -> Tool {
    let mut tool = Tool::new(source.name, source.description, object(source.arguments.root_schema()));
    let given = &source.annotations;
    let title = given.title.as_deref().map(str::to_owned);
    tool.title.clone_from(&title);
    if !given.is_empty() {
        tool.annotations = Some(ToolAnnotations::from_raw(
            title,
            given.read_only_hint,
            given.destructive_hint,
            given.idempotent_hint,
            given.open_world_hint,
        ));
    }
    // Only the newest version of the protocol knows results that are no objects.
    let output = source.result.map(|result| object(result.written_schema()));
    tool.output_schema = output.filter(|schema| schema.get("type").and_then(Value::as_str) == Some("object"));
    tool
}

fn object(mut schema: Schema) -> Arc<JsonObject> {
    ObjectsOnly.transform(&mut schema);
    match schema.to_value() {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    }
}

/// Writes the schemas `true` and `false` as objects. Clients in use read descriptions with types of JSON Schema from before
/// them, and one such schema hides all tools of a server from them.
struct ObjectsOnly;

/// The keywords that have been schemas or booleans since draft 4, or that no older reader knows. Providers take
/// `"additionalProperties": false` only in this form.
const BOOLEANS: [&str; 4] =
    ["additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems"];

impl Transform for ObjectsOnly {
    fn transform(&mut self, schema: &mut Schema) {
        schema.ensure_object();
        let is_boolean = |keyword: &&str| schema.get(*keyword).is_some_and(Value::is_boolean);
        let kept: Vec<_> = BOOLEANS
            .into_iter()
            .filter(is_boolean)
            .filter_map(|keyword| Some((keyword, schema.get(keyword)?.clone())))
            .collect();
        transform_subschemas(self, schema);
        self.transform_newer(schema);
        for (keyword, value) in kept {
            schema.insert(keyword.to_owned(), value);
        }
    }
}

impl ObjectsOnly {
    /// The keywords that schemars does not visit.
    fn transform_newer(&mut self, schema: &mut Schema) {
        for keyword in ["unevaluatedProperties", "unevaluatedItems", "contentSchema"] {
            if let Some(inner) = schema.get_mut(keyword).and_then(|inner| inner.try_into().ok()) {
                self.transform(inner);
            }
        }
        for keyword in ["dependentSchemas", "dependencies"] {
            let inner = schema.get_mut(keyword).and_then(Value::as_object_mut);
            for inner in
                inner.into_iter().flat_map(serde_json::Map::values_mut).filter(|inner| !inner.is_array())
            {
                if let Ok(inner) = inner.try_into() {
                    self.transform(inner);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn booleans_are_objects_at_every_level() {
        let schema = json!({
            "type": "object",
            "properties": {
                "any": true,
                "none": false,
                "list": { "type": "array", "items": true, "prefixItems": [true, { "properties": { "a": true } }] },
                "default": { "type": "boolean", "default": true, "const": true, "enum": [true, false] },
                "map": { "type": "object", "additionalProperties": { "properties": { "b": true } } },
            },
            "additionalProperties": false,
            "unevaluatedProperties": false,
            "patternProperties": { "^x": true },
            "anyOf": [true, { "not": false }],
            "if": true, "then": { "then": true }, "contains": true, "propertyNames": true,
            "dependentSchemas": { "any": true, "list": { "properties": { "c": false } } },
            "contentSchema": true,
            "$defs": { "Any": true, "Inner": { "allOf": [true] } },
        });
        let never = json!({ "not": {} });
        let expected = json!({
            "type": "object",
            "properties": {
                "any": {},
                "none": never,
                "list": { "type": "array", "items": {}, "prefixItems": [{}, { "properties": { "a": {} } }] },
                "default": { "type": "boolean", "default": true, "const": true, "enum": [true, false] },
                "map": { "type": "object", "additionalProperties": { "properties": { "b": {} } } },
            },
            "additionalProperties": false,
            "unevaluatedProperties": false,
            "patternProperties": { "^x": {} },
            "anyOf": [{}, { "not": never }],
            "if": {}, "then": { "then": {} }, "contains": {}, "propertyNames": {},
            "dependentSchemas": { "any": {}, "list": { "properties": { "c": never } } },
            "contentSchema": {},
            "$defs": { "Any": {}, "Inner": { "allOf": [{}] } },
        });
        assert_eq!(Value::Object((*object(schema.try_into().unwrap())).clone()), expected);
        assert_eq!(*object(true.into()), serde_json::Map::new());
    }
}
