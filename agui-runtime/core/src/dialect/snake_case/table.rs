//! The names of the events.

/// The kind of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    ToolCallStart,
    ToolCallArgs,
    ToolCallEnd,
    ToolResult,
    ReasoningStart,
    ReasoningMessageStart,
    ReasoningMessageContent,
    ReasoningMessageEnd,
    ReasoningEnd,
    Message,
    Status,
    Error,
}

/// The name in the `event:` line, and its kind.
pub(super) const EVENTS: [(&str, Kind); 12] = [
    ("tool_call_start", Kind::ToolCallStart),
    ("tool_call_args", Kind::ToolCallArgs),
    ("tool_call_end", Kind::ToolCallEnd),
    ("tool_result", Kind::ToolResult),
    ("reasoning_start", Kind::ReasoningStart),
    ("reasoning_message_start", Kind::ReasoningMessageStart),
    ("reasoning_message_content", Kind::ReasoningMessageContent),
    ("reasoning_message_end", Kind::ReasoningMessageEnd),
    ("reasoning_end", Kind::ReasoningEnd),
    ("message", Kind::Message),
    ("status", Kind::Status),
    ("error", Kind::Error),
];

impl Kind {
    pub(super) fn named(name: &str) -> Option<Self> {
        EVENTS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    pub(super) fn name(self) -> &'static str {
        EVENTS.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}
