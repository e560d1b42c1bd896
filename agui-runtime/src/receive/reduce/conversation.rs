//! The messages, found by id: the first of that id in the list, as the official client finds them.

use std::collections::HashMap;

use crate::protocol::{Message, MessageId, ToolCall, ToolCallId};

/// Where a call is: its message, and its place in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CallPlace {
    pub(super) at: usize,
    pub(super) call: usize,
}

/// The messages and where they are. Ids may stand twice: the indexes know the first.
#[derive(Debug, Clone, Default)]
pub(super) struct Conversation {
    messages: Vec<Message>,
    places: HashMap<MessageId, usize>,
    calls: HashMap<ToolCallId, CallPlace>,
    /// The message found last, which is nearly always the one looked for next.
    recent: usize,
    recent_call: Option<CallPlace>,
}

impl From<Vec<Message>> for Conversation {
    fn from(messages: Vec<Message>) -> Self {
        let mut conversation = Self { messages, ..Self::default() };
        conversation.index();
        conversation
    }
}

impl Conversation {
    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }

    pub(super) fn into_messages(self) -> Vec<Message> {
        self.messages
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        self.places.contains_key(id)
    }

    /// The same without remembering it.
    pub(super) fn get(&self, id: &str) -> Option<&Message> {
        let recent = self.messages.get(self.recent).filter(|message| *message.id() == *id);
        recent.or_else(|| self.messages.get(*self.places.get(id)?))
    }

    pub(super) fn get_call(&self, id: &str) -> Option<&ToolCall> {
        let recent = self.recent_call.and_then(|place| self.call(place)).filter(|call| call.id == *id);
        recent.or_else(|| self.call(*self.calls.get(id)?))
    }

    /// Where a message is.
    #[cfg(feature = "client")]
    pub(super) fn place(&self, id: &str) -> Option<usize> {
        self.places.get(id).copied()
    }

    /// Where a call is.
    #[cfg(feature = "client")]
    pub(super) fn place_of_call(&self, id: &str) -> Option<CallPlace> {
        self.calls.get(id).copied()
    }

    pub(super) fn find(&mut self, id: &str) -> Option<(usize, &mut Message)> {
        // A place found before is that of the first of its id, until messages move.
        let known = self.messages.get(self.recent).is_some_and(|message| *message.id() == *id);
        if !known {
            self.recent = *self.places.get(id)?;
        }
        let at = self.recent;
        self.messages.get_mut(at).map(|message| (at, message))
    }

    pub(super) fn find_call(&mut self, id: &str) -> Option<(CallPlace, &mut ToolCall)> {
        let known = self.recent_call.and_then(|place| self.call(place)).is_some_and(|call| call.id == *id);
        if !known {
            self.recent_call = Some(*self.calls.get(id)?);
        }
        let place = self.recent_call?;
        match self.messages.get_mut(place.at) {
            Some(Message::Assistant(message)) => {
                let call = message.tool_calls.as_mut()?.get_mut(place.call)?;
                Some((place, call))
            }
            _ => None,
        }
    }

    fn call(&self, place: CallPlace) -> Option<&ToolCall> {
        match self.messages.get(place.at) {
            Some(Message::Assistant(message)) => message.tool_calls().get(place.call),
            _ => None,
        }
    }

    /// Adds a message at the end.
    pub(super) fn push(&mut self, message: Message) -> usize {
        let at = self.messages.len();
        self.learn(at, &message);
        self.messages.push(message);
        at
    }

    /// Adds a message before another one. What is behind it moves, and is usually little.
    pub(super) fn insert(&mut self, at: usize, message: Message) {
        if at >= self.messages.len() {
            self.push(message);
            return;
        }
        for (place, moved) in self.messages.iter().enumerate().skip(at).rev() {
            if let Some(known) = self.places.get_mut(moved.id()).filter(|known| **known == place) {
                *known = place + 1;
            }
            if let Message::Assistant(assistant) = moved {
                for call in assistant.tool_calls() {
                    if let Some(known) = self.calls.get_mut(&call.id).filter(|known| known.at == place) {
                        known.at = place + 1;
                    }
                }
            }
        }
        let first = self.places.entry(message.id().clone()).or_insert(at);
        *first = at.min(*first);
        self.messages.insert(at, message);
        self.forget_recent();
    }

    /// Puts a message in the place of one of the same id.
    pub(super) fn replace(&mut self, at: usize, message: Message) {
        let Some(place) = self.messages.get_mut(at) else { return };
        let old = std::mem::replace(place, message);
        let calls = |message: &Message| match message {
            Message::Assistant(message) => !message.tool_calls().is_empty(),
            _ => false,
        };
        if calls(&old) || self.messages.get(at).is_some_and(calls) {
            self.index();
        }
    }

    /// Adds a call to a message of the assistant.
    pub(super) fn add_call(&mut self, at: usize, call: ToolCall) -> Option<CallPlace> {
        let Some(Message::Assistant(message)) = self.messages.get_mut(at) else { return None };
        let calls = message.tool_calls.get_or_insert_default();
        let place = CallPlace { at, call: calls.len() };
        let id = call.id.clone();
        calls.push(call);
        self.calls.entry(id).or_insert(place);
        Some(place)
    }

    /// Changes the list as a whole.
    pub(super) fn rearrange(&mut self, change: impl FnOnce(&mut Vec<Message>)) {
        change(&mut self.messages);
        self.index();
    }

    fn index(&mut self) {
        self.places.clear();
        self.calls.clear();
        let messages = std::mem::take(&mut self.messages);
        for (at, message) in messages.iter().enumerate() {
            self.learn(at, message);
        }
        self.messages = messages;
        self.forget_recent();
    }

    fn learn(&mut self, at: usize, message: &Message) {
        self.places.entry(message.id().clone()).or_insert(at);
        if let Message::Assistant(message) = message {
            for (call, known) in message.tool_calls().iter().enumerate() {
                self.calls.entry(known.id.clone()).or_insert(CallPlace { at, call });
            }
        }
    }

    fn forget_recent(&mut self) {
        self.recent = usize::MAX;
        self.recent_call = None;
    }
}
