//! Checks a dynamic tool's schema at construction, before a model reads it.

use serde_json::Value;

use crate::manifest::structure::referred;
use crate::quoted::quoted;

/// The deepest schema nesting. JSON parsers have a similar limit.
const DEEPEST: usize = 128;

const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// The path to a mistake (JSON Pointer), and the reason.
type SchemaMistake = (String, String);

/// Checks that the schema describes an object, and that keywords used for argument validation are well-formed.
pub(super) fn check_parameters(root: &Value) -> Result<(), SchemaMistake> {
    let Some(members) = root.as_object() else {
        return Err((String::new(), "a JSON Schema of arguments is an object".to_owned()));
    };
    if members.get("type").and_then(Value::as_str) != Some("object") {
        return Err((
            "/type".to_owned(),
            "the arguments of a tool are an object: write `\"object\"`".to_owned(),
        ));
    }
    walk(root, root, &mut String::new(), 0)
}

fn walk(root: &Value, schema: &Value, path: &mut String, depth: usize) -> Result<(), SchemaMistake> {
    if depth > DEEPEST {
        return Err((path.clone(), "the schema is nested too deep".to_owned()));
    }
    let members = match schema {
        Value::Bool(_) => return Ok(()),
        Value::Object(members) => members,
        _ => return Err((path.clone(), "a schema is an object, `true` or `false`".to_owned())),
    };
    for (keyword, value) in members {
        let length = path.len();
        step(path, keyword);
        let expected = |what: &str| Err((path.clone(), format!("expected {what}")));
        match (keyword.as_str(), value) {
            ("type", Value::String(name)) if TYPES.contains(&name.as_str()) => {}
            ("type", Value::Array(names))
                if names.iter().all(|name| name.as_str().is_some_and(|name| TYPES.contains(&name))) => {}
            ("type", _) => return expected("a type of JSON Schema, or a list of them"),
            ("required", Value::Array(names)) if names.iter().all(Value::is_string) => {}
            ("required", _) => return expected("a list of names"),
            ("enum", value) if !value.is_array() => return expected("a list of values"),
            ("$ref", Value::String(name)) if name.starts_with('#') && referred(root, name).is_some() => {}
            ("$ref", name) => {
                return Err((path.clone(), format!("there is nothing at {} in the schema", quoted(name))));
            }
            ("properties" | "patternProperties" | "$defs" | "definitions", Value::Object(schemas)) => {
                for (name, inner) in schemas {
                    let length = path.len();
                    step(path, name);
                    walk(root, inner, path, depth + 1)?;
                    path.truncate(length);
                }
            }
            ("properties" | "patternProperties" | "$defs" | "definitions", _) => {
                return expected("an object of schemas");
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(schemas)) if !schemas.is_empty() => {
                for (at, inner) in schemas.iter().enumerate() {
                    let length = path.len();
                    step(path, &at.to_string());
                    walk(root, inner, path, depth + 1)?;
                    path.truncate(length);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", _) => return expected("a list of schemas"),
            ("items" | "additionalProperties" | "not", inner) => walk(root, inner, path, depth + 1)?,
            _ => {}
        }
        path.truncate(length);
    }
    Ok(())
}

/// Appends a name to a JSON Pointer.
fn step(path: &mut String, name: &str) {
    path.push('/');
    path.push_str(&name.replace('~', "~0").replace('/', "~1"));
}
