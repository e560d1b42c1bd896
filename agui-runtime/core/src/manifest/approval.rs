//! The approval interrupt in the manifest, for every client generator.

use serde_json::{Value, json};

use super::InterruptDef;
use crate::protocol::{JsonObject, object};

/// The approval interrupt's `reason` (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
pub(crate) const REASON: &str = "tool_call";

/// Returns the approval interrupt for these tools. Each tuple has a tool's name, the argument schema that the client receives, and
/// the argument schema that the client may send.
pub(super) fn interrupt(tools: Vec<(&str, Value, Value)>) -> InterruptDef {
    let (mut questions, mut edited) = (Vec::new(), Vec::new());
    for (tool, out, input) in tools {
        questions.push(json!({
            "type": "object",
            "properties": { "arguments": out, "tool": { "type": "string", "const": tool } },
            "required": ["tool", "arguments"],
        }));
        edited.push(input);
    }
    InterruptDef {
        reason: REASON.to_owned(),
        message: None,
        description: "Asks whether a call of a tool may run.".to_owned(),
        payload: one_of(questions),
        response: Value::Object(answer(edited)),
    }
}

/// Returns the schema of a resume payload, which may replace the call's arguments by arguments with these schemas.
pub(crate) fn answer(mut edited: Vec<Value>) -> JsonObject {
    edited.push(json!({ "type": "null" }));
    let properties = json!({
        "approved": { "type": "boolean", "description": "True if the call may run." },
        "editedArgs": {
            "anyOf": edited,
            "description": "Other arguments, which replace those of the call entirely.",
        },
        "reason": {
            "type": ["string", "null"],
            "description": "The reason of a refusal, which the model reads.",
        },
    });
    let members = [("type", "object".into()), ("properties", properties), ("required", json!(["approved"]))];
    object(members.map(|(name, schema)| (name.to_owned(), schema)))
}

fn one_of(mut schemas: Vec<Value>) -> Value {
    match schemas.pop() {
        Some(only) if schemas.is_empty() => only,
        last => {
            schemas.extend(last);
            json!({ "oneOf": schemas })
        }
    }
}
