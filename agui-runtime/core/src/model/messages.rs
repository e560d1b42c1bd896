//! Converts prompt messages to an AG-UI conversation.

use super::prompt::{AssistantPart, ModelCall, PromptMessage, ToolResult};
use crate::agent::tool::reads_as_failure;
use crate::protocol::{
    AssistantMessage, Content, FunctionCall, Message, ReasoningMessage, SystemMessage, ToolCall, ToolMessage,
    UserMessage,
};

/// Returns the conversation in AG-UI form, for a program that stores its model's conversations. Message ids are `message-1`,
/// `message-2` and so on.
///
/// [`HistoryPolicy::read`](super::HistoryPolicy::read) is the inverse: a policy that allows system messages and the files' URL
/// schemes returns the same messages.
///
/// ```
/// use agui_runtime::model::{AssistantPart, HistoryPolicy, PromptMessage, messages_of};
///
/// let prompt = [PromptMessage::user("Rice?"), PromptMessage::Assistant(vec![AssistantPart::text("180 cents.")])];
/// let messages = messages_of(&prompt);
/// assert_eq!(messages.len(), 2);
/// assert_eq!(HistoryPolicy::default().read(&messages), prompt);
/// ```
#[must_use]
pub fn messages_of(prompt: &[PromptMessage]) -> Vec<Message> {
    let mut writing = ConversationWriter { messages: Vec::new() };
    for message in prompt {
        match message {
            PromptMessage::System(text) => {
                let id = writing.id();
                writing.messages.push(SystemMessage::new(id, text.as_str()).into());
            }
            PromptMessage::User(parts) => {
                let id = writing.id();
                writing.messages.push(UserMessage::new(id, Content::Parts(parts.clone())).into());
            }
            PromptMessage::Assistant(parts) => writing.turn(parts),
            PromptMessage::Tools(answers) => answers.iter().for_each(|answer| writing.result(answer)),
        }
    }
    writing.messages
}

struct ConversationWriter {
    messages: Vec<Message>,
}

impl ConversationWriter {
    fn id(&self) -> String {
        format!("message-{}", self.messages.len() + 1)
    }

    fn turn(&mut self, parts: &[AssistantPart]) {
        let mut calls = Vec::new();
        for part in parts {
            match part {
                AssistantPart::Call(call) => {
                    calls.push(tool_call(call));
                    continue;
                }
                AssistantPart::Text { .. } | AssistantPart::Reasoning { .. } => self.calls(&mut calls),
            }
            let id = self.id();
            match part {
                AssistantPart::Text { text, encrypted } => {
                    let message = AssistantMessage::new(id).with_content(text.as_str());
                    self.messages.push(match encrypted.clone() {
                        Some(encrypted) => message.with_encrypted(encrypted).into(),
                        None => message.into(),
                    });
                }
                AssistantPart::Reasoning { text, encrypted } => {
                    let message = ReasoningMessage::new(id, text.as_str());
                    self.messages.push(match encrypted.clone() {
                        Some(encrypted) => message.with_encrypted(encrypted).into(),
                        None => message.into(),
                    });
                }
                AssistantPart::Call(_) => {}
            }
        }
        self.calls(&mut calls);
    }

    /// Consecutive calls form one message.
    fn calls(&mut self, calls: &mut Vec<ToolCall>) {
        if !calls.is_empty() {
            let message = AssistantMessage::new(self.id()).with_tool_calls(std::mem::take(calls));
            self.messages.push(message.into());
        }
    }

    fn result(&mut self, answer: &ToolResult) {
        let mut message = ToolMessage::new(self.id(), answer.content.clone(), answer.id.clone());
        // A text that reports a failure says so itself.
        let says_so = matches!(&answer.content, Content::Text(text) if reads_as_failure(text));
        if answer.failed && !says_so {
            message.error = Some(answer.content.text().into_owned());
        }
        self.messages.push(message.into());
    }
}

fn tool_call(call: &ModelCall) -> ToolCall {
    let written =
        ToolCall::new(call.id.clone(), FunctionCall::new(call.tool.as_str(), call.arguments.as_str()));
    match call.encrypted.clone() {
        Some(encrypted) => written.with_encrypted(encrypted),
        None => written,
    }
}
