//! Task states for run outcomes.

use serde_json::{Value, json};

use crate::a2a::wire::{A2aMessage, A2aPart, A2aRole, TaskState};
use crate::protocol::{Interrupt, JsonObject, RunErrorEvent, ToolCall};

/// The interrupt reason for an authentication outside the conversation.
const AUTH: &str = "auth_required";

/// A task's state after a run, and the message that explains the state.
pub(super) struct TaskOutcome {
    pub(super) state: TaskState,
    pub(super) message: Option<A2aMessage>,
}

impl TaskOutcome {
    fn new(state: TaskState, parts: Vec<A2aPart>) -> Self {
        Self { state, message: Some(A2aMessage::new("", A2aRole::Agent, parts)) }
    }

    pub(super) fn silent(state: TaskState) -> Self {
        Self { state, message: None }
    }

    /// The run ended with interrupts. The text is for people, the data has interrupt ids and response schemas.
    pub(super) fn asking(questions: &[Interrupt]) -> Self {
        let is_auth = !questions.is_empty() && questions.iter().all(|question| question.reason == AUTH);
        let state = if is_auth { TaskState::AuthRequired } else { TaskState::InputRequired };
        let text = questions.iter().map(|question| question.message.as_deref().unwrap_or(&question.reason));
        let text = A2aPart::text(text.collect::<Vec<_>>().join("\n"));
        Self::new(state, vec![text, A2aPart::data(json!({ "interrupts": questions }))])
    }

    /// The run has pending frontend tool calls.
    pub(super) fn awaiting(calls: &[ToolCall]) -> Self {
        let names: Vec<_> = calls.iter().map(|call| format!("`{}`", call.function.name)).collect();
        let text = A2aPart::text(format!("The agent waits for the result of {}.", names.join(", ")));
        let calls: Vec<Value> = calls
            .iter()
            .map(|call| {
                json!({
                    "toolCallId": call.id,
                    "name": call.function.name,
                    "arguments": call.function.arguments,
                })
            })
            .collect();
        Self::new(TaskState::InputRequired, vec![text, A2aPart::data(json!({ "toolCalls": calls }))])
    }

    /// Another task in the context closed the interrupts.
    pub(super) fn superseded() -> Self {
        let text = "Another task of this context has finished since, so the questions of this task cannot be answered any more.";
        Self::new(TaskState::Canceled, vec![A2aPart::text(text)])
    }

    pub(super) fn failed(error: &RunErrorEvent) -> Self {
        let mut ended = Self::new(TaskState::Failed, vec![A2aPart::text(&error.message)]);
        if let (Some(code), Some(message)) = (&error.code, &mut ended.message) {
            message.metadata = Some(JsonObject::from_iter([("code".to_owned(), code.as_str().into())]));
        }
        ended
    }
}
