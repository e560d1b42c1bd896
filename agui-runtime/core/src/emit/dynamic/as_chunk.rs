//! Converts START and CONTENT events to chunks.

use crate::kernel::{EventFields, WriteFields};
use crate::protocol::{Event, ReasoningMessageChunkEvent, TextMessageChunkEvent, ToolCallChunkEvent};
use crate::receive::chunks::ChunkedSpan;

/// Returns the chunk with the same content; `None` for an event without a chunk, such as an END.
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

/// Moves the common fields out of an event.
pub(super) fn take_fields(event: &mut Event) -> EventFields {
    let mut fields = EventFields::new();
    fields.timestamp = event.timestamp_mut().take();
    fields.raw_event = event.raw_event_mut().take();
    fields.metadata = event.metadata_mut().take();
    fields
}

/// Boxes the fields; `None` if all are empty.
pub(super) fn boxed(fields: EventFields) -> WriteFields {
    (fields != EventFields::new()).then(|| Box::new(fields))
}

/// Returns the chunk with all members that open its span.
pub(super) fn named(mut chunk: Event, head: ChunkedSpan) -> Event {
    match (&mut chunk, head) {
        (Event::TextMessageChunk(chunk), ChunkedSpan::Text { id, role, name }) => {
            (chunk.message_id, chunk.role, chunk.name) = (Some(id), Some(role), name);
        }
        (Event::ToolCallChunk(chunk), ChunkedSpan::Call { id, tool, parent }) => {
            (chunk.tool_call_id, chunk.tool_call_name) = (Some(id), Some(tool));
            chunk.parent_message_id = parent;
        }
        (Event::ReasoningMessageChunk(chunk), ChunkedSpan::Reasoning { id }) => chunk.message_id = Some(id),
        _ => {}
    }
    if let Some(tag) = chunk.subagent_run_id_mut() {
        *tag = None;
    }
    chunk
}
