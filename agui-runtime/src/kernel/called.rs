//! The ids of subagents that a model called.
//!
//! The next run finds what such a subagent wrote in the client's history by its author, so the id of the subagent follows
//! from the id of the call. A legacy client knows no authors: the ids of the messages name the subagent
//! there.

use crate::protocol::{Message, MessageId, SubagentRunId, ToolCallId};

/// The beginning of the id of a subagent with a conversation of its own, for which the call waits.
const CALLED: &str = "called-";

/// The beginning of the id of a subagent that took the conversation over.
const HANDED_OVER: &str = "handoff-";

/// Returns the id of the subagent that a call runs.
pub(crate) fn called_by(call: &ToolCallId) -> SubagentRunId {
    format!("{CALLED}{call}").into()
}

/// Returns the id of the subagent to which a call hands the conversation over.
pub(crate) fn handed_over_by(call: &ToolCallId) -> SubagentRunId {
    format!("{HANDED_OVER}{call}").into()
}

/// Returns true if a call waits for the subagent.
pub(super) fn is_called(subagent: &SubagentRunId) -> bool {
    subagent.as_str().starts_with(CALLED)
}

/// Returns true if a call handed the conversation over to the subagent.
#[cfg(feature = "model")]
pub(crate) fn is_handoff(subagent: &SubagentRunId) -> bool {
    subagent.as_str().starts_with(HANDED_OVER)
}

/// Returns true if a call made the subagent.
pub(super) fn is_of_call(subagent: &SubagentRunId) -> bool {
    is_called(subagent) || subagent.as_str().starts_with(HANDED_OVER)
}

/// Returns the id of a message that names its author.
pub(super) fn signed(id: &MessageId, author: &SubagentRunId) -> MessageId {
    format!("{id}@{author}").into()
}

/// Returns the subagent with a conversation of its own that wrote the message.
pub(crate) fn called_author(message: &Message) -> Option<&str> {
    author_of(message).filter(|author| author.starts_with(CALLED))
}

/// Returns the call that handed the conversation over to the author of the message.
#[cfg(feature = "model")]
pub(crate) fn handoff_of(message: &Message) -> Option<&str> {
    author_of(message)?.strip_prefix(HANDED_OVER)
}

fn author_of(message: &Message) -> Option<&str> {
    match message.subagent_run_id() {
        Some(author) => Some(author.as_str()),
        None => match message {
            Message::Assistant(_) | Message::Reasoning(_) => Some(message.id().as_str().rsplit_once('@')?.1),
            _ => None,
        },
    }
}
