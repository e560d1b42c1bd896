//! A called subagent's conversation, from the client's history.

use std::collections::HashSet;

use crate::kernel::{awaited_author, awaited_subagent_id};
use crate::protocol::{Message, ToolCallId, UserMessage};

/// Returns the task, the subagent's messages from earlier runs, and messages from subagents below.
pub(super) fn conversation_of(history: &[Message], call: &ToolCallId, task: &str) -> Vec<Message> {
    let mut authors = HashSet::from([awaited_subagent_id(call)]);
    let mut calls = HashSet::new();
    let mut conversation = vec![UserMessage::new(format!("task-{call}"), task).into()];
    // A subagent is called before it writes, so that one pass finds those below it.
    for message in history {
        let is_part = match message {
            Message::Tool(answer) => calls.contains(&answer.tool_call_id),
            other => awaited_author(other).is_some_and(|author| authors.contains(author)),
        };
        if is_part {
            for call in message.tool_calls() {
                authors.insert(awaited_subagent_id(&call.id));
                calls.insert(call.id.clone());
            }
            conversation.push(message.clone());
        }
    }
    conversation
}
