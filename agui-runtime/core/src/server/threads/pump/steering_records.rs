//! The records of user messages that join a run.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::conversation::fold::leaves_turn_to_user;
use crate::emit::SteeringInbox;
use crate::protocol::{
    Event, MessageId, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent,
    ToolCallId, UserMessage,
};

/// The user messages that join a run, as events for the store.
#[derive(Default)]
pub(super) struct SteeringRecords {
    inbox: Arc<SteeringInbox>,
    /// The events of a message that is not complete. A message is appended whole: what a lost server left of one could not be
    /// told from a short message.
    held: Option<(MessageId, Vec<Event>)>,
    /// Calls without a result.
    calls: HashSet<ToolCallId>,
}

impl SteeringRecords {
    pub(super) fn new(inbox: Arc<SteeringInbox>) -> Self {
        Self { inbox, ..Self::default() }
    }

    /// Returns the events that can be stored now: none in the middle of a user message, and all at the end of one.
    pub(super) fn hold(&mut self, event: Event) -> Vec<Event> {
        if let Some((id, held)) = &mut self.held {
            // The run sends them in a row.
            let is_end = matches!(&event, Event::TextMessageEnd(end) if end.message_id == *id);
            held.push(event);
            return if is_end {
                self.held.take().map(|(_, held)| held).unwrap_or_default()
            } else {
                Vec::new()
            };
        }
        match &event {
            Event::TextMessageStart(start)
                if start.role == Some(TextMessageRole::User) && self.inbox.knows(&start.message_id) =>
            {
                self.held = Some((start.message_id.clone(), vec![event]));
                Vec::new()
            }
            _ => vec![event],
        }
    }

    /// Records a stored event.
    pub(super) fn observe(&mut self, event: &Event) {
        match event {
            Event::ToolCallStart(start) => drop(self.calls.insert(start.tool_call_id.clone())),
            Event::ToolCallResult(result) => drop(self.calls.remove(&result.tool_call_id)),
            _ => {}
        }
    }

    /// Closes the inbox before the event that ends the run. Returns the events that add the messages that still wait, if no run
    /// may begin with them: the user stopped the run, or a call or an interrupt waits for the user. In all other cases the
    /// messages start the next run.
    pub(super) fn close(&mut self, end: &Event) -> Vec<Event> {
        let waiting = self.inbox.close();
        let joins = leaves_turn_to_user(end, || !self.calls.is_empty());
        if joins { waiting.into_iter().flat_map(message_events).collect() } else { Vec::new() }
    }
}

fn message_events(message: UserMessage) -> Vec<Event> {
    let (id, text) = (message.id, message.content.text().into_owned());
    let mut start = TextMessageStartEvent::new(id.clone()).with_role(TextMessageRole::User);
    (start.name, start.metadata) = (message.name, message.metadata);
    let mut events = vec![start.into()];
    if !text.is_empty() {
        events.push(TextMessageContentEvent::new(id.clone(), text).into());
    }
    events.push(TextMessageEndEvent::new(id).into());
    events
}
