//! JSON values as TypeScript source.

use serde_json::Value;

use super::names::{member, text};
use crate::emit::literal::Layout;

const LAYOUT: Layout = Layout { width: 88, step: 2, one_line, key };

/// `value` as an expression that starts at column `column` of a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    LAYOUT.literal(value, indent, column)
}

fn one_line(value: &Value) -> String {
    match value {
        Value::String(value) => text(value),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) if members.is_empty() => "{}".into(),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{}: {}", key(name), one_line(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// In an expression, unlike in a type, `__proto__: x` would set the prototype.
fn key(name: &str) -> String {
    if name == "__proto__" { "[\"__proto__\"]".into() } else { member(name) }
}
