//! Where the lines of a literal break; what they hold is the language's.

use serde_json::Value;

/// How a language lays out literals.
pub(super) struct Layout {
    pub(super) width: usize,
    /// How much further inner lines are indented.
    pub(super) step: usize,
    pub(super) one_line: fn(&Value) -> String,
    /// The name of an object's member.
    pub(super) key: fn(&str) -> String,
}

impl Layout {
    /// `value` as an expression that starts at column `column` of a line indented by `indent`.
    pub(super) fn literal(&self, value: &Value, indent: usize, column: usize) -> String {
        let line = (self.one_line)(value);
        if column + line.len() <= self.width {
            return line;
        }
        let inner = indent + self.step;
        let pad = " ".repeat(inner);
        let end = " ".repeat(indent);
        // What follows an inner value is a comma.
        match value {
            Value::Array(items) if !items.is_empty() => {
                let items: String = items
                    .iter()
                    .map(|item| format!("{pad}{},\n", self.literal(item, inner, inner + 1)))
                    .collect();
                format!("[\n{items}{end}]")
            }
            Value::Object(members) if !members.is_empty() => {
                let members: String = members
                    .iter()
                    .map(|(name, value)| {
                        let key = (self.key)(name);
                        let value = self.literal(value, inner, inner + key.len() + 3);
                        format!("{pad}{key}: {value},\n")
                    })
                    .collect();
                format!("{{\n{members}{end}}}")
            }
            _ => line,
        }
    }
}
