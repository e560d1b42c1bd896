//! Turns of private tools: calls and results that the model reads, and no client.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::protocol::{Content, EncryptedValue, MessageId, ToolCallId};

/// A model turn's private calls with their results.
///
/// A turn is no event and has no conversion to one: with a store it is a control record, which readers skip by its first bytes;
/// without a store it is encrypted.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PrivateTurn {
    /// The agent whose model made the calls. Another agent on the thread does not read them.
    pub(crate) agent: String,
    /// True if the turn has other parts, which precede the calls in the conversation.
    pub(crate) continues: bool,
    pub(crate) calls: Vec<SettledPrivateCall>,
}

impl PrivateTurn {
    /// Returns a turn for each call; together they read as this turn.
    #[cfg(feature = "server")]
    pub(crate) fn into_calls(self) -> impl Iterator<Item = Self> {
        let Self { agent, continues, calls } = self;
        let turn = move |(nth, call)| Self {
            agent: agent.clone(),
            continues: continues || nth > 0,
            calls: vec![call],
        };
        calls.into_iter().enumerate().map(turn)
    }
}

/// A private call with its result.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SettledPrivateCall {
    pub(crate) id: ToolCallId,
    pub(crate) tool: String,
    pub(crate) arguments: String,
    /// The provider's signature, which must go back unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) encrypted: Option<EncryptedValue>,
    pub(crate) content: Content,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) failed: bool,
}

/// Shows the number of calls alone: logs are read by others than the model.
impl fmt::Debug for PrivateTurn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateTurn").field("calls", &self.calls.len()).finish_non_exhaustive()
    }
}

/// A private turn with its place in the conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlacedPrivateTurn {
    /// The message before the turn; `None` at the beginning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) after: Option<MessageId>,
    pub(crate) turn: PrivateTurn,
}

/// The private turns of a stored thread, and those that a run adds.
#[derive(Debug, Default)]
#[cfg_attr(not(feature = "server"), allow(dead_code, reason = "only a server has stored threads"))]
pub(crate) struct PrivateTurnLog {
    #[cfg_attr(not(feature = "model"), allow(dead_code, reason = "only the model loop reads it"))]
    earlier: Vec<PlacedPrivateTurn>,
    /// New turns, each with the number of events that the run had sent before.
    added: Mutex<Vec<(u64, PrivateTurn)>>,
}

impl PrivateTurnLog {
    #[cfg(feature = "server")]
    pub(crate) fn new(earlier: Vec<PlacedPrivateTurn>) -> Self {
        Self { earlier, added: Mutex::default() }
    }

    /// Returns the turns of earlier runs.
    #[cfg(feature = "model")]
    pub(crate) fn earlier(&self) -> &[PlacedPrivateTurn] {
        &self.earlier
    }

    /// Adds a turn behind the events that the run has sent so far.
    #[cfg(feature = "model")]
    pub(crate) fn add(&self, sent: u64, turn: PrivateTurn) {
        self.added.lock().unwrap_or_else(PoisonError::into_inner).push((sent, turn));
    }

    /// Removes the turns that precede event number `sent + 1`, oldest first.
    #[cfg(feature = "server")]
    pub(crate) fn take_until(&self, sent: u64) -> Vec<PrivateTurn> {
        let mut added = self.added.lock().unwrap_or_else(PoisonError::into_inner);
        let due = added.iter().take_while(|(before, _)| *before <= sent).count();
        added.drain(..due).map(|(_, turn)| turn).collect()
    }
}
