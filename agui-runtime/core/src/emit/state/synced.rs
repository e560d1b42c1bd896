//! A state with the client's copy, and the events that keep both equal.

use crate::emit::Emit;
use crate::kernel::WriteFields;
use crate::protocol::Event;
use crate::state::{Shadow, State, StateError, shadow};

/// A state and the client's copy.
pub(crate) struct SyncedState<S> {
    pub(super) live: S,
    pub(super) shadow: Shadow<S>,
    pub(super) last_sent: LastStateEvent,
}

/// The last state event that the client got in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastStateEvent {
    /// No event: the client has the state that it sent.
    Nothing,
    /// A snapshot.
    Whole,
    /// A delta.
    Changes,
}

impl LastStateEvent {
    pub(super) fn by(event: &Event) -> Self {
        if matches!(event, Event::StateDelta(_)) { Self::Changes } else { Self::Whole }
    }
}

impl<S: State> SyncedState<S> {
    /// Returns the client's state as the event that must precede a change, if one is due: [`Kernel::owes_state`].
    ///
    /// [`Kernel::owes_state`]: crate::emit::kernel::Kernel::owes_state
    pub(super) fn owed(&mut self, emit: &Emit) -> Result<Option<Event>, StateError> {
        // A copy that is not valid is sent whole in place of a change.
        let owed = self.last_sent == LastStateEvent::Nothing && self.shadow.holds() && emit.owes_state();
        if owed { self.whole().map(Some) } else { Ok(None) }
    }

    /// Sends a change to the client, after the event that is due first.
    pub(super) fn tell(&mut self, emit: &Emit, owed: Option<Event>, change: Event, fields: WriteFields) {
        self.last_sent = LastStateEvent::by(&change);
        emit.act(|kernel, author| kernel.change_state(author, owed, change, fields));
    }

    /// Returns the whole state as an event. After an error, the client's copy is unknown.
    pub(super) fn whole(&mut self) -> Result<Event, StateError> {
        let event = shadow::snapshot(self.shadow.resend()?);
        event.inspect_err(|_| self.shadow.lose())
    }
}
