//! The message kind that an id names.

use std::sync::Arc;

use super::OrderRule;
use super::error::{OrderRefusal, OrderVerdict};
use super::table::IdMap;
use crate::protocol::Message;

/// Message kinds that a consumer distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum StreamMessageKind {
    /// Text in any role, and messages that carry calls.
    Text,
    /// A tool result.
    Result,
    Thought,
    Activity,
}

impl StreamMessageKind {
    pub(super) fn from_message(message: &Message) -> Self {
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
pub(super) struct MessageKindTable(IdMap<StreamMessageKind>);

impl MessageKindTable {
    pub(super) fn check(&self, id: &str, kind: StreamMessageKind) -> OrderVerdict {
        match self.0.get(id) {
            Some(known) if *known != kind => Err(OrderRefusal::new(OrderRule::MessageIdReused).about(id)),
            _ => Ok(()),
        }
    }

    pub(super) fn check_all(&self, conversation: &[Message]) -> OrderVerdict {
        conversation.iter().try_for_each(|message| {
            self.check(message.id().as_str(), StreamMessageKind::from_message(message))
        })
    }

    pub(super) fn learn(&mut self, id: Option<Arc<str>>, kind: StreamMessageKind) {
        self.0.extend(id.map(|id| (id, kind)));
    }
}
