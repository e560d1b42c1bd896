//! Whose the shared state is, and what the peer was told of it.

use serde_json::Value;

use super::{Fields, Kernel, Peer, Slot};
use crate::protocol::Event;

/// The shared state of a run, as far as the kernel knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedState {
    owner: Owner,
    /// Whether the peer was told the whole state in this run; only known for an old one.
    is_told: bool,
    /// What an old peer holds, where streams of others change it.
    held: Option<Value>,
}

/// The author of the state in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    #[default]
    Nobody,
    /// The typed state, which knows what the client holds.
    Typed,
    /// Somebody else's stream: nobody knows what the client holds.
    Foreign,
}

impl Kernel {
    /// The typed state gets a baseline of its own, if its author is heard.
    pub(crate) fn own_state(&mut self, by: Slot) {
        if self.hears(by) {
            self.state.owner = Owner::Typed;
            self.state.held = None;
        }
    }

    /// The typed state takes over what the client holds, if that is what it sent with the input.
    pub(crate) fn adopt_state(&mut self, by: Slot) -> bool {
        let as_sent = self.state.owner != Owner::Foreign;
        if as_sent && self.hears(by) {
            self.state.owner = Owner::Typed;
        }
        as_sent
    }

    /// Whether somebody else's stream may change the client's state: until the typed state has a baseline.
    pub(crate) fn lend_state(&mut self) -> bool {
        let free = self.state.owner != Owner::Typed;
        if free {
            self.state.owner = Owner::Foreign;
        }
        free
    }

    /// Whether the peer must be told the whole state before the next change of it.
    ///
    /// `compactEvents` of clients before 1.0 folds the state events of a run from `{}`, and throws where a delta needs more than
    /// that. CopilotKit's runtime calls it at the end of each run and does not catch what it throws, so its process ends.
    pub(crate) fn owes_state(&self) -> bool {
        self.peer == Peer::Legacy && !self.state.is_told
    }

    /// Says a change of the state, after the state `held` that the change needs, if there is one to be said.
    pub(crate) fn change_state(&mut self, by: Slot, held: Option<Event>, change: Event, fields: Fields) {
        if let (Some(held), Event::StateDelta(_)) = (held, &change) {
            self.send(by, held, None);
        }
        self.send(by, change, fields);
    }

    /// The place where the state of an old peer is kept up to date, for streams of others; `None` for a peer that needs no
    /// such care.
    pub(crate) fn held_state(&mut self) -> Option<&mut Option<Value>> {
        (self.peer == Peer::Legacy).then_some(&mut self.state.held)
    }

    /// Takes note of an event that an old peer is told.
    pub(super) fn note_state(&mut self, event: &Event) {
        self.state.is_told |= matches!(event, Event::StateSnapshot(_));
    }
}
