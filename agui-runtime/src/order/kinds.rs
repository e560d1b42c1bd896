//! The message kind that an id names.

use std::sync::Arc;

use super::OrderRule;
use super::error::{Refusal, Verdict};
use super::table::ById;
use crate::protocol::Message;

/// Message kinds that a consumer distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Text in any role, and messages that carry calls.
    Text,
    /// A tool result.
    Result,
    Thought,
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

/// A stream's message ids with their kinds.
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
