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
        path: place(error.instance_path().as_str()),
        message: quoted(&error).to_string(),
    })
}

/// Returns a JSON Pointer (RFC 6901) in the notation of [`OutOfBounds::path`].
fn place(pointer: &str) -> String {
    let mut place = String::new();
    for name in pointer.split('/').skip(1) {
        if name.bytes().all(|letter| letter.is_ascii_digit()) {
            place.extend(["[", name, "]"]);
        } else {
            place.push_str(if place.is_empty() { "" } else { "." });
            place.push_str(&name.replace("~1", "/").replace("~0", "~"));
        }
    }
    if place.is_empty() { ".".to_owned() } else { place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_is_shown_as_a_path() {
        let rows = [("", "."), ("/a", "a"), ("/items/0/na~1me", "items[0].na/me"), ("/0", "[0]")];
        for (pointer, shown) in rows {
            assert_eq!(place(pointer), shown, "{pointer}");
        }
    }
}
