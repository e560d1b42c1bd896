//! The user's messages that join a run, before a model turn.

use super::Chat;
use crate::agent::ToolSet;
use crate::model::end::ChatEnd;
use crate::model::prompt::PromptMessage;
use crate::protocol::Message;

impl<A: ToolSet> Chat<'_, A> {
    /// Adds the messages that came since the last turn to the prompt.
    pub(super) async fn join_messages(&mut self) {
        for message in self.run.join_messages().await {
            let read = self.history.read(&[Message::User(message.clone())]);
            // For an agent that takes over.
            self.said.extend(read.iter().cloned());
            for message in read {
                match (self.prompt.messages.last_mut(), message) {
                    (Some(PromptMessage::User(before)), PromptMessage::User(parts)) => before.extend(parts),
                    (_, message) => self.prompt.messages.push(message),
                }
            }
            self.joined.push(message);
        }
    }

    /// Returns the turn's end; `None` if the model is done, but the user has said more meanwhile.
    pub(super) fn end_unless_steered(&self, end: Option<ChatEnd>) -> Option<ChatEnd> {
        end.filter(|end| !(matches!(end, ChatEnd::Done { .. }) && self.run.has_waiting_messages()))
    }
}
