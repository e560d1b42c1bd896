//! Replies that one model begins and another one writes: what can be broken off, and the mark on what was.

use super::delta::ReplyDelta;
use crate::kernel::EventFields;
use crate::protocol::Metadata;

const KEY: &str = "agui-rust/brokenOff";

/// The content that a reply has sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SentContent {
    #[default]
    Nothing,
    /// A thought that is not signed yet.
    Thought,
    /// A thought with a signature: it has ended, so nothing can mark it.
    SignedThought,
    /// A text, which also marks the thoughts before it.
    Text,
    /// A call, whose tool may run already, or a text that has ended.
    Final,
}

impl SentContent {
    pub(super) fn after(self, delta: &ReplyDelta) -> Self {
        match (self, delta) {
            (Self::Final, _) | (_, ReplyDelta::Call(_)) => Self::Final,
            (_, ReplyDelta::Text(text) | ReplyDelta::Reasoning(text)) if text.is_empty() => self,
            (_, ReplyDelta::Text(_)) => Self::Text,
            (Self::Text, ReplyDelta::Reasoning(_) | ReplyDelta::EncryptedReasoning(_)) => Self::Final,
            (Self::Nothing | Self::Thought, ReplyDelta::Reasoning(_)) => Self::Thought,
            (_, ReplyDelta::Reasoning(_) | ReplyDelta::EncryptedReasoning(_)) => Self::SignedThought,
            (_, ReplyDelta::Usage(_) | ReplyDelta::ModelChanged(_) | ReplyDelta::End(_)) => self,
        }
    }

    /// True if another model may write the reply anew.
    pub(super) fn can_break_off(self) -> bool {
        matches!(self, Self::Nothing | Self::Thought | Self::Text)
    }
}

/// Returns the fields of an END that marks the message.
pub(super) fn mark() -> EventFields {
    EventFields::new().with_metadata(Metadata::from_iter([(KEY.to_owned(), true.into())]))
}

/// True for a marked message, which models do not read.
pub(super) fn is_marked(metadata: Option<&Metadata>) -> bool {
    metadata.and_then(|metadata| metadata.get(KEY)).is_some_and(|mark| *mark == true)
}
