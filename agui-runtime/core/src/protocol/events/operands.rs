//! Operands of an event's effect besides the id: the members on which order depends, without their wire names.

use super::outcome::RunFinishedOutcome;
use super::reasoning::ReasoningEncryptedValueSubtype;
use super::text::TextMessageRole;
use crate::protocol::conversation::input::RunAgentInput;
use crate::protocol::conversation::message::Message;
use crate::protocol::id::{MessageId, RunId, SubagentRunId, ThreadId};

/// The event members that an [`EventEffect`](crate::protocol::EventEffect) refers to, under one name for all events.
///
/// [`Event::scope_id`](crate::protocol::Event::scope_id) and [`Event::subagent_run_id`](crate::protocol::Event::subagent_run_id) return the id and the
/// owner; this struct holds the rest. A member that the event lacks is `None` or empty.
///
/// ```
/// use agui_runtime::protocol::{Event, ToolCallStartEvent};
///
/// let event: Event = ToolCallStartEvent::new("c-1", "forecast").with_parent_message_id("m-1").into();
/// assert_eq!(event.operands().parent, Some("m-1"));
/// assert_eq!(event.operands().tool, Some("forecast"));
/// assert!(event.operands().conversation.is_empty());
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct EventOperands<'e> {
    /// The parent in which the event opens a span: the message that carries a call, the invocation that started a subagent.
    pub parent: Option<&'e str>,
    /// Role for the text that the event opens; absent means the assistant.
    pub role: Option<TextMessageRole>,
    /// Display name.
    pub name: Option<&'e str>,
    /// The called tool.
    pub tool: Option<&'e str>,
    /// The message that a result becomes.
    pub message: Option<&'e MessageId>,
    /// Messages that the event restates: from a snapshot, or from an echoed run input.
    pub conversation: &'e [Message],
    /// False if the event keeps an existing activity with the same id; absent means replace.
    pub replace: Option<bool>,
    /// The kind of entity that an attached value belongs to.
    pub attached_to: Option<ReasoningEncryptedValueSubtype>,
    /// The run's thread.
    pub thread: Option<&'e ThreadId>,
    /// The run.
    pub run: Option<&'e RunId>,
    /// The protocol version that a run's producer declares.
    pub version: Option<&'e str>,
    /// The run's outcome.
    pub outcome: Option<&'e RunFinishedOutcome>,
}

/// Converts a member to an operand.
pub(super) trait MemberOperand<'e, M: ?Sized> {
    fn from_member(member: &'e M) -> Self;
}

impl<'e> MemberOperand<'e, String> for Option<&'e str> {
    fn from_member(member: &'e String) -> Self {
        Some(member)
    }
}

impl<'e> MemberOperand<'e, Option<String>> for Option<&'e str> {
    fn from_member(member: &'e Option<String>) -> Self {
        member.as_deref()
    }
}

impl<'e> MemberOperand<'e, Option<MessageId>> for Option<&'e str> {
    fn from_member(member: &'e Option<MessageId>) -> Self {
        member.as_ref().map(MessageId::as_str)
    }
}

impl<'e> MemberOperand<'e, Option<SubagentRunId>> for Option<&'e str> {
    fn from_member(member: &'e Option<SubagentRunId>) -> Self {
        member.as_ref().map(SubagentRunId::as_str)
    }
}

impl<'e> MemberOperand<'e, Vec<Message>> for &'e [Message] {
    fn from_member(member: &'e Vec<Message>) -> Self {
        member
    }
}

impl<'e> MemberOperand<'e, Option<Box<RunAgentInput>>> for &'e [Message] {
    fn from_member(member: &'e Option<Box<RunAgentInput>>) -> Self {
        member.as_ref().map_or(&[], |input| &input.messages)
    }
}

impl<'e> MemberOperand<'e, Option<bool>> for Option<bool> {
    fn from_member(member: &'e Option<bool>) -> Self {
        *member
    }
}

impl<'e> MemberOperand<'e, Option<TextMessageRole>> for Option<TextMessageRole> {
    fn from_member(member: &'e Option<TextMessageRole>) -> Self {
        *member
    }
}

impl<'e, M> MemberOperand<'e, M> for Option<&'e M> {
    fn from_member(member: &'e M) -> Self {
        Some(member)
    }
}

impl<'e> MemberOperand<'e, ReasoningEncryptedValueSubtype> for Option<ReasoningEncryptedValueSubtype> {
    fn from_member(member: &'e ReasoningEncryptedValueSubtype) -> Self {
        Some(*member)
    }
}

impl<'e> MemberOperand<'e, Option<RunFinishedOutcome>> for Option<&'e RunFinishedOutcome> {
    fn from_member(member: &'e Option<RunFinishedOutcome>) -> Self {
        member.as_ref()
    }
}
