//! JSON values as Python source.

use serde_json::Value;

use super::names::text;
use crate::emit::literal::Layout;

const LAYOUT: Layout = Layout { width: 88, step: 4, one_line, key: text };

/// `value` as an expression that starts at column `column` of a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    LAYOUT.literal(value, indent, column)
}

fn one_line(value: &Value) -> String {
    match value {
        Value::Null => "None".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Number(number) => number.to_string(),
        Value::String(value) => text(value),
        Value::Array(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let members = members.iter().map(|(name, value)| format!("{}: {}", text(name), one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
    }
}
