//! The members of a chunk of any kind.

use std::sync::Arc;

use super::SpanAuthor;
use super::head::ChunkKind;
use crate::protocol::{Event, EventEffect, MessageId, Metadata, NonNull, TextMessageRole, Timestamp};

/// A chunk's members; members that its kind does not have are `None`.
#[derive(Debug)]
pub(super) struct ChunkMembers {
    pub kind: ChunkKind,
    pub id: Option<Arc<str>>,
    pub tag: SpanAuthor,
    pub delta: Option<String>,
    pub timestamp: Option<Timestamp>,
    pub raw_event: Option<NonNull>,
    pub metadata: Option<Metadata>,
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    pub tool: Option<String>,
    pub parent: Option<MessageId>,
}

pub(crate) fn is_chunk(event: &Event) -> bool {
    matches!(event.event_type().effect(), EventEffect::Chunk(_))
}

macro_rules! piece {
    ($kind:ident, $chunk:ident, $id:ident $(, $member:ident: $of:ident)*) => {
        ChunkMembers {
            kind: ChunkKind::$kind,
            id: $chunk.$id.map(|id| id.clone_shared()),
            tag: $chunk.subagent_run_id,
            delta: $chunk.delta,
            timestamp: $chunk.timestamp,
            raw_event: $chunk.raw_event,
            metadata: $chunk.metadata,
            $($member: $chunk.$of,)*
            ..ChunkMembers::empty(ChunkKind::$kind)
        }
    };
}

impl ChunkMembers {
    /// Returns a chunk's members, or any other event unchanged.
    #[expect(
        clippy::result_large_err,
        reason = "the other events go on their way, without a copy on the heap"
    )]
    pub(super) fn from_event(event: Event) -> Result<Self, Event> {
        Ok(match event {
            Event::TextMessageChunk(chunk) => {
                piece!(Text, chunk, message_id, role: role, name: name)
            }
            Event::ToolCallChunk(chunk) => {
                piece!(Call, chunk, tool_call_id, tool: tool_call_name, parent: parent_message_id)
            }
            Event::ReasoningMessageChunk(chunk) => piece!(Reasoning, chunk, message_id),
            event => return Err(event),
        })
    }

    fn empty(kind: ChunkKind) -> Self {
        Self {
            kind,
            id: None,
            tag: None,
            delta: None,
            timestamp: None,
            raw_event: None,
            metadata: None,
            role: None,
            name: None,
            tool: None,
            parent: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::sample_events;

    #[test]
    fn every_chunk_has_code() {
        for event in sample_events() {
            let event_type = event.event_type();
            assert_eq!(is_chunk(&event), ChunkMembers::from_event(event).is_ok(), "{event_type}");
        }
    }
}
