//! A run's state with a baseline: updates, reads and snapshots.

use std::fmt;
use std::sync::Arc;

use super::cell::StateCell;
use super::options::StateOptions;
use super::part::StateHolder;
use super::synced::{LastStateEvent, SyncedState};
use super::{ResendState, StateUpdate, UpdateState};
use crate::emit::{Emit, PlainEdit, WriteFuture};
use crate::kernel::WriteFields;
use crate::protocol::Event;
use crate::state::{Shadow, State, StateError, shadow};

/// A run's shared state, after its baseline was chosen.
///
/// The handle borrows from the run: copy it, pass it to helpers, take it as a tool parameter `&StateHandle<Recipe>`.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Puts something on the list.
/// #[tool]
/// async fn add(list: &StateHandle<Vec<String>>, name: String) -> Result<(), agui_runtime::state::StateError> {
///     list.update(|list| list.push(name)).await
/// }
///
/// /// Keeps a list.
/// #[agent(state = Vec<String>, tools = [add])]
/// async fn keeper(run: &mut Run<Keeper>, input: Input<Keeper>) -> Result<(), Stop> {
///     run.state().adopt_or_snapshot(&input).await?;
///     run.call(add { name: "rice".to_owned() }).await?.run().await?;
///     Ok(())
/// }
/// ```
pub struct StateHandle<S: State> {
    emit: Emit,
    options: StateOptions,
    holder: StateHolder<S>,
}

/// The treatment of a state that already has a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ExistingBaseline {
    Kept,
    Replaced,
}

impl<S: State> StateHandle<S> {
    pub(crate) fn new(emit: Emit, options: StateOptions) -> Self {
        Self { emit, options, holder: StateHolder::Own(Arc::new(StateCell::new())) }
    }

    /// Returns a subagent's state, a part of this one.
    pub(crate) fn part<T: State>(&self, emit: Emit, place: fn(&mut S) -> &mut T) -> StateHandle<T> {
        StateHandle { emit, options: self.options, holder: self.holder.part(place) }
    }

    pub(super) fn holder(&self) -> &StateHolder<S> {
        &self.holder
    }

    /// Changes the state and sends the change: one STATE_DELTA with the differences, no event without differences, or a
    /// STATE_SNAPSHOT if the delta would be longer than half the last snapshot (see [`Shadow`](crate::state::Shadow)). A legacy
    /// client that has no state event from this run first gets a STATE_SNAPSHOT with its own state (see [`Peer`](crate::Peer)).
    ///
    /// The change happens in one step when the future is awaited and the run has room: no other update comes between the change
    /// and its event.
    ///
    /// Like every write, an update takes the optional event fields, for the event that it sends:
    ///
    /// ```
    /// # use agui_runtime::state::StateError;
    /// # use agui_runtime::{StateHandle, protocol::Metadata};
    /// # async fn example(count: &StateHandle<u32>, why: Metadata) -> Result<(), StateError> {
    /// count.update(|count| *count += 1).metadata(why).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`StateError::NoBaseline`] and [`StateError::Reentrant`] before anything changed; [`StateError::Json`] when the changed
    /// state has no JSON form: nothing was sent, and the next update sends the whole state.
    pub fn update<R, F>(&self, edit: F) -> StateUpdate<'_, S, F, R>
    where
        F: FnOnce(&mut S) -> R + PlainEdit<R>,
    {
        WriteFuture::new(&self.emit, UpdateState { handle: self, edit, call: |edit, state| edit(state) })
    }

    /// Like [`update`](Self::update) without waiting, for a step that already has room.
    pub(crate) fn change<R>(
        &self,
        edit: impl FnOnce(&mut S) -> R,
        fields: WriteFields,
    ) -> Result<R, StateError> {
        self.holder.change(&self.emit, edit, fields)
    }

    /// Reads the state.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    pub fn read<R>(&self, look: impl FnOnce(&S) -> R) -> Result<R, StateError> {
        self.holder.read(look)
    }

    /// Sends the whole state again as a STATE_SNAPSHOT, for clients that may have lost their copy.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    pub fn resend(&self) -> WriteFuture<'_, ResendState<'_, S>> {
        WriteFuture::new(&self.emit, ResendState { handle: self })
    }

    /// Like [`resend`](Self::resend) without waiting, for a step that already has room.
    pub(crate) fn send_whole(&self, fields: WriteFields) -> Result<(), StateError> {
        self.holder.send_whole(&self.emit, fields)
    }

    /// Returns the whole state as an event for the run's end: for a run that will be resumed, unless the last state event was a
    /// snapshot, and, if the option is set, for a run that sent deltas.
    pub(crate) fn last_snapshot(&self, resumed: bool) -> Result<Option<Event>, StateError> {
        if !(resumed || self.options.last_snapshot) || !self.has_baseline()? {
            return Ok(None);
        }
        let StateHolder::Own(cell) = &self.holder else { return Ok(None) };
        cell.with(|synced| match synced.last_sent {
            LastStateEvent::Whole if synced.shadow.holds() => Ok(None),
            LastStateEvent::Nothing if !resumed => Ok(None),
            _ => synced.whole().map(Some),
        })
    }

    pub(crate) fn options(&self) -> StateOptions {
        self.options
    }

    /// Returns a state with the copy that the client has or is about to get, and the whole state as text.
    pub(crate) fn synced(&self, live: S) -> Result<(SyncedState<S>, String), StateError> {
        let (shadow, text) = Shadow::start(&live)?;
        Ok((
            SyncedState {
                live,
                shadow: shadow.exact(self.options.exact),
                last_sent: LastStateEvent::Nothing,
            },
            text,
        ))
    }

    pub(crate) fn start_with_snapshot(
        &self,
        live: S,
        earlier: ExistingBaseline,
        fields: WriteFields,
    ) -> Result<(), StateError> {
        let cell = match &self.holder {
            StateHolder::Own(cell) => cell,
            StateHolder::Part(_) if earlier == ExistingBaseline::Kept => {
                return self.has_baseline().map(drop);
            }
            StateHolder::Part(_) => {
                return self.change(|state| std::mem::replace(state, live), fields).map(drop);
            }
        };
        let (mut synced, text) = self.synced(live)?;
        let event = shadow::snapshot(&text)?;
        synced.last_sent = LastStateEvent::Whole;
        let mut inside = cell.enter()?;
        if earlier == ExistingBaseline::Kept && inside.synced().is_some() {
            drop(inside);
            return Ok(());
        }
        self.emit.act(|kernel, author| {
            kernel.own_state(author);
            kernel.send(author, event, fields);
        });
        let before = inside.synced().replace(synced);
        // The destructor of the old state is user code, so it runs after `inside` is dropped, and after the
        // event.
        drop(inside);
        drop(before);
        Ok(())
    }

    /// True if a baseline exists now; false if a forwarded event changed the client's copy.
    pub(crate) fn start_unless_started(&self, synced: SyncedState<S>) -> Result<bool, StateError> {
        let StateHolder::Own(cell) = &self.holder else { return self.has_baseline() };
        let mut inside = cell.enter()?;
        if inside.synced().is_none() {
            if !self.emit.adopt_state() {
                return Ok(false);
            }
            *inside.synced() = Some(synced);
        }
        Ok(true)
    }

    pub(crate) fn has_baseline(&self) -> Result<bool, StateError> {
        self.holder.has_baseline()
    }

    pub(crate) fn emit(&self) -> &Emit {
        &self.emit
    }
}

impl<S: State> fmt::Debug for StateHandle<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHandle").field("state", &std::any::type_name::<S>()).finish_non_exhaustive()
    }
}
