//! An agent's interrupts as requests for the client's user (MCP 2026-07-28, section "Multi Round-Trip Requests").
//!
//! The request's opaque state has the ids of the interrupts, which are signed together with the call: no client can answer a question
//! that was not asked, or answer a question for other arguments. The state also has the conversation of the call's subagents, encrypted,
//! so that they continue where they asked: it opens for the same interrupts alone. Each response, a refusal too, counts once in
//! a process, and once in all processes on a thread store.

use std::collections::BTreeMap;
use std::sync::Arc;

use rmcp::model::{
    ElicitRequest, ElicitRequestParams, ElicitationSchema, InputRequest, InputRequiredResult, InputResponses,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::hosted::ResumedCall;
use agui_runtime_core::__leaf::ResumedLoneCall;
use agui_runtime_core::protocol::{Interrupt, InterruptId, NonNull, ResumeEntry, ResumeStatus, ToolCallId};

/// The reason of approvals (AG-UI 1.0, section "Interrupt and `ResumeEntry`").
const APPROVAL: &str = "tool_call";

/// The member of a form for a value that is no object.
const VALUE: &str = "value";

/// The opaque state of a call that waits for its user.
#[derive(Serialize, Deserialize)]
struct AskedState {
    thread: String,
    call: ToolCallId,
    /// The sealed conversation of the call's agents.
    conversation: String,
    /// The interrupts' ids by their keys, with true for values that are no objects.
    asked: BTreeMap<String, (InterruptId, bool)>,
}

/// Returns the request for a call's interrupts.
///
/// # Errors
/// A text for a client whose forms cannot have the payload.
pub(super) fn requests(
    thread: &str,
    call: ToolCallId,
    interrupts: &[Interrupt],
    conversation: String,
) -> Result<InputRequiredResult, String> {
    let (mut requests, mut asked) = (BTreeMap::new(), BTreeMap::new());
    for (at, interrupt) in interrupts.iter().enumerate() {
        let (schema, is_wrapped) = form(interrupt).ok_or_else(|| {
            format!("the tool asks for `{}`, which no form of MCP can have", interrupt.reason)
        })?;
        let message = interrupt.message.clone().unwrap_or_else(|| interrupt.reason.clone());
        let message = match interrupt.metadata.as_ref().and_then(|metadata| metadata.get("agui-rust/payload"))
        {
            Some(payload) => format!("{message}\n{payload}"),
            None => message,
        };
        let params =
            ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema: schema };
        let key = format!("question-{at}");
        requests.insert(key.clone(), InputRequest::Elicitation(ElicitRequest::new(params)));
        asked.insert(key, (interrupt.id.clone(), is_wrapped));
    }
    let state = AskedState { thread: thread.to_owned(), call, conversation, asked };
    let state = serde_json::to_string(&state).map_err(|error| error.to_string())?;
    Ok(InputRequiredResult::new(Some(requests), Some(state)))
}

/// Returns a form for an interrupt's payload, and true if the payload is the form's only value.
fn form(interrupt: &Interrupt) -> Option<(ElicitationSchema, bool)> {
    if interrupt.reason == APPROVAL {
        let schema = json!({
            "type": "object",
            "properties": {
                "approved": { "type": "boolean", "description": "True if the call may run." },
                "reason": { "type": "string", "description": "The reason of a refusal, which the model reads." },
            },
            "required": ["approved"],
        });
        return Some((serde_json::from_value(schema).ok()?, false));
    }
    let schema = serde_json::to_value(interrupt.response_schema.as_ref()?).ok()?;
    if let Ok(form) = serde_json::from_value(schema.clone()) {
        return Some((form, false));
    }
    let wrapped = json!({ "type": "object", "properties": { VALUE: schema }, "required": [VALUE] });
    Some((serde_json::from_value(wrapped).ok()?, true))
}

/// Reads the state and the responses of a call that is made again.
///
/// # Errors
/// A text for a state in another form, and for a question without a response: the client is to send all responses at once, and none
/// counts before.
pub(super) fn resumed(
    state: &str,
    responses: Option<InputResponses>,
) -> Result<(Arc<str>, ResumedCall), String> {
    let state = serde_json::from_str::<AskedState>(state);
    let AskedState { thread, call, conversation, asked } =
        state.map_err(|_| "the request state is not this server's".to_owned())?;
    let mut responses = responses.unwrap_or_default();
    let entries = asked.into_iter().map(|(key, (id, is_wrapped))| {
        let response = responses.remove(&key).ok_or_else(|| {
            format!("`{key}` has no response: send the responses to all questions in one call")
        })?;
        let content = response.get("content").filter(|_| response.get("action") == Some(&json!("accept")));
        let payload = match (content, is_wrapped) {
            (Some(content), true) => content.get(VALUE),
            (content, _) => content,
        };
        Ok::<_, String>(match payload.cloned().and_then(NonNull::new) {
            Some(payload) => ResumeEntry::new(id, ResumeStatus::Resolved).with_payload(payload),
            // Whatever is no consent is a refusal.
            None => ResumeEntry::new(id, ResumeStatus::Cancelled),
        })
    });
    let entries = entries.collect::<Result<_, _>>()?;
    let call = ResumedLoneCall { call, conversation, claim: None };
    Ok((thread.into(), ResumedCall { call, entries }))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn entry(responses: Value) -> (ResumeStatus, Option<Value>) {
        let interrupt = Interrupt::new("a", APPROVAL);
        let asked = requests("thread", "call".into(), &[interrupt], "sealed".to_owned()).unwrap();
        let responses = serde_json::from_value(responses).unwrap();
        let (thread, resumed) = resumed(&asked.request_state.unwrap(), responses).unwrap();
        assert_eq!((&*thread, resumed.call.call.as_str(), resumed.entries.len()), ("thread", "call", 1));
        let entry = &resumed.entries[0];
        (entry.status, entry.payload.clone().map(agui_runtime_core::protocol::NonNull::into_value))
    }

    #[test]
    fn only_an_accepted_form_is_a_resolved_entry() {
        let approved = json!({ "approved": true });
        assert_eq!(
            entry(json!({ "question-0": { "action": "accept", "content": approved } })),
            (ResumeStatus::Resolved, Some(approved.clone()))
        );
        for responses in [
            json!({ "question-0": { "action": "decline", "content": approved } }),
            json!({ "question-0": { "action": "cancel" } }),
            json!({ "question-0": { "action": "accept" } }),
            json!({ "question-0": { "content": approved } }),
            json!({ "question-0": approved }),
        ] {
            assert_eq!(entry(responses.clone()), (ResumeStatus::Cancelled, None), "{responses}");
        }
    }

    #[test]
    fn a_question_without_a_response_refuses_the_call() {
        let interrupts = ["a", "b"].map(|id| Interrupt::new(id, APPROVAL));
        let asked = requests("thread", "call".into(), &interrupts, "sealed".to_owned()).unwrap();
        let state = asked.request_state.unwrap();
        let accepted = json!({ "action": "accept", "content": { "approved": true } });
        for (responses, missing) in [
            (json!({ "question-0": accepted }), "question-1"),
            (json!({ "question-1": accepted, "question-2": accepted }), "question-0"),
            (json!({}), "question-0"),
            (Value::Null, "question-0"),
        ] {
            let refused = resumed(&state, serde_json::from_value(responses).unwrap()).err().unwrap();
            assert_eq!(
                refused,
                format!("`{missing}` has no response: send the responses to all questions in one call")
            );
        }
    }

    #[test]
    fn a_value_that_is_no_object_is_a_member_of_the_form() {
        let schema = json!({ "type": "integer", "minimum": 1 });
        let Value::Object(schema) = schema else { unreachable!() };
        let interrupt = Interrupt::new("a", "portions").with_response_schema(schema);
        let (form, is_wrapped) = form(&interrupt).unwrap();
        assert!(is_wrapped);
        assert_eq!(serde_json::to_value(form).unwrap()["properties"]["value"]["type"], "integer");
    }
}
