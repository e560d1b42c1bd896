//! The input of a run, in a recording.

use std::collections::HashSet;

use agui_runtime::protocol::{Message, MessageId, ResumeEntry, ResumeStatus, RunAgentInput};

use crate::aside;

/// The ids of the messages before a run.
pub fn known(messages: &[Message]) -> HashSet<MessageId> {
    messages.iter().map(|message| message.id().clone()).collect()
}

/// Shows the user's part before a run: messages, answers, decisions.
pub fn show(input: &RunAgentInput, known: &HashSet<MessageId>) {
    for message in input.messages.iter().filter(|message| !known.contains(message.id())) {
        match message {
            Message::User(message) => aside::say(format_args!("> {}", message.content.text())),
            Message::Tool(message) => aside::say(format_args!("> {}", message.content.text())),
            _ => {}
        }
    }
    for entry in input.resume() {
        aside::say(format_args!("> {}", answer(entry)));
    }
}

fn answer(entry: &ResumeEntry) -> String {
    match (&entry.status, &entry.payload) {
        (ResumeStatus::Cancelled, _) => "/cancel".to_owned(),
        (ResumeStatus::Resolved, Some(payload)) => payload.to_string(),
        (ResumeStatus::Resolved, None) => String::new(),
    }
}
