//! The effects of events on the order of a stream, without event names: the vocabulary of the last column
//! of the event table.

/// The effect of an event on the run, or on a message, call, span or step in it (AG-UI 1.0, chapter
/// "Ordering").
///
/// ```
/// use agui_runtime::protocol::{Effect, EventType, Scope};
///
/// assert_eq!(EventType::TextMessageStart.effect(), Effect::Open(Scope::Text));
/// assert_eq!(EventType::StateDelta.effect(), Effect::Free);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Starts a run.
    StartRun,
    /// Ends a run; nothing may be open.
    FinishRun,
    /// Ends a run; spans may still be open.
    FailRun,
    /// Opens a span of this scope, which must be closed before the run finishes.
    Open(Scope),
    /// Adds to an open span.
    Within(Scope),
    /// Closes an open span.
    Close(Scope),
    /// Opens a span, adds to it or continues it; the next event of another kind closes it.
    Chunk(Scope),
    /// Creates something that stays until the run ends and needs no closing.
    Create(Scope),
    /// Changes something that was created before.
    After(Scope),
    /// Answers a call, with a message of its own.
    Answer(Scope),
    /// Refers to an earlier message or call; a member of the event says which of the two.
    Attach,
    /// Restates the conversation.
    Restate,
    /// May come at any place in a run.
    Free,
}

/// The kinds of things that events open and close. Each has its own space of ids: one string may be the id
/// of an open text and of an open call.
///
/// ```
/// use agui_runtime::protocol::{Effect, EventType, Scope};
///
/// assert_eq!(EventType::ToolCallStart.effect(), Effect::Open(Scope::ToolCall));
/// assert_eq!(EventType::ToolCallResult.effect(), Effect::Answer(Scope::ToolCall));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// A text message, by message id.
    Text,
    /// A tool call, by call id.
    ToolCall,
    /// A step, by author and name.
    Step,
    /// A reasoning span, by its id.
    ReasoningSpan,
    /// A reasoning message, by message id.
    ReasoningMessage,
    /// An activity message, by message id.
    Activity,
    /// An invocation of a subagent, by its id.
    Subagent,
}

/// The group to which an event type belongs.
///
/// ```
/// use agui_runtime::protocol::{EventType, Family};
///
/// let text: Vec<_> = EventType::ALL.iter().filter(|event| event.family() == Family::Text).collect();
/// assert_eq!(text.len(), 4);
/// assert_eq!(EventType::StepStarted.family(), Family::Run);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// The life of a run, and steps.
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
