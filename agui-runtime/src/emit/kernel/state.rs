//! Whose the shared state is: the typed state's, or that of somebody else's stream.

use super::{Kernel, Slot};

/// Who has said something of the shared state in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum StateOwner {
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
            self.state = StateOwner::Typed;
        }
    }

    /// The typed state takes over what the client holds, if that is what it sent with the input.
    pub(crate) fn adopt_state(&mut self, by: Slot) -> bool {
        let as_sent = self.state != StateOwner::Foreign;
        if as_sent && self.hears(by) {
            self.state = StateOwner::Typed;
        }
        as_sent
    }

    /// Whether somebody else's stream may change the client's state: until the typed state has a baseline.
    pub(crate) fn lend_state(&mut self) -> bool {
        let free = self.state != StateOwner::Typed;
        if free {
            self.state = StateOwner::Foreign;
        }
        free
    }
}
