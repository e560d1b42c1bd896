//! JSON values as TypeScript source.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::names::{member, text};
use crate::emit::literal::LiteralLayout;

const LAYOUT: LiteralLayout = LiteralLayout { width: 88, step: 2, gap: " ", scalar, key };

/// Prints `value` as an expression that starts at column `column` in a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    LAYOUT.literal(value, indent, column)
}

/// Prints an object with each member on a separate line.
pub(super) fn members(members: &Map<String, Value>) -> String {
    LAYOUT.members(members)
}

fn scalar(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(value) => text(value).into(),
        Value::Bool(true) => "true".into(),
        Value::Bool(false) => "false".into(),
        other => other.to_string().into(),
    }
}

/// Prints a member name in an object expression. There, unlike in a type, `__proto__: x` sets the prototype.
pub(super) fn key(name: &str) -> Cow<'_, str> {
    if name == "__proto__" { "[\"__proto__\"]".into() } else { member(name) }
}
