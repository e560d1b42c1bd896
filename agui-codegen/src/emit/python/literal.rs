//! JSON values as Python source.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::names::text;
use crate::emit::literal::LiteralLayout;

const LAYOUT: LiteralLayout = LiteralLayout { width: 88, step: 4, gap: "", scalar, key };

/// Prints `value` as an expression that starts at column `column` in a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    LAYOUT.literal(value, indent, column)
}

/// Prints a dictionary with each member on a separate line.
pub(super) fn members(members: &Map<String, Value>) -> String {
    LAYOUT.members(members)
}

fn scalar(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::String(value) => text(value).into(),
        other => other.to_string().into(),
    }
}

fn key(name: &str) -> Cow<'_, str> {
    text(name).into()
}
