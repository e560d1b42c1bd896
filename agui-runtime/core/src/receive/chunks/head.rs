//! The message, call or reasoning that chunks build for one author.

use std::sync::Arc;

use super::{ChunkError, ChunkMembers};
use crate::protocol::{
    Event, EventType, MessageId, ReasoningMessageContentEvent, ReasoningMessageEndEvent,
    ReasoningMessageStartEvent, TextMessageContentEvent, TextMessageEndEvent, TextMessageRole,
    TextMessageStartEvent, ToolCallArgsEvent, ToolCallEndEvent, ToolCallId, ToolCallStartEvent,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChunkKind {
    Text,
    Call,
    Reasoning,
}

impl ChunkKind {
    pub(super) fn event_type(self) -> EventType {
        match self {
            Self::Text => EventType::TextMessageChunk,
            Self::Call => EventType::ToolCallChunk,
            Self::Reasoning => EventType::ReasoningMessageChunk,
        }
    }
}

/// An open span as its first chunk described it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ChunkedSpan {
    Text { id: MessageId, role: TextMessageRole, name: Option<String> },
    Call { id: ToolCallId, tool: String, parent: Option<MessageId> },
    Reasoning { id: MessageId },
}

impl ChunkedSpan {
    pub(super) fn new(id: Arc<str>, piece: &ChunkMembers) -> Result<Self, ChunkError> {
        Ok(match piece.kind {
            ChunkKind::Text => Self::Text {
                id: id.into(),
                role: piece.role.unwrap_or(TextMessageRole::Assistant),
                name: piece.name.clone(),
            },
            ChunkKind::Call => match piece.tool.clone() {
                Some(tool) => Self::Call { id: id.into(), tool, parent: piece.parent.clone() },
                None => return Err(ChunkError::NoToolName { id: id.into() }),
            },
            ChunkKind::Reasoning => Self::Reasoning { id: id.into() },
        })
    }

    pub(super) fn kind(&self) -> ChunkKind {
        match self {
            Self::Text { .. } => ChunkKind::Text,
            Self::Call { .. } => ChunkKind::Call,
            Self::Reasoning { .. } => ChunkKind::Reasoning,
        }
    }

    pub(crate) fn id(&self) -> &str {
        match self {
            Self::Text { id, .. } | Self::Reasoning { id } => id.as_str(),
            Self::Call { id, .. } => id.as_str(),
        }
    }

    /// Returns the member in which a later chunk contradicts the first one.
    pub(super) fn contradiction(&self, piece: &ChunkMembers) -> Option<&'static str> {
        fn differs<T: PartialEq>(repeated: Option<&T>, established: Option<&T>) -> bool {
            repeated.is_some() && repeated != established
        }
        match self {
            Self::Text { role, .. } if differs(piece.role.as_ref(), Some(role)) => Some("role"),
            Self::Text { name, .. } if differs(piece.name.as_ref(), name.as_ref()) => Some("name"),
            Self::Call { tool, .. } if differs(piece.tool.as_ref(), Some(tool)) => Some("toolCallName"),
            Self::Call { parent, .. } if differs(piece.parent.as_ref(), parent.as_ref()) => {
                Some("parentMessageId")
            }
            _ => None,
        }
    }

    pub(crate) fn start(&self) -> Event {
        match self {
            Self::Text { id, role, name } => {
                let mut start = TextMessageStartEvent::new(id).with_role(*role);
                start.name.clone_from(name);
                start.into()
            }
            Self::Call { id, tool, parent } => {
                let mut start = ToolCallStartEvent::new(id, tool.as_str());
                start.parent_message_id.clone_from(parent);
                start.into()
            }
            Self::Reasoning { id } => ReasoningMessageStartEvent::new(id).into(),
        }
    }

    pub(super) fn content(&self, delta: String) -> Event {
        match self {
            Self::Text { id, .. } => TextMessageContentEvent::new(id, delta).into(),
            Self::Call { id, .. } => ToolCallArgsEvent::new(id, delta).into(),
            Self::Reasoning { id } => ReasoningMessageContentEvent::new(id, delta).into(),
        }
    }

    pub(super) fn end(&self) -> Event {
        match self {
            Self::Text { id, .. } => TextMessageEndEvent::new(id).into(),
            Self::Call { id, .. } => ToolCallEndEvent::new(id).into(),
            Self::Reasoning { id } => ReasoningMessageEndEvent::new(id).into(),
        }
    }
}
