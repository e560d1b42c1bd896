//! JSON values as Python source.

use serde_json::Value;

use super::names::text;

const WIDTH: usize = 88;

/// `value` as an expression that starts at column `column` of a line indented by `indent`.
pub(super) fn literal(value: &Value, indent: usize, column: usize) -> String {
    let line = one_line(value);
    if column + line.len() <= WIDTH {
        return line;
    }
    let pad = " ".repeat(indent + 4);
    let end = " ".repeat(indent);
    match value {
        Value::Array(items) if !items.is_empty() => {
            let items: String = items
                .iter()
                .map(|item| format!("{pad}{},\n", literal(item, indent + 4, indent + 5)))
                .collect();
            format!("[\n{items}{end}]")
        }
        Value::Object(members) if !members.is_empty() => {
            let members: String = members
                .iter()
                .map(|(name, value)| {
                    let key = text(name);
                    let value = literal(value, indent + 4, indent + 7 + key.len());
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
