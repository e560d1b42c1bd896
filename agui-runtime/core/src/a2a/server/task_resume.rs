//! Resume entries and tool results in a client's message to a waiting task.

use serde::Deserialize;
use serde_json::Value;

use crate::a2a::wire::{A2aPart, A2aPartContent};
use crate::protocol::{
    Interrupt, InterruptId, JsonObject, NonNull, ResumeEntry, ResumeStatus, ToolCall, ToolCallId, ToolMessage,
};

/// The resume entries and results that a message supplies to a waiting task.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct TaskResume {
    /// Resume entries for interrupts.
    pub(crate) resume: Vec<ResumeEntry>,
    /// Results for frontend tool calls.
    pub(crate) results: Vec<ToolMessage>,
    /// True if data parts named their interrupt or call; else the whole message is the payload.
    pub(crate) are_named: bool,
}

/// A data part from a client that knows the ids.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResumePart {
    #[serde(default)]
    interrupt_id: Option<InterruptId>,
    #[serde(default)]
    status: Option<ResumeStatus>,
    #[serde(default)]
    payload: Option<Value>,
    #[serde(default)]
    tool_call_id: Option<ToolCallId>,
    #[serde(default)]
    content: Option<Value>,
}

/// Reads resume entries and tool results for the open interrupts and pending calls. Data parts may name an interrupt or a call; if
/// only one is open, the message itself is the payload.
///
/// The error text says what to send.
pub(crate) fn task_resume_of(
    parts: &[A2aPart],
    questions: &[Interrupt],
    calls: &[ToolCall],
    message: &str,
) -> Result<TaskResume, String> {
    let mut task_resume = TaskResume::default();
    for named in parts.iter().filter_map(named) {
        if let Some(id) = named.interrupt_id {
            let mut entry = ResumeEntry::new(id, named.status.unwrap_or(ResumeStatus::Resolved));
            entry.payload = named.payload.and_then(NonNull::new);
            task_resume.resume.push(entry);
        } else if let Some(call) = named.tool_call_id {
            task_resume.results.push(result(message, call, named.content.unwrap_or_default()));
        }
    }
    if task_resume != TaskResume::default() {
        task_resume.are_named = true;
        return Ok(task_resume);
    }
    match (questions, calls) {
        ([question], []) => {
            let mut entry = ResumeEntry::new(question.id.clone(), ResumeStatus::Resolved);
            entry.payload = NonNull::new(payload(parts, question.response_schema.as_ref())?);
            task_resume.resume.push(entry);
        }
        ([], [call]) => {
            let content = value(parts).unwrap_or_else(|| Value::String(A2aPart::text_of(parts)));
            task_resume.results.push(result(message, call.id.clone(), content));
        }
        _ => {
            return Err("several things are open: expected data parts such as `{\"interruptId\": …, \"payload\": …}` or \
                        `{\"toolCallId\": …, \"content\": …}`"
                .to_owned());
        }
    }
    Ok(task_resume)
}

/// Reads a data part that names an interrupt or a call.
fn named(part: &A2aPart) -> Option<ResumePart> {
    let A2aPartContent::Data(Value::Object(data)) = &part.content else { return None };
    let is_named = data.contains_key("interruptId") || data.contains_key("toolCallId");
    is_named.then(|| serde_json::from_value(Value::Object(data.clone())).ok()).flatten()
}

fn result(message: &str, call: ToolCallId, content: Value) -> ToolMessage {
    let content = match content {
        Value::String(text) => text,
        value => value.to_string(),
    };
    ToolMessage::new(format!("{message}:{call}"), content, call)
}

/// Returns the payload for the only interrupt. Text is passed as text if the schema takes texts, otherwise parsed as JSON: a
/// sentence is no approval.
fn payload(parts: &[A2aPart], schema: Option<&JsonObject>) -> Result<Value, String> {
    if let Some(data) = value(parts) {
        return Ok(data);
    }
    let text = A2aPart::text_of(parts);
    if takes_text(schema) {
        return Ok(Value::String(text));
    }
    serde_json::from_str(&text).map_err(|_| {
        let schema = schema.map(|schema| Value::Object(schema.clone()).to_string()).unwrap_or_default();
        format!("expected a value of this JSON Schema, as a data part or as JSON in a text part: {schema}")
    })
}

fn takes_text(schema: Option<&JsonObject>) -> bool {
    let Some(schema) = schema else { return true };
    match schema.get("type") {
        Some(Value::String(name)) => name == "string",
        Some(Value::Array(names)) => names.iter().any(|name| name == "string"),
        _ => schema.is_empty(),
    }
}

/// Returns the first data part's value.
fn value(parts: &[A2aPart]) -> Option<Value> {
    parts.iter().find_map(|part| match &part.content {
        A2aPartContent::Data(data) => Some(data.clone()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn question(schema: Option<Value>) -> Interrupt {
        let mut question = Interrupt::new("q", "confirmation");
        question.response_schema = schema.and_then(|schema| schema.as_object().cloned());
        question
    }

    fn payload_of(parts: &[A2aPart], schema: Option<Value>) -> Result<Value, String> {
        let task_resume = task_resume_of(parts, &[question(schema)], &[], "m")?;
        Ok(task_resume.resume[0].payload.clone().map_or(Value::Null, NonNull::into_value))
    }

    #[test]
    fn the_only_question_takes_the_message() {
        let object = || Some(json!({ "type": "object" }));
        assert_eq!(payload_of(&[A2aPart::text("Lisbon")], None), Ok(json!("Lisbon")));
        assert_eq!(
            payload_of(&[A2aPart::text("Lisbon")], Some(json!({ "type": ["string", "null"] }))),
            Ok(json!("Lisbon"))
        );
        assert_eq!(
            payload_of(&[A2aPart::data(json!({ "approved": true }))], object()),
            Ok(json!({ "approved": true }))
        );
        assert_eq!(
            payload_of(&[A2aPart::text(r#"{"approved":false}"#)], object()),
            Ok(json!({ "approved": false }))
        );
        let refused = payload_of(&[A2aPart::text("yes, please")], object()).unwrap_err();
        assert!(refused.contains(r#"{"type":"object"}"#), "{refused}");
    }

    #[test]
    fn data_parts_name_what_they_resume() {
        let parts = [
            A2aPart::text("Here you are."),
            A2aPart::data(json!({ "interruptId": "q", "status": "cancelled" })),
            A2aPart::data(json!({ "toolCallId": "c", "content": { "ok": true } })),
        ];
        let task_resume = task_resume_of(&parts, &[question(None)], &[], "m").unwrap();
        assert_eq!(task_resume.resume, [ResumeEntry::new("q", ResumeStatus::Cancelled)]);
        assert_eq!(task_resume.results, [ToolMessage::new("m:c", r#"{"ok":true}"#, "c")]);
    }

    #[test]
    fn several_open_questions_need_names() {
        let questions = [question(None), question(None)];
        assert!(task_resume_of(&[A2aPart::text("yes")], &questions, &[], "m").is_err());
    }
}
