//! Ownership of the shared state, and the state that the peer was sent.

use serde_json::Value;

use super::{Peer, RunKernel, SpanSlot, WriteFields};
use crate::json::patch::{CopyLimit, PatchError, StepLimit, patch_within};
use crate::protocol::{Event, PatchOperation};

/// A run's shared state, as far as the kernel knows the state.
#[derive(Clone, Debug, Default)]
pub(super) struct SharedState {
    owner: StateOwner,
    /// True if the client was sent the whole state in this run; not recorded for a current client.
    is_told: bool,
    /// A legacy client's state, while foreign streams change it.
    held: LegacyState,
}

/// A legacy client's state, while foreign streams change it. All patches share the run's limits, because many small patches can
/// take as much time and memory as a large one.
#[derive(Clone, Debug, Default)]
pub(crate) struct LegacyState {
    /// `None` until a stream changes it.
    pub(crate) document: Option<Value>,
    copies: CopyLimit,
    steps: StepLimit,
}

impl SharedState {
    /// Records an event that the client is sent.
    pub(super) fn note(&mut self, event: &Event) {
        self.is_told |= matches!(event, Event::StateSnapshot(_));
    }
}

impl LegacyState {
    /// Applies operations, if there is a document.
    pub(crate) fn patch(&mut self, operations: &[PatchOperation]) -> Result<(), PatchError> {
        let (copies, steps) = (&mut self.copies, &mut self.steps);
        self.document.as_mut().map_or(Ok(()), |document| patch_within(document, operations, copies, steps))
    }
}

/// Author of the state in this run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum StateOwner {
    #[default]
    Nobody,
    /// The typed state, which knows the client's state.
    Typed,
    /// A foreign stream: the client's state is unknown.
    Foreign,
}

impl RunKernel {
    /// Gives the typed state its own baseline, if the author may write.
    pub(crate) fn own_state(&mut self, by: SpanSlot) {
        if self.accepts(by) {
            self.state.owner = StateOwner::Typed;
            self.state.held.document = None;
        }
    }

    /// Lets the typed state adopt the client's state, if still unchanged since the input.
    pub(crate) fn adopt_state(&mut self, by: SpanSlot) -> bool {
        let as_sent = self.state.owner != StateOwner::Foreign;
        if as_sent && self.accepts(by) {
            self.state.owner = StateOwner::Typed;
        }
        as_sent
    }

    /// True if a foreign stream may change the client's state: until the typed state has a baseline.
    pub(crate) fn lend_state(&mut self) -> bool {
        let free = self.state.owner != StateOwner::Typed;
        if free {
            self.state.owner = StateOwner::Foreign;
        }
        free
    }

    /// True if the peer must be sent the whole state before the next change.
    ///
    /// Legacy clients' `compactEvents` folds a run's state events from `{}`, and throws where a delta needs more. CopilotKit's
    /// runtime calls `compactEvents` at each run end and does not catch the error, so the process ends.
    pub(crate) fn owes_state(&self) -> bool {
        self.peer == Peer::Legacy && !self.state.is_told
    }

    /// Sends a state change, after the state `held` if the change needs that state.
    pub(crate) fn change_state(
        &mut self,
        by: SpanSlot,
        held: Option<Event>,
        change: Event,
        fields: WriteFields,
    ) {
        if let (Some(held), Event::StateDelta(_)) = (held, &change) {
            self.send(by, held, None);
        }
        self.send(by, change, fields);
    }

    /// Returns a legacy client's state, which foreign streams keep up to date; `None` for other clients.
    pub(crate) fn legacy_state(&mut self) -> Option<&mut LegacyState> {
        (self.peer == Peer::Legacy).then_some(&mut self.state.held)
    }
}
