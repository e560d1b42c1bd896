//! Ids for subagents that a model called.
//!
//! The next run searches the client's history for such a subagent's messages by author, so the subagent id follows from the call
//! id. A legacy client knows no authors: there the message ids name the subagent.

use crate::protocol::{Message, MessageId, SubagentRunId, ToolCallId};
#[cfg(feature = "server")]
use crate::protocol::{TextMessageRole, TextMessageStartEvent};

/// Id prefix for a subagent with its own conversation; the call waits for this subagent.
const CALLED: &str = "called-";

/// Id prefix for a subagent that took the conversation over.
const HANDED_OVER: &str = "handoff-";

/// Returns the subagent id for a call that runs a subagent.
pub(crate) fn awaited_subagent_id(call: &ToolCallId) -> SubagentRunId {
    format!("{CALLED}{call}").into()
}

/// Returns the subagent id for a call that hands the conversation over.
pub(crate) fn handoff_subagent_id(call: &ToolCallId) -> SubagentRunId {
    format!("{HANDED_OVER}{call}").into()
}

/// True if a call waits for the subagent.
pub(super) fn is_awaited_subagent(subagent: &SubagentRunId) -> bool {
    subagent.as_str().starts_with(CALLED)
}

/// True if a call handed the conversation over to the subagent.
pub(crate) fn is_handoff(subagent: &SubagentRunId) -> bool {
    subagent.as_str().starts_with(HANDED_OVER)
}

/// True if a call made the subagent.
pub(super) fn is_call_subagent(subagent: &SubagentRunId) -> bool {
    is_awaited_subagent(subagent) || subagent.as_str().starts_with(HANDED_OVER)
}

/// Adds the author to a message id.
pub(super) fn with_author(id: &MessageId, author: &SubagentRunId) -> MessageId {
    format!("{id}@{author}").into()
}

/// Returns the message's author, if the author is a subagent with its own conversation.
pub(crate) fn awaited_author(message: &Message) -> Option<&str> {
    author_of(message).filter(|author| author.starts_with(CALLED))
}

/// Returns the call that handed the conversation over to the message's author.
#[cfg(feature = "model")]
pub(crate) fn handoff_call(message: &Message) -> Option<&str> {
    author_of(message)?.strip_prefix(HANDED_OVER)
}

/// True if the text that begins is by a subagent with its own conversation, as [`awaited_author`] says for a whole message.
#[cfg(feature = "server")]
pub(crate) fn begins_awaited_text(start: &TextMessageStartEvent) -> bool {
    let author = match (&start.subagent_run_id, &start.role) {
        (Some(author), _) => Some(author.as_str()),
        (None, None | Some(TextMessageRole::Assistant)) => author_in(&start.message_id),
        (None, Some(_)) => None,
    };
    author.is_some_and(|author| author.starts_with(CALLED))
}

fn author_of(message: &Message) -> Option<&str> {
    match message.subagent_run_id() {
        Some(author) => Some(author.as_str()),
        None => match message {
            Message::Assistant(_) | Message::Reasoning(_) => author_in(message.id()),
            _ => None,
        },
    }
}

fn author_in(id: &MessageId) -> Option<&str> {
    Some(id.as_str().rsplit_once('@')?.1)
}
