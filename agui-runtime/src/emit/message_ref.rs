//! The receipt of a message.

#[cfg(doc)]
use super::Emit;
use crate::kernel::ParentMessage;
use crate::protocol::{MessageId, SubagentRunId, TextMessageRole};

/// The receipt of a text message that was sent: it names the message and borrows nothing.
///
/// Tool calls use it to name the message that carries them, see [`CallTool::parent`](crate::future::CallTool::parent):
/// TOOL_CALL_START then names it as `parentMessageId`, if it is the assistant's and by the same author as the call. The
/// protocol refuses a call that names another agent's message, so such a call gets a message of its own instead.
///
/// [`Emit::encrypted`] uses it to name the owner of a value. Receipts do not keep the run from finishing:
///
/// ```
/// # use agui_runtime::{Agent, Finished, Run};
/// # async fn example<A: Agent>(run: &mut Run<A>) -> Finished<'_, String> {
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
    /// True if the client was sent the message.
    is_said: bool,
}

impl MessageRef {
    pub(super) fn new(id: MessageId, role: TextMessageRole, tag: Option<SubagentRunId>) -> Self {
        Self { id, role, tag, is_said: true }
    }

    /// Marks the message as one that was never sent.
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

    /// Returns the id of the message on the wire.
    ///
    /// ```
    /// # async fn example(run: &agui_runtime::Emit) {
    /// let message = run.say("Done.").await;
    /// println!("the answer is the message {}", message.id());
    /// # }
    /// ```
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }
}
