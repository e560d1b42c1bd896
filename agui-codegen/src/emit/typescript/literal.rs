//! JSON values as TypeScript source.

use serde_json::Value;

use super::names::{member, text};

const WIDTH: usize = 88;

/// `value` as an expression that starts at column `column` of a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    let line = one_line(value);
    if column + line.len() <= WIDTH {
        return line;
    }
    let pad = " ".repeat(indent + 2);
    let end = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() => {
            let items: String = items
                .iter()
                .map(|item| format!("{pad}{},\n", literal(item, indent + 2, indent + 3)))
                .collect();
            format!("[\n{items}{end}]")
        }
        Value::Object(members) if !members.is_empty() => {
            let members: String = members
                .iter()
                .map(|(name, value)| {
                    let key = key(name);
                    let value = literal(value, indent + 2, indent + 5 + key.len());
                    format!("{pad}{key}: {value},\n")
                })
                .collect();
            format!("{{\n{members}{end}}}")
        }
        _ => line,
    }
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
