//! Messages whose fields are not one Rust struct's members: run outcomes, interrupts, tool results.

use super::content::{PART_ROW, PARTS};
use super::fields::Fields;
use super::out::Out;
use super::schema::{Body, Kind, MessageTable, Put, Row};
use super::shape::Shape;
use super::take::{Base, Slot, Take, Taken};
use crate::protocol::forms::scan::KnownIds;
use crate::protocol::{
    Content, Interrupt, MessagesSnapshotEvent, RunFinishedEvent, RunFinishedOutcome,
    RunFinishedSuccessOutcome, SubagentFinishedEvent, SubagentFinishedOutcome, ToolCallResultEvent,
};

/// An outcome is a text field, with the outcome's members as sibling fields.
impl Body for RunFinishedEvent {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::plain(2, "threadId", Kind::Text),
            Row::plain(3, "runId", Kind::Text),
            Row::optional(4, "result", Kind::Value),
            Row::plain(5, "outcome", Kind::Text),
            Row::repeated(6, "interrupts", <Interrupt as Put>::KIND),
            Row::repeated(7, "usage", <crate::protocol::TokenUsage as Put>::KIND),
            Row::repeated(8, "pendingToolCallIds", Kind::Text),
        ],
        shape: Shape::RunOutcome,
    };

    fn body(&self, out: &mut Out) {
        self.thread_id.plain(2, out);
        self.run_id.plain(3, out);
        self.result.optional(4, out);
        let mut pending = None;
        match &self.outcome {
            None => {}
            Some(RunFinishedOutcome::Success(outcome)) => {
                out.text(5, RunFinishedSuccessOutcome::TYPE);
                pending = outcome.pending_tool_call_ids.as_ref();
            }
            Some(RunFinishedOutcome::Interrupt(outcome)) => {
                out.text(5, crate::protocol::RunFinishedInterruptOutcome::TYPE);
                outcome.interrupts.iter().for_each(|interrupt| interrupt.repeated(6, out));
            }
            Some(RunFinishedOutcome::Cancelled(_)) => {
                out.text(5, crate::protocol::RunFinishedCancelledOutcome::TYPE);
            }
        }
        self.usage.repeated(7, out);
        if let Some(pending) = pending {
            pending.repeated(8, out);
        }
    }
}

impl Body for SubagentFinishedEvent {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::plain(2, "subagentRunId", Kind::Text),
            Row::optional(3, "result", Kind::Value),
            Row::plain(4, "outcome", Kind::Text),
            Row::repeated(5, "interruptIds", Kind::Text),
        ],
        shape: Shape::SubagentOutcome,
    };

    fn body(&self, out: &mut Out) {
        self.subagent_run_id.plain(2, out);
        self.result.optional(3, out);
        match &self.outcome {
            None => {}
            Some(SubagentFinishedOutcome::Success(_)) => {
                out.text(4, crate::protocol::SubagentFinishedSuccessOutcome::TYPE);
            }
            Some(SubagentFinishedOutcome::Suspended(outcome)) => {
                out.text(4, crate::protocol::SubagentFinishedSuspendedOutcome::TYPE);
                outcome.interrupt_ids.repeated(5, out);
            }
        }
    }
}

/// The schema and the metadata are objects in Rust, but the protobuf fields allow any value.
impl Body for Interrupt {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::plain(1, "id", Kind::Text),
            Row::plain(2, "reason", Kind::Text),
            Row::optional(3, "message", Kind::Text),
            Row::optional(4, "toolCallId", Kind::Text),
            Row::optional(5, "responseSchema", Kind::Value),
            Row::optional(6, "expiresAt", Kind::Text),
            Row::optional(7, "metadata", Kind::Value),
            Row::optional(8, "subagentRunId", Kind::Text),
        ],
        shape: Shape::AsItIs,
    };

    fn body(&self, out: &mut Out) {
        self.id.plain(1, out);
        self.reason.plain(2, out);
        self.message.optional(3, out);
        self.tool_call_id.optional(4, out);
        if let Some(schema) = &self.response_schema {
            out.object_value(5, schema);
        }
        self.expires_at.optional(6, out);
        if let Some(metadata) = &self.metadata {
            out.object_value(7, metadata);
        }
        self.subagent_run_id.optional(8, out);
    }
}

/// A result's content is text, or parts in a separate field.
impl Body for ToolCallResultEvent {
    const TABLE: MessageTable = MessageTable {
        rows: &[
            Row::optional(2, "subagentRunId", Kind::Text),
            Row::plain(3, "messageId", Kind::Text),
            Row::plain(4, "toolCallId", Kind::Text),
            Row::optional(5, "content", Kind::Text),
            Row::optional(6, "role", Kind::Text),
            Row::repeated(7, PARTS, PART_ROW),
        ],
        shape: Shape::ResultContent,
    };

    fn body(&self, out: &mut Out) {
        self.subagent_run_id.optional(2, out);
        self.message_id.plain(3, out);
        self.tool_call_id.plain(4, out);
        if let Content::Text(text) = &self.content {
            out.text(5, text);
        }
        self.role.optional(6, out);
        if let Content::Parts(parts) = &self.content {
            parts.repeated(7, out);
        }
    }
}

impl Taken for ToolCallResultEvent {
    fn taken(bytes: &[u8], code: u8, ids: &mut KnownIds) -> Option<Self> {
        let mut base = Base::default();
        let mut subagent_run_id = Slot::of(|it: &Self| &it.subagent_run_id);
        let mut message_id = Slot::of(|it: &Self| &it.message_id);
        let mut tool_call_id = Slot::of(|it: &Self| &it.tool_call_id);
        let mut content = None;
        let mut role = Slot::of(|it: &Self| &it.role);
        let mut fields = Fields::new(bytes, 0);
        while let Some(field) = fields.next().ok()? {
            match field.number {
                1 => base.take(field.payload, code)?,
                2 => subagent_run_id.take(field.payload, ids)?,
                3 => message_id.take(field.payload, ids)?,
                4 => tool_call_id.take(field.payload, ids)?,
                5 => <String as Take>::take(&mut content, field.payload, ids)?,
                6 => role.take(field.payload, ids)?,
                _ => return None,
            }
        }
        let (timestamp, raw_event, metadata) = base.finish(0)?;
        Some(Self {
            message_id: message_id.finish()?,
            tool_call_id: tool_call_id.finish()?,
            content: Content::Text(content?),
            role: role.finish()?,
            timestamp,
            raw_event,
            metadata,
            subagent_run_id: subagent_run_id.finish()?,
        })
    }
}

impl Body for MessagesSnapshotEvent {
    const TABLE: MessageTable = MessageTable {
        rows: &[Row::list(2, "messages", <crate::protocol::Message as Put>::KIND)],
        shape: Shape::AsItIs,
    };

    fn body(&self, out: &mut Out) {
        self.messages.list(2, out);
    }
}
