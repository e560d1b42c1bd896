//! Chunks without their kind: what they start, and what they add.

use super::super::{EventFields, Fields};
use crate::protocol::{
    Effect, Event, EventType, MessageId, ReasoningMessageChunkEvent, ReasoningMessageContentEvent,
    ReasoningMessageEndEvent, ReasoningMessageStartEvent, SubagentRunId, TextMessageChunkEvent,
    TextMessageContentEvent, TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, ToolCallArgsEvent,
    ToolCallChunkEvent, ToolCallEndEvent, ToolCallId, ToolCallStartEvent,
};

/// What chunks build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Call,
    Thought,
}

/// What the first chunk of an item says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Head {
    Text { id: MessageId, role: TextMessageRole, name: Option<String> },
    Call { id: ToolCallId, tool: String, parent: Option<MessageId> },
    Thought { id: MessageId },
}

/// A chunk, taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Piece {
    pub id: Option<String>,
    pub tag: Option<SubagentRunId>,
    pub delta: Option<String>,
    pub fields: EventFields,
    /// Of a text.
    pub role: Option<TextMessageRole>,
    pub name: Option<String>,
    /// Of a call.
    pub tool: Option<String>,
    pub parent: Option<MessageId>,
}

/// Whether it goes through a lane, and not past it.
pub(super) fn is_chunk(event: &Event) -> bool {
    matches!(event.event_type().effect(), Effect::Chunk(_))
}

/// Takes a chunk apart; nothing for what is none.
pub(super) fn take_apart(mut event: Event) -> Option<(Kind, Piece)> {
    let fields = take_fields(&mut event);
    match event {
        Event::TextMessageChunk(chunk) => Some((
            Kind::Text,
            Piece {
                id: chunk.message_id.map(|id| id.as_str().to_owned()),
                tag: chunk.subagent_run_id,
                delta: chunk.delta,
                fields,
                role: chunk.role,
                name: chunk.name,
                ..Piece::default()
            },
        )),
        Event::ToolCallChunk(chunk) => Some((
            Kind::Call,
            Piece {
                id: chunk.tool_call_id.map(|id| id.as_str().to_owned()),
                tag: chunk.subagent_run_id,
                delta: chunk.delta,
                fields,
                tool: chunk.tool_call_name,
                parent: chunk.parent_message_id,
                ..Piece::default()
            },
        )),
        Event::ReasoningMessageChunk(chunk) => Some((
            Kind::Thought,
            Piece {
                id: chunk.message_id.map(|id| id.as_str().to_owned()),
                tag: chunk.subagent_run_id,
                delta: chunk.delta,
                fields,
                ..Piece::default()
            },
        )),
        _ => None,
    }
}

/// The chunk that says the same; nothing for an END, which no chunk says.
pub(super) fn as_chunk(mut event: Event) -> Option<Event> {
    let fields = take_fields(&mut event);
    let mut chunk: Event = match event {
        Event::TextMessageStart(start) => {
            let mut chunk = TextMessageChunkEvent::new().with_message_id(start.message_id);
            (chunk.role, chunk.name, chunk.subagent_run_id) = (start.role, start.name, start.subagent_run_id);
            chunk.into()
        }
        Event::TextMessageContent(content) => {
            let mut chunk = TextMessageChunkEvent::new().with_message_id(content.message_id);
            (chunk.delta, chunk.subagent_run_id) = (Some(content.delta), content.subagent_run_id);
            chunk.into()
        }
        Event::ReasoningMessageStart(start) => {
            let mut chunk = ReasoningMessageChunkEvent::new().with_message_id(start.message_id);
            chunk.subagent_run_id = start.subagent_run_id;
            chunk.into()
        }
        Event::ReasoningMessageContent(content) => {
            let mut chunk = ReasoningMessageChunkEvent::new().with_message_id(content.message_id);
            (chunk.delta, chunk.subagent_run_id) = (Some(content.delta), content.subagent_run_id);
            chunk.into()
        }
        Event::ToolCallStart(start) => {
            let mut chunk = ToolCallChunkEvent::new().with_tool_call_id(start.tool_call_id);
            chunk.tool_call_name = Some(start.tool_call_name);
            (chunk.parent_message_id, chunk.subagent_run_id) =
                (start.parent_message_id, start.subagent_run_id);
            chunk.into()
        }
        Event::ToolCallArgs(args) => {
            let mut chunk = ToolCallChunkEvent::new().with_tool_call_id(args.tool_call_id);
            (chunk.delta, chunk.subagent_run_id) = (Some(args.delta), args.subagent_run_id);
            chunk.into()
        }
        _ => return None,
    };
    fields.write(&mut chunk);
    Some(chunk)
}

/// Moves the fields every event has out of one.
pub(super) fn take_fields(event: &mut Event) -> EventFields {
    let mut fields = EventFields::new();
    fields.timestamp = event.timestamp_mut().take();
    fields.raw_event = event.raw_event_mut().take();
    fields.metadata = event.metadata_mut().take();
    fields
}

/// As a write takes them.
pub(super) fn boxed(fields: EventFields) -> Fields {
    (fields != EventFields::new()).then(|| Box::new(fields))
}

impl Kind {
    pub(super) fn event_type(self) -> EventType {
        match self {
            Self::Text => EventType::TextMessageChunk,
            Self::Call => EventType::ToolCallChunk,
            Self::Thought => EventType::ReasoningMessageChunk,
        }
    }
}

impl Head {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Text { .. } => Kind::Text,
            Self::Call { .. } => Kind::Call,
            Self::Thought { .. } => Kind::Thought,
        }
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Self::Text { id, .. } | Self::Thought { id } => id.as_str(),
            Self::Call { id, .. } => id.as_str(),
        }
    }

    /// The member in which a chunk that goes on with the item says otherwise.
    pub(super) fn contradiction(&self, piece: &Piece) -> Option<&'static str> {
        fn differs<T: PartialEq>(said: Option<&T>, known: Option<&T>) -> bool {
            said.is_some() && said != known
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

    pub(super) fn start(&self) -> Event {
        match self {
            Self::Text { id, role, name } => {
                let mut start = TextMessageStartEvent::new(id.clone()).with_role(*role);
                start.name.clone_from(name);
                start.into()
            }
            Self::Call { id, tool, parent } => {
                let mut start = ToolCallStartEvent::new(id.clone(), tool.clone());
                start.parent_message_id.clone_from(parent);
                start.into()
            }
            Self::Thought { id } => ReasoningMessageStartEvent::new(id.clone()).into(),
        }
    }

    pub(super) fn content(&self, delta: String) -> Event {
        match self {
            Self::Text { id, .. } => TextMessageContentEvent::new(id.clone(), delta).into(),
            Self::Call { id, .. } => ToolCallArgsEvent::new(id.clone(), delta).into(),
            Self::Thought { id } => ReasoningMessageContentEvent::new(id.clone(), delta).into(),
        }
    }

    pub(super) fn end(&self) -> Event {
        match self {
            Self::Text { id, .. } => TextMessageEndEvent::new(id.clone()).into(),
            Self::Call { id, .. } => ToolCallEndEvent::new(id.clone()).into(),
            Self::Thought { id } => ReasoningMessageEndEvent::new(id.clone()).into(),
        }
    }

    /// A chunk that may start the item as well as go on with it.
    pub(super) fn chunk(self, delta: Option<String>) -> Event {
        match self {
            Self::Text { id, role, name } => {
                let mut chunk = TextMessageChunkEvent::new().with_message_id(id).with_role(role);
                chunk.name = name;
                chunk.delta = delta;
                chunk.into()
            }
            Self::Call { id, tool, parent } => {
                let mut chunk = ToolCallChunkEvent::new().with_tool_call_id(id).with_tool_call_name(tool);
                chunk.parent_message_id = parent;
                chunk.delta = delta;
                chunk.into()
            }
            Self::Thought { id } => {
                let mut chunk = ReasoningMessageChunkEvent::new().with_message_id(id);
                chunk.delta = delta;
                chunk.into()
            }
        }
    }
}
