//! A tool's arguments as one object: model providers accept nothing else.

use serde_json::Value;

/// Why a schema does not describe one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlike {
    /// The schema has alternatives, by this keyword.
    Alternatives(&'static str),
    /// The schema has another type.
    AnotherType,
}

/// Checks that the schema's values are objects, without alternatives.
///
/// # Errors
/// The first difference.
pub fn check_plain_object(schema: &Value) -> Result<(), Unlike> {
    let keyword =
        ["anyOf", "oneOf", "allOf", "enum", "not"].into_iter().find(|keyword| schema.get(keyword).is_some());
    match keyword {
        Some(keyword) => Err(Unlike::Alternatives(keyword)),
        None if schema.get("type").and_then(Value::as_str) == Some("object") => Ok(()),
        None => Err(Unlike::AnotherType),
    }
}
