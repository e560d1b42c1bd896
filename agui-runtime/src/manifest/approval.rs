//! The question of tools with approval, as an interrupt of the manifest: every client generator then knows it.

use serde_json::{Value, json};

use super::InterruptDef;

/// The `reason` of the question whether a call may run (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
pub(crate) const REASON: &str = "tool_call";

/// Returns the interrupt of these tools. Each has the schema of its arguments as the client receives them, and as it may
/// send them.
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
    edited.push(json!({ "type": "null" }));
    let arguments = json!({
        "anyOf": edited,
        "description": "Other arguments, which replace those of the call entirely.",
    });
    let reason = json!({
        "type": ["string", "null"],
        "description": "The reason of a refusal, which the model reads.",
    });
    InterruptDef {
        reason: REASON.to_owned(),
        message: None,
        description: "Asks whether a call of a tool may run.".to_owned(),
        payload: one_of(questions),
        response: json!({
            "type": "object",
            "properties": {
                "approved": { "type": "boolean", "description": "True if the call may run." },
                "editedArgs": arguments,
                "reason": reason,
            },
            "required": ["approved"],
        }),
    }
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
