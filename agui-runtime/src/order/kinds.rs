//! The kind of message that an id names.

use std::sync::Arc;

use super::OrderRule;
use super::error::{Refusal, Verdict};
use super::table::ById;
use crate::protocol::Message;

/// The kinds of messages that a consumer distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Text of any role, and messages that carry calls.
    Text,
    /// The result of a call.
    Result,
    /// Reasoning.
    Thought,
    /// An activity.
    Activity,
}

impl Kind {
    pub(super) fn of(message: &Message) -> Self {
        match message {
            Message::Tool(_) => Self::Result,
            Message::Reasoning(_) => Self::Thought,
            Message::Activity(_) => Self::Activity,
            _ => Self::Text,
        }
    }
}

/// The kinds of all message ids of a stream.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Kinds(ById<Kind>);

impl Kinds {
    pub(super) fn check(&self, id: &str, kind: Kind) -> Verdict {
        match self.0.get(id) {
            Some(known) if *known != kind => Err(Refusal::new(OrderRule::MessageIdReused).about(id)),
            _ => Ok(()),
        }
    }

    pub(super) fn check_all(&self, conversation: &[Message]) -> Verdict {
        conversation.iter().try_for_each(|message| self.check(message.id().as_str(), Kind::of(message)))
    }

    pub(super) fn learn(&mut self, id: Option<Arc<str>>, kind: Kind) {
        self.0.extend(id.map(|id| (id, kind)));
    }
}
