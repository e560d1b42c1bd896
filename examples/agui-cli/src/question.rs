//! The meaning of a line as an answer.

use agui_runtime::client::ResumeValue;
use agui_runtime::protocol::{Interrupt, NonNull};
use serde_json::{Map, Value, json};

/// The kind of answer that a question wants, as far as its `responseSchema` tells.
#[derive(Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Yes or no.
    YesNo,
    /// Yes or no, as this member of an object.
    YesNoIn(String),
    /// Text.
    Text,
    /// Any JSON, or text.
    Anything,
}

impl Wanted {
    /// The kind that an interrupt wants.
    pub fn of(interrupt: &Interrupt) -> Self {
        let Some(schema) = &interrupt.response_schema else { return Self::Anything };
        let type_of =
            |schema: &Map<String, Value>| schema.get("type").and_then(Value::as_str).map(str::to_owned);
        match type_of(schema).as_deref() {
            Some("boolean") => Self::YesNo,
            Some("string") => Self::Text,
            _ => {
                // Approval, by convention: one required member, which is a boolean.
                let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice);
                let Some([Value::String(name)]) = required else { return Self::Anything };
                let member = schema.get("properties").and_then(|properties| properties.get(name));
                match member.and_then(Value::as_object).and_then(type_of).as_deref() {
                    Some("boolean") => Self::YesNoIn(name.clone()),
                    _ => Self::Anything,
                }
            }
        }
    }

    /// The hint before the answer.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::YesNo | Self::YesNoIn(_) => "yes or no, or JSON; /cancel cancels the question",
            Self::Text => "text; /cancel cancels the question",
            Self::Anything => "JSON or text; /cancel cancels the question",
        }
    }

    /// Reads a line as an answer; `None` if it cannot be one.
    pub fn read(&self, line: &str) -> Option<ResumeValue> {
        let line = line.trim();
        if line == "/cancel" {
            return Some(ResumeValue::cancelled());
        }
        let json = || serde_json::from_str(line).ok();
        let value = match self {
            Self::YesNo => yes_no(line).map(Value::from).or_else(json)?,
            Self::YesNoIn(name) => match yes_no(line) {
                Some(yes) => json!({ name.as_str(): yes }),
                None => json()?,
            },
            Self::Text => Value::from(line),
            Self::Anything => json().unwrap_or_else(|| Value::from(line)),
        };
        Some(ResumeValue::resolved(NonNull::new(value)))
    }
}

/// Reads yes or no.
pub fn yes_no(line: &str) -> Option<bool> {
    match line.to_lowercase().as_str() {
        "y" | "yes" | "ok" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(schema: Value) -> Wanted {
        let Value::Object(schema) = schema else { unreachable!() };
        Wanted::of(&Interrupt::new("q", "x").with_response_schema(schema))
    }

    fn answer(value: Value) -> Option<ResumeValue> {
        Some(ResumeValue::resolved(NonNull::new(value)))
    }

    #[test]
    fn a_line_is_read_as_the_question_wants() {
        let approval = asking(json!({
            "type": "object",
            "properties": { "approved": { "type": "boolean" }, "editedArgs": { "type": "object" } },
            "required": ["approved"],
        }));
        assert_eq!(approval, Wanted::YesNoIn("approved".to_owned()));
        assert_eq!(approval.read(" Yes "), answer(json!({ "approved": true })));
        let edited = r#"{"approved":true,"editedArgs":{"n":1}}"#;
        assert_eq!(approval.read(edited), answer(serde_json::from_str(edited).unwrap()));
        assert_eq!(approval.read("perhaps"), None);

        assert_eq!(asking(json!({ "type": "boolean" })).read("n"), answer(json!(false)));
        assert_eq!(asking(json!({ "type": "string" })).read("yes"), answer(json!("yes")));
        let anything = Wanted::of(&Interrupt::new("q", "x"));
        assert_eq!(anything.read("[1]"), answer(json!([1])));
        assert_eq!(anything.read("rice"), answer(json!("rice")));
        assert_eq!(anything.read("/cancel"), Some(ResumeValue::cancelled()));
    }
}
