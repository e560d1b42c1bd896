//! A message's receipt.

#[cfg(doc)]
use super::Emit;
use crate::kernel::ParentMessage;
use crate::protocol::{MessageId, SubagentRunId, TextMessageRole};

/// A sent text message's receipt: names the message and borrows nothing.
///
/// Tool calls use the receipt to name the message that carries them, see [`CallTool::parent`](crate::future::CallTool::parent):
/// TOOL_CALL_START then has the message as `parentMessageId`, if its role is assistant and its author the call's author. The
/// protocol refuses a call that names another agent's message, so such a call gets a separate message instead.
///
/// [`Emit::encrypted`] uses the receipt to name a value's owner. Receipts do not keep the run from finishing:
///
/// ```
/// # use agui_runtime::{Agent, FinishedRun, Run};
/// # async fn example<A: Agent>(run: &mut Run<A>) -> FinishedRun<'_, String> {
/// let message = run.say("Done.").await;
/// let id = message.id().to_string();
/// let done = run.finish(id);
/// drop(message);
/// done
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageRef {
    id: MessageId,
    role: TextMessageRole,
    tag: Option<SubagentRunId>,
    /// True if the client got the message.
    is_said: bool,
}

impl MessageRef {
    pub(super) fn new(id: MessageId, role: TextMessageRole, tag: Option<SubagentRunId>) -> Self {
        Self { id, role, tag, is_said: true }
    }

    /// Marks the message as never sent.
    // No function that only returns `Self`: the compiler would name it to a user who writes a receipt by hand.
    pub(super) fn unsent(mut self) -> Self {
        self.is_said = false;
        self
    }

    /// Returns the message if it can carry calls: clients warn about a parent that is not the assistant's.
    pub(crate) fn carrier(&self) -> Option<ParentMessage> {
        (self.is_said && self.role == TextMessageRole::Assistant)
            .then(|| ParentMessage { id: self.id.clone(), tag: self.tag.clone() })
    }

    pub(crate) fn seen_id(&self) -> Option<&MessageId> {
        self.is_said.then_some(&self.id)
    }

    /// Returns the message's id on the wire.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
