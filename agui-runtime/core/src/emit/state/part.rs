//! A subagent's state: a part of the parent's. Only the run's own agent holds the value and the copy that was sent, so that
//! changes by all agents are differences in one document.

use std::sync::Arc;

use super::cell::StateCell;
use super::synced::{LastStateEvent, SyncedState};
use crate::emit::Emit;
use crate::kernel::WriteFields;
use crate::state::{State, StateError};

/// Declares that a state contains a subagent's state `T`. Implemented for every state with `AsMut<T>`.
///
/// ```
/// use agui_runtime::prelude::*;
/// use agui_runtime::runs::HoldsState;
///
/// /// The sources that a researcher found.
/// #[derive(State, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Default)]
/// struct Findings {
///     sources: Vec<String>,
/// }
///
/// /// An article on screen.
/// #[derive(State, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Default)]
/// struct Article {
///     title: String,
///     findings: Findings,
/// }
///
/// impl AsMut<Findings> for Article {
///     fn as_mut(&mut self) -> &mut Findings {
///         &mut self.findings
///     }
/// }
///
/// /// A writer of articles may have a researcher.
/// fn holds<P: HoldsState<Findings>>() {}
/// holds::<Article>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no place for the state `{T}` of a subagent",
    label = "this subagent shares the state `{T}`",
    note = "give `{Self}` a field of that type, and write `impl AsMut<{T}> for {Self}`, which returns the field"
)]
pub trait HoldsState<T>: AsMut<T> {}

#[diagnostic::do_not_recommend]
impl<S: AsMut<T>, T> HoldsState<T> for S {}

/// Access to a state value.
pub(super) enum StateHolder<S> {
    Own(Arc<StateCell<S>>),
    Part(Arc<dyn StatePart<S>>),
}

/// A part of another state.
pub(super) trait StatePart<S>: Send + Sync {
    fn change(
        &self,
        emit: &Emit,
        edit: &mut dyn FnMut(&mut S),
        fields: WriteFields,
    ) -> Result<(), StateError>;
    /// Shows the part. Mutable only because a function projects the part from the whole; nothing is sent.
    fn read(&self, look: &mut dyn FnMut(&mut S)) -> Result<(), StateError>;
    fn send_whole(&self, emit: &Emit, fields: WriteFields) -> Result<(), StateError>;
    fn check_baseline(&self) -> Result<(), StateError>;
}

struct StateProjection<S, T> {
    whole: StateHolder<S>,
    place: fn(&mut S) -> &mut T,
}

impl<S: State> StateHolder<S> {
    pub(super) fn part<T: State>(&self, place: fn(&mut S) -> &mut T) -> StateHolder<T> {
        let whole = match self {
            Self::Own(cell) => Self::Own(Arc::clone(cell)),
            Self::Part(part) => Self::Part(Arc::clone(part)),
        };
        StateHolder::Part(Arc::new(StateProjection { whole, place }))
    }

    pub(super) fn change<R>(
        &self,
        emit: &Emit,
        edit: impl FnOnce(&mut S) -> R,
        fields: WriteFields,
    ) -> Result<R, StateError> {
        match self {
            Self::Own(cell) => cell.with(|synced| {
                let returned = edit(&mut synced.live);
                let owed = synced.owed(emit)?;
                let event =
                    synced.shadow.flush(&synced.live)?.event().inspect_err(|_| synced.shadow.lose())?;
                if let Some(event) = event {
                    synced.tell(emit, owed, event, fields);
                }
                Ok(returned)
            }),
            Self::Part(part) => {
                let (mut edit, mut returned) = (Some(edit), None);
                part.change(emit, &mut |state| returned = edit.take().map(|edit| edit(state)), fields)?;
                returned.ok_or(StateError::NoBaseline)
            }
        }
    }

    pub(super) fn read<R>(&self, look: impl FnOnce(&S) -> R) -> Result<R, StateError> {
        match self {
            Self::Own(cell) => cell.with(|synced| Ok(look(&synced.live))),
            Self::Part(part) => {
                let (mut look, mut seen) = (Some(look), None);
                part.read(&mut |state| seen = look.take().map(|look| look(state)))?;
                seen.ok_or(StateError::NoBaseline)
            }
        }
    }

    pub(super) fn send_whole(&self, emit: &Emit, fields: WriteFields) -> Result<(), StateError> {
        match self {
            Self::Own(cell) => cell.with(|synced| {
                let event = synced.whole()?;
                emit.say_event(event, fields);
                synced.last_sent = LastStateEvent::Whole;
                Ok(())
            }),
            Self::Part(part) => part.send_whole(emit, fields),
        }
    }

    /// True if the state has a baseline. A part cannot begin one.
    pub(super) fn has_baseline(&self) -> Result<bool, StateError> {
        match self {
            Self::Own(cell) => cell.has_baseline(),
            Self::Part(part) => part.check_baseline().map(|()| true),
        }
    }

    /// Shows the value as mutable, for projections.
    fn with(&self, look: &mut dyn FnMut(&mut S)) -> Result<(), StateError> {
        match self {
            Self::Own(cell) => cell.with(|SyncedState { live, .. }| {
                look(live);
                Ok(())
            }),
            Self::Part(part) => part.read(look),
        }
    }
}

impl<S: State, T> StatePart<T> for StateProjection<S, T> {
    fn change(
        &self,
        emit: &Emit,
        edit: &mut dyn FnMut(&mut T),
        fields: WriteFields,
    ) -> Result<(), StateError> {
        self.whole.change(emit, |state| edit((self.place)(state)), fields)
    }

    fn read(&self, look: &mut dyn FnMut(&mut T)) -> Result<(), StateError> {
        self.whole.with(&mut |state| look((self.place)(state)))
    }

    fn send_whole(&self, emit: &Emit, fields: WriteFields) -> Result<(), StateError> {
        self.whole.send_whole(emit, fields)
    }

    fn check_baseline(&self) -> Result<(), StateError> {
        if self.whole.has_baseline()? { Ok(()) } else { Err(StateError::NoBaseline) }
    }
}
