//! Line breaks in literals. The language prints the parts.

use std::borrow::Cow;

use serde_json::Value;

/// A language's literal layout.
pub(super) struct LiteralLayout {
    pub(super) width: usize,
    /// The additional indentation for inner lines.
    pub(super) step: usize,
    /// The text between the braces and the members when an object stands on one line.
    pub(super) gap: &'static str,
    /// Prints a value that holds no other value.
    pub(super) scalar: fn(&Value) -> Cow<'_, str>,
    /// Prints a member name.
    pub(super) key: fn(&str) -> Cow<'_, str>,
}

impl LiteralLayout {
    /// Prints `value` as an expression that starts at column `column` in a line indented by `indent`.
    pub(super) fn literal(&self, value: &Value, indent: usize, column: usize) -> String {
        let mut out = String::new();
        self.write(value, indent, column, &mut out);
        out
    }

    /// Prints an object with each of the `members` on a separate line, however few there are.
    pub(super) fn members<'v>(&self, members: impl IntoIterator<Item = (&'v String, &'v Value)>) -> String {
        let mut out = String::from("{\n");
        for (name, value) in members {
            self.member(name, value, self.step, &mut out);
        }
        out.push('}');
        out
    }

    fn write(&self, value: &Value, indent: usize, column: usize, out: &mut String) {
        let start = out.len();
        // Printing on one line stops when the line is full. Otherwise a value would be printed once for each
        // nesting level.
        let end = self.width.checked_sub(column).map(|room| start + room);
        let breaks = match value {
            Value::Array(items) => !items.is_empty(),
            Value::Object(members) => !members.is_empty(),
            _ => false,
        };
        if !breaks {
            self.line(value, usize::MAX, out);
        } else if !end.is_some_and(|end| self.line(value, end, out)) {
            out.truncate(start);
            self.lines(value, indent, out);
        }
    }

    /// Writes `value` on one line; stops and returns false when the text goes beyond `end`.
    fn line(&self, value: &Value, end: usize, out: &mut String) -> bool {
        match value {
            Value::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    if !self.line(item, end, out) {
                        return false;
                    }
                }
                out.push(']');
            }
            Value::Object(members) if members.is_empty() => out.push_str("{}"),
            Value::Object(members) => {
                out.push('{');
                out.push_str(self.gap);
                for (index, (name, value)) in members.iter().enumerate() {
                    out.push_str(if index == 0 { "" } else { ", " });
                    out.push_str(&(self.key)(name));
                    out.push_str(": ");
                    if !self.line(value, end, out) {
                        return false;
                    }
                }
                out.push_str(self.gap);
                out.push('}');
            }
            scalar => out.push_str(&(self.scalar)(scalar)),
        }
        out.len() <= end
    }

    fn lines(&self, value: &Value, indent: usize, out: &mut String) {
        let inner = indent + self.step;
        let closing = match value {
            Value::Array(items) => {
                out.push_str("[\n");
                for item in items {
                    pad(inner, out);
                    // A comma follows each inner value.
                    self.write(item, inner, inner + 1, out);
                    out.push_str(",\n");
                }
                ']'
            }
            Value::Object(members) => {
                out.push_str("{\n");
                for (name, value) in members {
                    self.member(name, value, inner, out);
                }
                '}'
            }
            scalar => return out.push_str(&(self.scalar)(scalar)),
        };
        pad(indent, out);
        out.push(closing);
    }

    fn member(&self, name: &str, value: &Value, indent: usize, out: &mut String) {
        pad(indent, out);
        let key = (self.key)(name);
        out.push_str(&key);
        out.push_str(": ");
        self.write(value, indent, indent + key.len() + 3, out);
        out.push_str(",\n");
    }
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

/// Returns `value` as a JSON string, which is a string literal in most languages.
pub(super) fn json_text(value: &str) -> String {
    // Serializing a string never fails.
    serde_json::to_string(value).unwrap_or_default()
}
