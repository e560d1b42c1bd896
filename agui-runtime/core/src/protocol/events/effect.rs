//! How events affect stream order, without event names: the vocabulary for the event table's last column.

/// An event's effect on the run, or on a message, call, span or step inside (AG-UI 1.0, chapter "Ordering").
///
/// ```
/// use agui_runtime::protocol::{EventEffect, EventType, SpanKind};
///
/// assert_eq!(EventType::TextMessageStart.effect(), EventEffect::Open(SpanKind::Text));
/// assert_eq!(EventType::StateDelta.effect(), EventEffect::Free);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventEffect {
    /// Starts a run.
    StartRun,
    /// Ends a run; nothing may be open.
    FinishRun,
    /// Ends a run; spans may still be open.
    FailRun,
    /// Opens a span in this scope, which must be closed before the run finishes.
    Open(SpanKind),
    /// Adds to an open span.
    Within(SpanKind),
    /// Closes an open span.
    Close(SpanKind),
    /// Opens a span, adds to it or continues it; the next event with another effect closes the span.
    Chunk(SpanKind),
    /// Creates a message that stays until the run ends and needs no closing.
    Create(SpanKind),
    /// Changes a message that was created before.
    After(SpanKind),
    /// Sends a call's result as a new message.
    Settle(SpanKind),
    /// Refers to an earlier message or call; an event member names the kind.
    Attach,
    /// Restates the conversation.
    Restate,
    /// May come anywhere in a run.
    Free,
}

/// Span kinds that events open and close. Each kind has its own ids: one string may be the id of an open text and also of an open
/// call.
///
/// ```
/// use agui_runtime::protocol::{EventEffect, EventType, SpanKind};
///
/// assert_eq!(EventType::ToolCallStart.effect(), EventEffect::Open(SpanKind::ToolCall));
/// assert_eq!(EventType::ToolCallResult.effect(), EventEffect::Settle(SpanKind::ToolCall));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SpanKind {
    /// A text message, by message id.
    Text,
    /// A tool call, by call id.
    ToolCall,
    /// A step, by author and name.
    Step,
    /// A reasoning span, by span id.
    ReasoningSpan,
    /// A reasoning message, by message id.
    ReasoningMessage,
    /// An activity message, by message id.
    Activity,
    /// A subagent invocation, by subagent run id.
    Subagent,
}

/// The group to which an event type belongs.
///
/// ```
/// use agui_runtime::protocol::{EventType, EventFamily};
///
/// let text: Vec<_> = EventType::ALL.iter().filter(|event| event.family() == EventFamily::Text).collect();
/// assert_eq!(text.len(), 4);
/// assert_eq!(EventType::StepStarted.family(), EventFamily::Run);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventFamily {
    /// Run start, run end, and steps.
    Run,
    /// Text messages.
    Text,
    /// Tool calls.
    ToolCall,
    /// State and conversation.
    State,
    /// Activities.
    Activity,
    /// Reasoning.
    Reasoning,
    /// Subagents.
    Subagent,
    /// Content that the protocol does not interpret.
    Passthrough,
}
