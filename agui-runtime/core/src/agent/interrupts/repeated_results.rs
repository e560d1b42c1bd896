//! Results that a client writes for calls while resuming the interrupts about these calls.
//!
//! CopilotKit resumes a `tool_call` interrupt twice: by `resume`, and by a message with the same content as the call's result. The
//! call has not run yet, so this is no result: the call would count as settled, and a model would read the content as the tool's.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::consent::RunConsent;
use crate::json::same;
use crate::kernel::TypedInterruptId;
use crate::protocol::{Message, ResumeEntry, ResumeStatus, RunAgentInput, ToolMessage};

/// Removes the results that repeat a resume entry. True if there were any: the client still holds them.
pub(in crate::agent) fn remove_repeated_results(input: &mut RunAgentInput, consent: &RunConsent) -> bool {
    if input.resume().is_empty() {
        return false;
    }
    let mut calls: HashSet<String> = consent.calls().map(|call| call.as_str().to_owned()).collect();
    for entry in input.resume() {
        calls.extend(TypedInterruptId::from_id(&entry.interrupt_id).map(|question| question.call.to_owned()));
    }
    let entry_results: Vec<Value> = input.resume().iter().filter_map(result_of_entry).collect();
    let before = input.messages.len();
    input.messages.retain(|message| match message {
        Message::Tool(result) => {
            !(calls.contains(result.tool_call_id.as_str()) && is_one_of(result, &entry_results))
        }
        _ => true,
    });
    input.messages.len() < before
}

/// True if a result repeats a resume entry.
#[cfg(feature = "server")]
pub(crate) fn repeats_entry(result: &ToolMessage, resume: &[ResumeEntry]) -> bool {
    let entry_results: Vec<Value> = resume.iter().filter_map(result_of_entry).collect();
    is_one_of(result, &entry_results)
}

/// Returns the result that the client writes for a call with this resume entry.
fn result_of_entry(entry: &ResumeEntry) -> Option<Value> {
    match (&entry.status, &entry.payload) {
        (ResumeStatus::Cancelled, _) => Some(json!({ "status": "cancelled" })),
        (ResumeStatus::Resolved, None) => Some(json!({ "status": "resolved" })),
        (ResumeStatus::Resolved, Some(payload)) => payload.lazy().read::<Value>().ok(),
    }
}

fn is_one_of(result: &ToolMessage, entry_results: &[Value]) -> bool {
    let text = result.content.text();
    let written = || serde_json::from_str::<Value>(&text).ok();
    result.error.is_none()
        && written()
            .is_some_and(|written| entry_results.iter().any(|entry_result| same(entry_result, &written)))
}
