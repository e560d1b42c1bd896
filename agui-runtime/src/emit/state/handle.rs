//! The state of a run with a baseline: updates, reads and snapshots.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::options::StateOptions;
use super::part::Kept;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::kernel::Fields;
use crate::protocol::Event;
use crate::state::{Shadow, State, StateError, shadow};

/// The shared state of a run, after its baseline was chosen.
///
/// It borrows from the run: copy it, pass it to helpers, take it as the parameter `&StateHandle<Recipe>` of
/// a tool.
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
    kept: Kept<S>,
}

/// The value of the state of one agent of a run.
pub(super) struct Cell<S> {
    synced: Mutex<Option<Synced<S>>>,
    /// The thread that currently runs user code on the state.
    inside: Mutex<Option<ThreadId>>,
}

pub(crate) struct Synced<S> {
    pub(super) live: S,
    pub(super) shadow: Shadow<S>,
    pub(super) last_sent: LastSent,
}

/// The last event about the state that the client was sent in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LastSent {
    /// None: the client has the state that it sent.
    Nothing,
    /// The whole state.
    Whole,
    /// Changes of the state.
    Changes,
}

impl LastSent {
    pub(super) fn by(event: &Event) -> Self {
        if matches!(event, Event::StateDelta(_)) { Self::Changes } else { Self::Whole }
    }
}

impl<S: State> Synced<S> {
    /// Returns the client's state as the event that must be sent before a change, if one is due:
    /// [`Kernel::owes_state`].
    ///
    /// [`Kernel::owes_state`]: crate::emit::kernel::Kernel::owes_state
    pub(super) fn owed(&mut self, emit: &Emit) -> Result<Option<Event>, StateError> {
        // A copy that is not valid is sent whole in place of a change.
        let owed = self.last_sent == LastSent::Nothing && self.shadow.holds() && emit.owes_state();
        if owed { self.whole().map(Some) } else { Ok(None) }
    }

    /// Sends a change to the client, after the event that is due before it.
    pub(super) fn tell(&mut self, emit: &Emit, owed: Option<Event>, change: Event, fields: Fields) {
        self.last_sent = LastSent::by(&change);
        emit.act(|kernel, author| kernel.change_state(author, owed, change, fields));
    }

    /// Returns the whole state as an event. After an error, the client's copy is unknown.
    pub(super) fn whole(&mut self) -> Result<Event, StateError> {
        let event = shadow::snapshot(self.shadow.resend()?);
        event.inspect_err(|_| self.shadow.lose())
    }
}

/// The treatment of a state that already has a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Earlier {
    Kept,
    Replaced,
}

impl<S: State> StateHandle<S> {
    pub(crate) fn new(emit: Emit, options: StateOptions) -> Self {
        let cell = Cell { synced: Mutex::new(None), inside: Mutex::new(None) };
        Self { emit, options, kept: Kept::Own(Arc::new(cell)) }
    }

    /// Returns the state of a subagent: a part of this one.
    pub(crate) fn part<T: State>(&self, emit: Emit, place: fn(&mut S) -> &mut T) -> StateHandle<T> {
        StateHandle { emit, options: self.options, kept: self.kept.part(place) }
    }

    pub(super) fn kept(&self) -> &Kept<S> {
        &self.kept
    }

    /// Changes the state and sends the change: one STATE_DELTA with the differences, no event if there are
    /// none, a STATE_SNAPSHOT if the delta would be longer than half of the last one (see
    /// [`Shadow`](crate::state::Shadow)). A client from before 1.0 that was sent nothing about the state in this
    /// run first gets a STATE_SNAPSHOT of its own state (see [`Peer`](crate::Peer)).
    ///
    /// The change happens in one step when the future is awaited and the run has room: no other update
    /// comes between the change and its event.
    ///
    /// ```
    /// # use agui_runtime::StateHandle;
    /// # use agui_runtime::state::StateError;
    /// # async fn example(count: &StateHandle<u32>) -> Result<(), StateError> {
    /// let now = count.update(|count| { *count += 1; *count }).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Like every write it takes the fields that any event may carry. They are set on its event, if there
    /// is one:
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
    /// [`StateError::NoBaseline`] and [`StateError::Reentrant`] before anything changed;
    /// [`StateError::Json`] when the changed state has no JSON form: nothing was sent, and the next update
    /// sends the whole state.
    pub fn update<R, F>(&self, edit: F) -> Update<'_, S, F, R>
    where
        // The compiler shows this line where the closure is async.
        F: FnOnce(&mut S) -> R, // it does not wait: await before, and give `update` a plain closure
    {
        WriteFuture::new(&self.emit, UpdateState { handle: self, edit, call: |edit, state| edit(state) })
    }

    /// Like [`update`](Self::update) at once, for a step that already has room.
    pub(crate) fn change<R>(&self, edit: impl FnOnce(&mut S) -> R, fields: Fields) -> Result<R, StateError> {
        self.kept.change(&self.emit, edit, fields)
    }

    /// Reads the state.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    ///
    /// ```
    /// # use agui_runtime::StateHandle;
    /// # use agui_runtime::state::StateError;
    /// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
    /// let items = list.read(|list| list.len())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn read<R>(&self, look: impl FnOnce(&S) -> R) -> Result<R, StateError> {
        self.kept.read(look)
    }

    /// Sends the whole state again as a STATE_SNAPSHOT, for clients that may have lost their copy.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    ///
    /// ```
    /// # use agui_runtime::StateHandle;
    /// # use agui_runtime::state::StateError;
    /// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
    /// list.resend().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn resend(&self) -> WriteFuture<'_, ResendState<'_, S>> {
        WriteFuture::new(&self.emit, ResendState { handle: self })
    }

    /// Like [`resend`](Self::resend) at once, for a step that already has room.
    pub(crate) fn send_whole(&self, fields: Fields) -> Result<(), StateError> {
        self.kept.send_whole(&self.emit, fields)
    }

    /// Returns the whole state as an event for the end of a run: for a run that will be resumed, unless the
    /// client was just sent the whole state, and, if the option is set, for a run that sent deltas.
    pub(crate) fn last_snapshot(&self, resumed: bool) -> Result<Option<Event>, StateError> {
        if !(resumed || self.options.last_snapshot) || !self.has_baseline()? {
            return Ok(None);
        }
        let Kept::Own(cell) = &self.kept else { return Ok(None) };
        cell.with(|synced| match synced.last_sent {
            LastSent::Whole if synced.shadow.holds() => Ok(None),
            LastSent::Nothing if !resumed => Ok(None),
            _ => synced.whole().map(Some),
        })
    }

    pub(crate) fn options(&self) -> StateOptions {
        self.options
    }

    /// Returns a state with the copy that the client has or is about to get, and the text of the whole.
    pub(crate) fn synced(&self, live: S) -> Result<(Synced<S>, String), StateError> {
        let (shadow, text) = Shadow::start(&live)?;
        Ok((Synced { live, shadow: shadow.exact(self.options.exact), last_sent: LastSent::Nothing }, text))
    }

    pub(crate) fn start_with_snapshot(
        &self,
        live: S,
        earlier: Earlier,
        fields: Fields,
    ) -> Result<(), StateError> {
        let cell = match &self.kept {
            Kept::Own(cell) => cell,
            Kept::Part(_) if earlier == Earlier::Kept => return self.has_baseline().map(drop),
            Kept::Part(_) => return self.change(|state| std::mem::replace(state, live), fields).map(drop),
        };
        let (mut synced, text) = self.synced(live)?;
        let event = shadow::snapshot(&text)?;
        synced.last_sent = LastSent::Whole;
        let mut inside = cell.enter()?;
        if earlier == Earlier::Kept && inside.synced().is_some() {
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

    /// Returns true if there is a baseline now; false if an event forwarded by the run changed the client's
    /// copy.
    pub(crate) fn start_unless_started(&self, synced: Synced<S>) -> Result<bool, StateError> {
        let Kept::Own(cell) = &self.kept else { return self.has_baseline() };
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
        self.kept.has_baseline()
    }

    pub(crate) fn emit(&self) -> &Emit {
        &self.emit
    }
}

impl<S> Cell<S> {
    pub(super) fn with<R>(
        &self,
        act: impl FnOnce(&mut Synced<S>) -> Result<R, StateError>,
    ) -> Result<R, StateError> {
        let mut inside = self.enter()?;
        act(inside.synced().as_mut().ok_or(StateError::NoBaseline)?)
    }

    pub(super) fn has_baseline(&self) -> Result<bool, StateError> {
        Ok(self.enter()?.synced().is_some())
    }

    /// Locks the state. An edit that uses the state again on the same thread gets an error, because it would wait for
    /// itself.
    fn enter(&self) -> Result<Inside<'_, S>, StateError> {
        let this = thread::current().id();
        if *lock(&self.inside) == Some(this) {
            return Err(StateError::Reentrant);
        }
        let synced = lock(&self.synced);
        *lock(&self.inside) = Some(this);
        Ok(Inside { synced, inside: &self.inside })
    }
}

impl<S: State> fmt::Debug for StateHandle<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHandle").field("state", &std::any::type_name::<S>()).finish_non_exhaustive()
    }
}

struct Inside<'h, S> {
    synced: MutexGuard<'h, Option<Synced<S>>>,
    inside: &'h Mutex<Option<ThreadId>>,
}

impl<S> Inside<'_, S> {
    fn synced(&mut self) -> &mut Option<Synced<S>> {
        &mut self.synced
    }
}

impl<S> Drop for Inside<'_, S> {
    fn drop(&mut self) {
        *lock(self.inside) = None;
    }
}

// A panic in an edit leaves a state that is still a value of its type; the next event sends the difference.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A change that is made when awaited; see [`StateHandle::update`].
///
/// ```
/// use agui_runtime::future::Update;
/// # use agui_runtime::{StateHandle, state::StateError};
///
/// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
/// let add: Update<'_, Vec<String>, _, ()> = list.update(|list| list.push("rice".to_owned()));
/// add.await?;
/// # Ok(())
/// # }
/// ```
pub type Update<'h, S, F, R> = WriteFuture<'h, UpdateState<'h, S, F, R>>;

/// The write that changes the state.
///
/// ```
/// use agui_runtime::StateHandle;
/// use agui_runtime::future::{UpdateState, WriteFuture};
///
/// fn clear(list: &StateHandle<Vec<String>>) -> WriteFuture<'_, UpdateState<'_, Vec<String>, fn(&mut Vec<String>), ()>> {
///     list.update(Vec::clear as fn(&mut Vec<String>))
/// }
/// ```
pub struct UpdateState<'h, S: State, F, R> {
    handle: &'h StateHandle<S>,
    edit: F,
    /// Calls the closure. Known where the write is made, so that a wrong closure is one error, and not one more for each use.
    call: fn(F, &mut S) -> R,
}

impl<S: State, R, F> RunWrite<'_> for UpdateState<'_, S, F, R> {
    type Output = Result<R, StateError>;

    fn act(self, _: &Emit, fields: Fields) -> Self::Output {
        let Self { handle, edit, call } = self;
        handle.change(|state| call(edit, state), fields)
    }
}

impl<S: State, F, R> fmt::Debug for UpdateState<'_, S, F, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateState").field("handle", self.handle).finish_non_exhaustive()
    }
}

/// The write that sends the state again; see [`StateHandle::resend`].
///
/// ```
/// use agui_runtime::future::{ResendState, WriteFuture};
/// # use agui_runtime::{StateHandle, state::StateError};
///
/// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
/// let resend: WriteFuture<'_, ResendState<'_, Vec<String>>> = list.resend();
/// resend.await?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ResendState<'h, S: State> {
    handle: &'h StateHandle<S>,
}

impl<S: State> RunWrite<'_> for ResendState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, _: &Emit, fields: Fields) -> Self::Output {
        self.handle.send_whole(fields)
    }
}
