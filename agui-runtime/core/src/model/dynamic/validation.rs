//! Argument validation by every keyword of JSON Schema, with crate jsonschema.

use std::sync::Arc;

use jsonschema::Validator;
use serde_json::Value;

use crate::manifest::bounds::OutOfBounds;
use crate::quoted::quoted;

/// A tool's compiled schema. `None` if crate jsonschema cannot compile the schema, such as one with a malformed `pattern`: then only
/// the structure and the bounds are checked, as without this feature.
pub(super) type CompiledSchema = Option<Arc<Validator>>;

pub(super) fn compile(tool: &str, schema: &Value) -> CompiledSchema {
    match jsonschema::options().should_validate_formats(true).build(schema) {
        Ok(validator) => Some(Arc::new(validator)),
        Err(error) => {
            tracing::warn!(tool, error = %quoted(&error), "the tool's schema has keywords that are not checked");
            None
        }
    }
}

/// Returns the first mismatch.
pub(super) fn check(schema: &CompiledSchema, arguments: &Value) -> Result<(), OutOfBounds> {
    let Some(validator) = schema else { return Ok(()) };
    validator.validate(arguments).map_err(|error| OutOfBounds {
        path: place(error.instance_path().as_str(), arguments),
        message: quoted(&error).to_string(),
    })
}

/// Returns a JSON Pointer (RFC 6901) into a value in the notation of [`OutOfBounds::path`]. Only the value says whether a number is
/// an index or a name.
fn place(pointer: &str, value: &Value) -> String {
    let (mut place, mut value) = (String::new(), Some(value));
    for name in pointer.split('/').skip(1) {
        let name = name.replace("~1", "/").replace("~0", "~");
        if let Some(Value::Array(items)) = value {
            place.extend(["[", &name, "]"]);
            value = name.parse().ok().and_then(|index: usize| items.get(index));
        } else {
            place.push_str(if place.is_empty() { "" } else { "." });
            place.push_str(&name);
            value = value.and_then(|value| value.get(&name));
        }
    }
    if place.is_empty() { ".".to_owned() } else { place }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_mismatch_has_the_path_of_the_value() {
        let number = json!({ "type": "number" });
        let schema = json!({
            "properties": {
                "items": { "items": { "properties": { "na/me": number } } },
                "2024": number,
                "": { "properties": { "a": number } },
            },
            "required": ["items"],
        });
        let schema = compile("take", &schema);
        let rows = [
            (json!({}), "."),
            (json!({ "items": [{ "na/me": "a" }] }), "items[0].na/me"),
            (json!({ "items": [], "2024": "a" }), "2024"),
            (json!({ "items": [], "": { "a": "b" } }), "a"),
        ];
        for (value, path) in rows {
            assert_eq!(check(&schema, &value).unwrap_err().path, path, "{value}");
        }
    }
}
