//! Conversation calls that lead to subagents' interrupts.

use std::collections::HashMap;

use super::index::ConversationIndex;
use crate::consent::step_of;
use crate::protocol::{Message, ToolCall, ToolCallId};

/// Conversation calls, by the steps that interrupts name: a step is a call id with a digest of the call. Each call is hashed once, because a client may bring many resume entries
/// for one long call.
pub(super) struct CallSteps<'m, 'i> {
    messages: &'m [Message],
    index: &'i ConversationIndex,
    known: HashMap<ToolCallId, Option<(&'m ToolCall, String)>>,
}

impl<'m, 'i> CallSteps<'m, 'i> {
    pub(in crate::agent) fn new(messages: &'m [Message], index: &'i ConversationIndex) -> Self {
        Self { messages, index, known: HashMap::new() }
    }

    /// Returns the call, if its digest is still the digest in the step.
    pub(in crate::agent) fn call(&mut self, id: ToolCallId, step: &str) -> Option<&'m ToolCall> {
        let known = self.known.entry(id).or_insert_with_key(|id| {
            let call = self.index.call(self.messages, id.as_str())?;
            Some((call, step_of(call)))
        });
        known.as_ref().filter(|(_, own)| own == step).map(|(call, _)| *call)
    }
}
