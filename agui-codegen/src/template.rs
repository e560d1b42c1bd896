//! Templates: files in the generated language, with placeholders and marked lines.
//!
//! | in a template | means |
//! |---|---|
//! | `{{name}}` | the value; alone on a line, each line in the value, indented as the hole is |
//! | `#+name` at a line's end | the line once for each item, or once if the value is true |
//! | `#?name` at a line's end | the line once if the value is true or has items |
//! | `#!name` at a line's end | the line if the value is false or empty |
//! | a mark alone on a line | the same for all lines up to `#-name` |
//!
//! Marks are comments, so `//+name` means the same as `#+name`. A line is left out if only an empty placeholder fills
//! the line. Names in an item hide names around the item, and `{{.}}` is the item itself. An unknown name stays in the
//! text, where tests find the name.

use serde_json::Value;

/// Fills `template` with the members in `values`.
pub(crate) fn render(template: &str, values: &Value) -> String {
    let lines: Vec<&str> = template.lines().collect();
    let mut out = String::new();
    write_lines(&lines, &TemplateScope { values, outer: None }, &mut out);
    out
}

/// The values that a template names, and the enclosing values.
struct TemplateScope<'a> {
    values: &'a Value,
    outer: Option<&'a TemplateScope<'a>>,
}

impl<'a> TemplateScope<'a> {
    fn get(&self, name: &str) -> Option<&'a Value> {
        match name {
            "." => Some(self.values),
            name => self.values.get(name).or_else(|| self.outer?.get(name)),
        }
    }
}

/// A mark's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineMark {
    Each,
    If,
    Unless,
    End,
}

const MARKS: [(&str, LineMark); 4] =
    [("+", LineMark::Each), ("?", LineMark::If), ("!", LineMark::Unless), ("-", LineMark::End)];

const COMMENTS: [&str; 2] = ["//", "#"];

/// Returns a line without the mark, the mark, and the mark's name.
fn marked(line: &str) -> Option<(&str, LineMark, &str)> {
    let before = line.trim_end_matches(|c: char| c.is_ascii_lowercase() || c == '_');
    let name = line.strip_prefix(before).filter(|name| !name.is_empty())?;
    let (before, mark) = MARKS.iter().find_map(|(sign, mark)| Some((before.strip_suffix(sign)?, *mark)))?;
    let kept = COMMENTS.iter().find_map(|comment| before.strip_suffix(comment))?;
    Some((kept.trim_end(), mark, name))
}

fn write_lines(mut rest: &[&str], scope: &TemplateScope<'_>, out: &mut String) {
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        let Some((kept, mark, value, name)) =
            marked(line).and_then(|(kept, mark, name)| Some((kept, mark, scope.get(name)?, name)))
        else {
            write_line(line, scope, out);
            continue;
        };
        let end = after.iter().position(|line| marked(line) == Some(("", LineMark::End, name)));
        if !kept.is_empty() {
            write_marked(&[kept], mark, value, scope, out);
        } else if let Some((block, after)) = end.map(|end| after.split_at(end)) {
            write_marked(block, mark, value, scope, out);
            rest = after.get(1..).unwrap_or_default();
        } else {
            write_line(line, scope, out);
        }
    }
}

fn write_marked(lines: &[&str], mark: LineMark, value: &Value, scope: &TemplateScope<'_>, out: &mut String) {
    let is_there = match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    };
    let mut write = |values| write_lines(lines, &TemplateScope { values, outer: Some(scope) }, out);
    match (mark, value) {
        (LineMark::Each, Value::Array(items)) => items.iter().for_each(write),
        (LineMark::Each, values) if is_there => write(values),
        (LineMark::If, _) if is_there => write_lines(lines, scope, out),
        (LineMark::Unless, _) if !is_there => write_lines(lines, scope, out),
        _ => {}
    }
}

fn write_line(line: &str, scope: &TemplateScope<'_>, out: &mut String) {
    let alone = line.trim_start().strip_prefix("{{").and_then(|line| line.strip_suffix("}}"));
    let value = alone.and_then(|name| scope.get(name)).and_then(Value::as_str);
    let Some(value) = value else {
        write_holes(line, scope, out);
        out.push('\n');
        return;
    };
    let indent = line.split_once("{{").map_or("", |(indent, _)| indent);
    for line in value.split_terminator('\n') {
        out.push_str(if line.is_empty() { "" } else { indent });
        out.push_str(line);
        out.push('\n');
    }
}

fn write_holes(line: &str, scope: &TemplateScope<'_>, out: &mut String) {
    let mut rest = line;
    while let Some((before, (name, after))) =
        rest.split_once("{{").and_then(|(before, hole)| Some((before, hole.split_once("}}")?)))
    {
        out.push_str(before);
        match scope.get(name).and_then(Value::as_str) {
            Some(value) => out.push_str(value),
            None => out.push_str(&format!("{{{{{name}}}}}")),
        }
        rest = after;
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn holes_and_marks() {
        let template = "import a //?tools\nimport b //!tools\nlet {{name}} = {{other}};\n  {{doc}}\n  {{none}}\n//+tools\n\n\
                        fn {{name}}({{base}})\n//-tools\n  {{.}}, //+events\nunknown //+other\n";
        let values = json!({
            "name": "x", "base": "Base", "doc": "one\n\ntwo\n", "none": "",
            "tools": [{ "name": "price" }, { "name": "{{base}}" }],
            "events": ["a", "b"],
        });
        assert_eq!(
            render(template, &values),
            "import a\nlet x = {{other}};\n  one\n\n  two\n\nfn price(Base)\n\nfn {{base}}(Base)\n  a,\n  b,\nunknown //+other\n"
        );
    }

    #[test]
    fn marks_are_comments() {
        assert_eq!(marked("let a = 1; //+threads"), Some(("let a = 1;", LineMark::Each, "threads")));
        assert_eq!(marked("import a  #?has_tools"), Some(("import a", LineMark::If, "has_tools")));
        assert_eq!(marked("    //-tools"), Some(("", LineMark::End, "tools")));
        assert_eq!(marked("let a = 1; // + 1"), None);
        assert_eq!(marked("a +b"), None);
    }
}
