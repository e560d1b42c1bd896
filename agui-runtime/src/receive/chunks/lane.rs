//! What chunks are building in one lane.

use super::Lane;
use crate::protocol::{
    Event, EventType, MessageId, Metadata, ReasoningMessageEndEvent, ReasoningMessageStartEvent,
    TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, ToolCallEndEvent, ToolCallId,
    ToolCallStartEvent,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Call,
    Reasoning,
}

impl Kind {
    pub(super) fn event_type(self) -> EventType {
        match self {
            Self::Text => EventType::TextMessageChunk,
            Self::Call => EventType::ToolCallChunk,
            Self::Reasoning => EventType::ReasoningMessageChunk,
        }
    }
}

/// An item, as its first chunk established it.
#[derive(Debug, Clone)]
pub(super) enum Pending {
    Text { id: MessageId, role: TextMessageRole, name: Option<String> },
    Call { id: ToolCallId, name: String, parent: Option<MessageId> },
    Reasoning { id: MessageId },
}

impl Pending {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Text { .. } => Kind::Text,
            Self::Call { .. } => Kind::Call,
            Self::Reasoning { .. } => Kind::Reasoning,
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Self::Text { id, .. } | Self::Reasoning { id } => id.as_str(),
            Self::Call { id, .. } => id.as_str(),
        }
    }

    pub(super) fn start(&self, lane: Lane, metadata: Option<Metadata>) -> Event {
        match self {
            Self::Text { id, role, name } => {
                let mut start = TextMessageStartEvent::new(id).with_role(*role);
                start.name.clone_from(name);
                (start.subagent_run_id, start.metadata) = (lane, metadata);
                start.into()
            }
            Self::Call { id, name, parent } => {
                let mut start = ToolCallStartEvent::new(id, name.as_str());
                start.parent_message_id.clone_from(parent);
                (start.subagent_run_id, start.metadata) = (lane, metadata);
                start.into()
            }
            Self::Reasoning { id } => {
                let mut start = ReasoningMessageStartEvent::new(id);
                (start.subagent_run_id, start.metadata) = (lane, metadata);
                start.into()
            }
        }
    }

    pub(super) fn end(self, lane: Lane) -> Event {
        match self {
            Self::Text { id, .. } => {
                let mut end = TextMessageEndEvent::new(id);
                end.subagent_run_id = lane;
                end.into()
            }
            Self::Call { id, .. } => {
                let mut end = ToolCallEndEvent::new(id);
                end.subagent_run_id = lane;
                end.into()
            }
            Self::Reasoning { id } => {
                let mut end = ReasoningMessageEndEvent::new(id);
                end.subagent_run_id = lane;
                end.into()
            }
        }
    }
}
