//! Restating the conversation as a whole.

use super::{ClientMessageKind, RunKernel, SpanSlot, WriteFields};
use crate::protocol::{Message, MessageId, MessagesSnapshotEvent};

impl RunKernel {
    /// Restates the conversation, or returns the messages while another author may still write to an open span. Spans that the
    /// author itself left open are closed, because their author can no longer reach them.
    pub(crate) fn restate(
        &mut self,
        by: SpanSlot,
        messages: Vec<Message>,
        fields: WriteFields,
    ) -> Result<(), (Vec<Message>, WriteFields)> {
        if self.author(by).is_none() {
            return Ok(());
        }
        self.close_all_in(by);
        if self.spans.values().any(|open| open.span.is_of_the_conversation()) {
            return Err((messages, fields));
        }
        // A call that was cut off is open at the client until the run has failed, and only that can follow.
        if self.cut_off.is_empty() {
            self.send_restated(messages, fields);
        }
        Ok(())
    }

    pub(super) fn send_restated(&mut self, mut messages: Vec<Message>, fields: WriteFields) {
        for message in &mut messages {
            message.remove_lone_types();
            if self.conversation.has_other_kind(message.id(), ClientMessageKind::from_message(message)) {
                *id_mut(message) = self.new_message();
                self.renamed += 1;
            }
            self.taken.insert(message.id().as_str().to_owned());
            if let Message::Assistant(assistant) = &*message {
                self.taken.extend(assistant.tool_calls().iter().map(|call| call.id.as_str().to_owned()));
            }
            if let Message::Tool(answer) = &*message {
                self.note_restated_result(&answer.tool_call_id);
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
