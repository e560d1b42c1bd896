//! What an event does to the order of a stream, without its name: the vocabulary of the last column of the event table.

/// What an event does to the run or to something in it (AG-UI 1.0, chapter "Ordering").
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
    /// Ends a run with whatever is open.
    FailRun,
    /// Opens one of these, which must be closed before the run finishes.
    Open(Scope),
    /// Adds to an open one.
    Within(Scope),
    /// Closes an open one.
    Close(Scope),
    /// Opens, adds to or goes on with one, which the next event of another kind closes.
    Chunk(Scope),
    /// Creates one that stays until the run ends and needs no closing.
    Create(Scope),
    /// Changes one that was created before.
    After(Scope),
    /// Answers one, with a message of its own.
    Answer(Scope),
    /// Refers to a message or a call that came before; a member of the event says which.
    Attach,
    /// Restates the conversation.
    Restate,
    /// May stand anywhere in a run.
    Free,
}

/// What events open and close. Each has its own space of ids: one string may name an open text and an open call.
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

/// The group of events a type belongs to.
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
    /// Carried without looking inside.
    Passthrough,
}
