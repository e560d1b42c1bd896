//! The owner of the shared state, and the state that the peer was sent.

use serde_json::Value;

use super::{Fields, Kernel, Peer, Slot};
use crate::json::patch::{CopyLimit, PatchError, StepLimit, patch_within};
use crate::protocol::{Event, PatchOperation};

/// The shared state of a run, as far as the kernel knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedState {
    owner: Owner,
    /// True if the client was sent the whole state in this run; only recorded for a legacy client.
    is_told: bool,
    /// The state that a legacy client holds, while foreign streams change it.
    held: Held,
}

/// The state that a legacy client holds, while foreign streams change it. The limits of its patches are those of the run,
/// because many small patches can take as much time and memory as a large one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held {
    /// `None` until a stream changes it.
    pub(crate) document: Option<Value>,
    copies: CopyLimit,
    steps: StepLimit,
}

impl Held {
    /// Applies operations, if there is a document.
    pub(crate) fn patch(&mut self, operations: &[PatchOperation]) -> Result<(), PatchError> {
        let (copies, steps) = (&mut self.copies, &mut self.steps);
        self.document.as_mut().map_or(Ok(()), |document| patch_within(document, operations, copies, steps))
    }
}

/// The author of the state in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Owner {
    #[default]
    Nobody,
    /// The typed state, which knows the client's state.
    Typed,
    /// A foreign stream: the client's state is unknown.
    Foreign,
}

impl Kernel {
    /// Gives the typed state a baseline of its own, if its author may write.
    pub(crate) fn own_state(&mut self, by: Slot) {
        if self.accepts(by) {
            self.state.owner = Owner::Typed;
            self.state.held.document = None;
        }
    }

    /// Lets the typed state adopt the client's state, if that is still the state of the input.
    pub(crate) fn adopt_state(&mut self, by: Slot) -> bool {
        let as_sent = self.state.owner != Owner::Foreign;
        if as_sent && self.accepts(by) {
            self.state.owner = Owner::Typed;
        }
        as_sent
    }

    /// Returns true if a foreign stream may change the client's state: until the typed state has a baseline.
    pub(crate) fn lend_state(&mut self) -> bool {
        let free = self.state.owner != Owner::Typed;
        if free {
            self.state.owner = Owner::Foreign;
        }
        free
    }

    /// Returns true if the peer must be sent the whole state before the next change of it.
    ///
    /// `compactEvents` of legacy clients folds the state events of a run from `{}`, and throws where a delta needs
    /// more than that. CopilotKit's runtime calls it at the end of each run and does not catch the error, so its
    /// process ends.
    pub(crate) fn owes_state(&self) -> bool {
        self.peer == Peer::Legacy && !self.state.is_told
    }

    /// Sends a change of the state, after the state `held` that the change needs, if it needs one.
    pub(crate) fn change_state(&mut self, by: Slot, held: Option<Event>, change: Event, fields: Fields) {
        if let (Some(held), Event::StateDelta(_)) = (held, &change) {
            self.send(by, held, None);
        }
        self.send(by, change, fields);
    }

    /// Returns the place where the state of a legacy client is kept up to date, for foreign streams; `None` for other
    /// clients.
    pub(crate) fn held_state(&mut self) -> Option<&mut Held> {
        (self.peer == Peer::Legacy).then_some(&mut self.state.held)
    }

    /// Records an event that a legacy client is sent.
    pub(super) fn note_state(&mut self, event: &Event) {
        self.state.is_told |= matches!(event, Event::StateSnapshot(_));
    }
}
