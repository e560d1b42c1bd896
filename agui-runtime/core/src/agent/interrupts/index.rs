//! Index by id for a conversation's calls and results. A client may send tens of thousands, so a lookup must not walk the
//! conversation.

use std::collections::{HashMap, HashSet};

use crate::protocol::{Message, ToolCall, ToolCallId};

/// Conversation index, built in one walk.
#[derive(Debug)]
pub(crate) struct ConversationIndex {
    calls: HashMap<ToolCallId, CallLocation>,
    /// Tool names for each call id that several tools share.
    tools: HashMap<ToolCallId, HashSet<String>>,
    settled: HashSet<ToolCallId>,
}

/// Location for the newest call with an id: a repeated id was restated.
#[derive(Clone, Copy, Debug)]
struct CallLocation {
    message: usize,
    call: usize,
}

impl CallLocation {
    fn get(self, messages: &[Message]) -> Option<&ToolCall> {
        match messages.get(self.message)? {
            Message::Assistant(assistant) => assistant.tool_calls().get(self.call),
            _ => None,
        }
    }
}

impl ConversationIndex {
    pub(in crate::agent) fn from_messages(messages: &[Message]) -> Self {
        let count = messages.iter().map(|message| message.tool_calls().len()).sum();
        let results = messages.iter().filter_map(|message| match message {
            Message::Tool(result) => Some(result.tool_call_id.clone()),
            _ => None,
        });
        let mut index =
            Self { calls: HashMap::with_capacity(count), tools: HashMap::new(), settled: results.collect() };
        for (at, message) in messages.iter().enumerate() {
            for (number, call) in message.tool_calls().iter().enumerate() {
                index.insert(messages, call, CallLocation { message: at, call: number });
            }
        }
        index
    }

    fn insert(&mut self, messages: &[Message], call: &ToolCall, place: CallLocation) {
        let Some(older) = self.calls.insert(call.id.clone(), place) else { return };
        let older = older.get(messages).map(|older| &older.function.name);
        if let Some(older) = older.filter(|older| **older != call.function.name) {
            let tools = self.tools.entry(call.id.clone()).or_default();
            tools.extend([older.clone(), call.function.name.clone()]);
        }
    }

    /// Returns the newest call with an id.
    pub(crate) fn call<'m>(&self, messages: &'m [Message], id: &str) -> Option<&'m ToolCall> {
        self.calls.get(id)?.get(messages)
    }

    /// True if any call with the id calls the tool.
    pub(in crate::agent) fn is_call_of(&self, messages: &[Message], id: &ToolCallId, tool: &str) -> bool {
        match self.tools.get(id) {
            Some(tools) => tools.contains(tool),
            None => self.call(messages, id.as_str()).is_some_and(|call| call.function.name == tool),
        }
    }

    /// True if the conversation has the call's result.
    pub(crate) fn has_result(&self, id: &ToolCallId) -> bool {
        self.settled.contains(id)
    }
}
