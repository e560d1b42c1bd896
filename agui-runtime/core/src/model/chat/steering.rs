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

    /// Returns the turn's end; `None` if the model is done, but the user has said more meanwhile. If no turn is left, the end stays:
    /// the message then starts the next run.
    pub(super) async fn end_unless_steered(&mut self, end: Option<ChatEnd>) -> Option<ChatEnd> {
        let is_done = matches!(end, Some(ChatEnd::Done { .. }));
        let goes_on =
            is_done && self.run.has_waiting_messages() && self.spent.has_turn_left(&self.limits).await;
        if goes_on { None } else { end }
    }
}
