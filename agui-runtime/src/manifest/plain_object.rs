//! The arguments of a tool as one object: providers of models accept nothing else.

use serde_json::Value;

/// A reason why a schema is not that of one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlike {
    /// It has alternatives, by this keyword.
    Alternatives(&'static str),
    /// It is the schema of another type.
    AnotherType,
}

/// Checks that values of the schema are objects, and that they do not have to fit one of several others.
pub(crate) fn check_plain_object(schema: &Value) -> Result<(), Unlike> {
    let keyword =
        ["anyOf", "oneOf", "allOf", "enum", "not"].into_iter().find(|keyword| schema.get(keyword).is_some());
    match keyword {
        Some(keyword) => Err(Unlike::Alternatives(keyword)),
        None if schema.get("type").and_then(Value::as_str) == Some("object") => Ok(()),
        None => Err(Unlike::AnotherType),
    }
}
