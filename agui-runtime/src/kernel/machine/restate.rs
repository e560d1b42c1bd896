//! Restating the conversation as a whole.

use super::{Fields, Kernel, Kind, Slot};
use crate::protocol::{Message, MessageId, MessagesSnapshotEvent};

impl Kernel {
    /// Restates the conversation, or returns the messages while another author may still write to an open span. Spans that the
    /// author itself left open are closed, because their author can no longer reach them.
    pub(crate) fn restate(
        &mut self,
        by: Slot,
        messages: Vec<Message>,
        fields: Fields,
    ) -> Result<(), (Vec<Message>, Fields)> {
        if self.author(by).is_none() {
            return Ok(());
        }
        self.close_all_in(by);
        if self.spans.values().any(|open| open.span.is_of_the_conversation()) {
            return Err((messages, fields));
        }
        // A call that was cut off is open at the client until the run has failed, and only that can follow.
        if self.cut_off.is_empty() {
            self.say_restated(messages, fields);
        }
        Ok(())
    }

    pub(super) fn say_restated(&mut self, mut messages: Vec<Message>, fields: Fields) {
        for message in &mut messages {
            if self.conversation.is_other(message.id(), Kind::of(message)) {
                *id_mut(message) = self.new_message();
                self.renamed += 1;
            }
            self.taken.insert(message.id().as_str().to_owned());
            if let Message::Assistant(assistant) = &*message {
                self.taken.extend(assistant.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
            }
            if let Message::Tool(answer) = &*message {
                self.is_answered(&answer.tool_call_id);
            }
            self.conversation.restate(message);
        }
        if messages.iter().any(|message| matches!(message, Message::Activity(_))) {
            self.lose_activities();
        }
        self.put(MessagesSnapshotEvent::new(messages).into(), None, fields);
    }
}

fn id_mut(message: &mut Message) -> &mut MessageId {
    match message {
        Message::Developer(message) => &mut message.id,
        Message::System(message) => &mut message.id,
        Message::Assistant(message) => &mut message.id,
        Message::User(message) => &mut message.id,
        Message::Tool(message) => &mut message.id,
        Message::Activity(message) => &mut message.id,
        Message::Reasoning(message) => &mut message.id,
    }
}
