//! A value of a JSON Schema, asked for field by field.

use serde_json::{Map, Number, Value};

use crate::aside;
use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::question::yes_no;

/// References that lead in a circle end here.
const MOST_REFERENCES: usize = 16;

/// A value that the user is asked for.
#[derive(Debug, PartialEq)]
pub enum Form {
    /// The members of an object, each with a line of its own.
    Fields(Vec<Field>),
    /// One line for the whole value.
    Whole(Kind),
}

/// A member of an object.
#[derive(Debug, PartialEq)]
pub struct Field {
    name: String,
    kind: Kind,
    is_required: bool,
}

/// The kind of a value.
#[derive(Debug, PartialEq)]
pub enum Kind {
    YesNo,
    Integer,
    Number,
    Text,
    /// One of these values.
    Choice(Vec<Value>),
    Json,
}

impl Form {
    /// The form of a schema.
    pub fn of(schema: &Value) -> Self {
        let root = schema;
        let found = plain(schema, root);
        let members =
            found.get("properties").and_then(Value::as_object).filter(|members| !members.is_empty());
        let Some(members) = members else { return Self::Whole(Kind::of(found, root)) };
        let required = found.get("required").and_then(Value::as_array);
        let is_required = |name: &str| required.into_iter().flatten().any(|required| required == name);
        let fields = members.iter().map(|(name, member)| Field {
            name: name.clone(),
            kind: Kind::of(plain(member, root), root),
            is_required: is_required(name),
        });
        Self::Fields(fields.collect())
    }

    /// Asks for the value, and returns it as the content of a result; `None` if the user gives up by an empty line, or leaves.
    /// The whole value as JSON is an answer to the first question.
    pub async fn ask(&self, lines: &mut Lines, interrupts: &mut Interrupts) -> Option<String> {
        let fields = match self {
            Self::Whole(kind) => {
                let prompt = format!("  ({}) ", kind.hint());
                return loop {
                    let line =
                        lines.next(&prompt, interrupts).await.filter(|line| !line.trim().is_empty())?;
                    match kind.read(&line) {
                        Some(Value::String(text)) => break Some(text),
                        Some(value) => break Some(value.to_string()),
                        None => aside::say(format_args!("  expected {}", kind.hint())),
                    }
                };
            }
            Self::Fields(fields) => fields,
        };
        let mut found = Map::new();
        for (at, field) in fields.iter().enumerate() {
            let is_first = at == 0;
            let prompt = field.prompt(is_first);
            let value = loop {
                let line = lines.next(&prompt, interrupts).await?;
                if is_first && let Ok(Value::Object(_)) = serde_json::from_str(&line) {
                    return Some(line.trim().to_owned());
                }
                match (line.trim().is_empty(), field.is_required) {
                    (true, false) => break None,
                    (true, true) if is_first => return None,
                    _ => {}
                }
                match field.kind.read(&line) {
                    Some(value) => break Some(value),
                    None => aside::say(format_args!("  expected {}", field.kind.hint())),
                }
            };
            found.extend(value.map(|value| (field.name.clone(), value)));
        }
        Some(Value::Object(found).to_string())
    }
}

impl Field {
    fn prompt(&self, is_first: bool) -> String {
        let whole = if is_first { "; or all of it as JSON" } else { "" };
        let left_out = if self.is_required { "" } else { "; empty to leave it out" };
        format!("  {} ({}{left_out}{whole}) ", self.name, self.kind.hint())
    }
}

impl Kind {
    fn of(schema: &Value, root: &Value) -> Self {
        if let Some(choices) = choices(schema, root) {
            return Self::Choice(choices);
        }
        match type_of(schema) {
            Some("boolean") => Self::YesNo,
            Some("integer") => Self::Integer,
            Some("number") => Self::Number,
            Some("string") => Self::Text,
            _ => Self::Json,
        }
    }

    fn hint(&self) -> String {
        match self {
            Self::YesNo => "yes or no".to_owned(),
            Self::Integer => "a whole number".to_owned(),
            Self::Number => "a number".to_owned(),
            Self::Text => "text".to_owned(),
            Self::Choice(choices) => choices.iter().map(words).collect::<Vec<_>>().join(" | "),
            Self::Json => "JSON".to_owned(),
        }
    }

    /// Reads a line; `None` if it is no such value.
    fn read(&self, line: &str) -> Option<Value> {
        let line = line.trim();
        let number = || serde_json::from_str::<Number>(line).ok();
        match self {
            Self::YesNo => yes_no(line).or_else(|| line.parse().ok()).map(Value::from),
            Self::Integer => number().filter(|number| !number.is_f64()).map(Value::from),
            Self::Number => number().map(Value::from),
            Self::Text => Some(Value::from(line)),
            Self::Choice(choices) => choices.iter().find(|choice| words(choice) == line).cloned(),
            Self::Json => serde_json::from_str(line).ok(),
        }
    }
}

/// The type of a schema: the only one of several types beside `null`.
fn type_of(schema: &Value) -> Option<&str> {
    let kind = schema.get("type")?;
    let listed = kind.as_array().map_or_else(|| std::slice::from_ref(kind), Vec::as_slice);
    let mut kinds = listed.iter().filter_map(Value::as_str).filter(|kind| *kind != "null");
    kinds.next().filter(|_| kinds.next().is_none())
}

/// A value as the user writes it.
fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The schema behind its references, and without `null` beside one other form: what may be null may be left out.
fn plain<'s>(schema: &'s Value, root: &'s Value) -> &'s Value {
    let mut found = schema;
    for _ in 0..MOST_REFERENCES {
        let referred =
            found.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        let forms = ["anyOf", "oneOf", "allOf"].into_iter().find_map(|name| found.get(name)?.as_array());
        let is_null = |form: &&Value| form.get("type").is_some_and(|kind| kind == "null");
        let mut others = forms.into_iter().flatten().filter(|form| !is_null(form));
        found = match (referred.and_then(|path| root.pointer(path)), others.next(), others.next()) {
            (Some(target), ..) => target,
            (None, Some(only), None) => only,
            _ => return found,
        };
    }
    found
}

/// The values of a schema that lists them.
fn choices(schema: &Value, root: &Value) -> Option<Vec<Value>> {
    if let Some(listed) = schema.get("enum") {
        return listed.as_array().cloned();
    }
    if let Some(only) = schema.get("const") {
        return Some(vec![only.clone()]);
    }
    let forms = ["oneOf", "anyOf"].into_iter().find_map(|name| schema.get(name)?.as_array())?;
    let listed: Option<Vec<_>> = forms.iter().map(|form| choices(plain(form, root), root)).collect();
    listed.map(|lists| lists.concat()).filter(|choices| !choices.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn members_become_fields() {
        let schema = json!({
            "$defs": {
                "Size": { "oneOf": [{ "const": "small" }, { "enum": ["large", 3] }] },
                "Order": {
                    "type": "object",
                    "properties": {
                        "approved": { "type": "boolean" },
                        "note": { "anyOf": [{ "type": "string" }, { "type": "null" }] },
                        "size": { "$ref": "#/$defs/Size" },
                        "count": { "type": "integer" },
                        "more": { "type": "array" },
                        "word": { "type": ["string", "null"] },
                    },
                    "required": ["approved", "count"],
                },
            },
            "$ref": "#/$defs/Order",
        });
        let Form::Fields(fields) = Form::of(&schema) else { panic!("no fields") };
        let prompts: Vec<_> = fields.iter().enumerate().map(|(at, field)| field.prompt(at == 0)).collect();
        assert_eq!(
            prompts,
            [
                "  approved (yes or no; or all of it as JSON) ",
                "  note (text; empty to leave it out) ",
                "  size (small | large | 3; empty to leave it out) ",
                "  count (a whole number) ",
                "  more (JSON; empty to leave it out) ",
                "  word (text; empty to leave it out) ",
            ]
        );
        let read = |at: usize, line: &str| fields[at].kind.read(line);
        assert_eq!(
            (read(0, "Yes"), read(0, "true"), read(0, "1")),
            (Some(json!(true)), Some(json!(true)), None)
        );
        assert_eq!(
            (read(2, "large"), read(2, "3"), read(2, "tiny")),
            (Some(json!("large")), Some(json!(3)), None)
        );
        assert_eq!((read(3, "7"), read(3, "7.5"), read(3, "x")), (Some(json!(7)), None, None));
        assert_eq!((read(4, "[1]"), read(4, "[")), (Some(json!([1])), None));
    }

    #[test]
    fn schemas_in_a_circle_are_json() {
        let circle = json!({ "$defs": { "A": { "$ref": "#/$defs/A" } }, "$ref": "#/$defs/A" });
        assert_eq!(Form::of(&circle), Form::Whole(Kind::Json));
        assert_eq!(Form::of(&json!(true)), Form::Whole(Kind::Json));
        assert_eq!(Form::of(&json!({ "type": "string" })), Form::Whole(Kind::Text));
    }
}
