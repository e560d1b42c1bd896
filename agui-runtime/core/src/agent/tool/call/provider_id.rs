//! Call ids from a model's provider.

use crate::emit::Emit;
use crate::protocol::ToolCallId;

/// Returns the id, unless a message or call in the conversation already has it: a client would take the new call for the old.
pub(super) fn fresh(emit: &Emit, id: ToolCallId) -> Option<ToolCallId> {
    let is_taken = emit.act(|kernel, _| kernel.conversation.knows(id.as_str()));
    (!is_taken).then_some(id)
}

/// Defines the method by which a call takes its provider's id.
macro_rules! provider_id {
    ($($place:ident).+) => {
        /// Sets the id that the model's provider gave the call, so that the client's history goes back to the provider without id
        /// translation.
        ///
        /// An id belongs to one call in a conversation: if the id is already taken, the call gets another. `call.id()` returns the
        /// final id.
        pub fn provider_id(self, id: impl Into<$crate::protocol::ToolCallId>) -> Self {
            self.with(|call| call.$($place).+ = Some(id.into()))
        }
    };
}

pub(in crate::agent::tool) use provider_id;
