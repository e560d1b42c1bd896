use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::options::StateOptions;
use super::shadow::{self, Shadow};
use super::{State, StateError};
use crate::emit::{Act, Do, Emit, Fields};
use crate::protocol::Event;

/// The shared state of a run, from its baseline on.
///
/// A plain borrow of the run: copy it, pass it to helpers, take it as a tool's parameter `&StateHandle<Recipe>`.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Puts something on the list.
/// #[tool]
/// async fn add(list: &StateHandle<Vec<String>>, name: String) -> Result<(), agui_runtime::StateError> {
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
    cell: Mutex<Option<Synced<S>>>,
    /// Which thread runs user code on the state right now.
    inside: Mutex<Option<ThreadId>>,
}

pub(super) struct Synced<S> {
    pub(super) live: S,
    pub(super) shadow: Shadow<S>,
    pub(super) told: Told,
}

/// What the client was told last of the state, in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// Nothing: it holds what it sent.
    Nothing,
    /// The whole.
    Whole,
    /// What changed in it.
    Changes,
}

impl Told {
    pub(super) fn by(event: &Event) -> Self {
        if matches!(event, Event::StateDelta(_)) { Self::Changes } else { Self::Whole }
    }
}

impl<S: State> Synced<S> {
    /// What the client holds, as the event it must be told before a change, if it must: [`Kernel::owes_state`].
    ///
    /// [`Kernel::owes_state`]: crate::emit::kernel::Kernel::owes_state
    pub(super) fn owed(&mut self, emit: &Emit) -> Result<Option<Event>, StateError> {
        // A copy that does not hold is sent whole in place of a change.
        let owed = self.told == Told::Nothing && self.shadow.holds() && emit.owes_state();
        if owed { self.whole().map(Some) } else { Ok(None) }
    }

    /// Tells the client of a change, and before it what it is owed.
    pub(super) fn tell(&mut self, emit: &Emit, owed: Option<Event>, change: Event, fields: Fields) {
        self.told = Told::by(&change);
        emit.act(|kernel, author| kernel.change_state(author, owed, change, fields));
    }

    /// The whole state as an event. When there is none, the client has not been told what the copy holds.
    fn whole(&mut self) -> Result<Event, StateError> {
        let event = shadow::snapshot(self.shadow.resend()?);
        event.inspect_err(|_| self.shadow.lose())
    }
}

/// What becomes of the state of a baseline that is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Earlier {
    Kept,
    Replaced,
}

impl<S: State> StateHandle<S> {
    pub(crate) fn new(emit: Emit, options: StateOptions) -> Self {
        Self { emit, options, cell: Mutex::new(None), inside: Mutex::new(None) }
    }

    /// Changes the state and tells the client: one STATE_DELTA with what changed, nothing when nothing did, a
    /// STATE_SNAPSHOT when the delta would be longer than half of the last one (see [`Shadow`](crate::Shadow)). A client from
    /// before 1.0 that was told nothing of the state in this run gets a STATE_SNAPSHOT of what it holds before the first delta
    /// (see [`Peer`](crate::Peer)).
    ///
    /// The change happens when the future is awaited and the run has room, in one step: no other update comes between
    /// the change and its event.
    ///
    /// ```
    /// # use agui_runtime::{StateError, StateHandle};
    /// # async fn example(count: &StateHandle<u32>) -> Result<(), StateError> {
    /// let now = count.update(|count| { *count += 1; *count }).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// Like every write it takes the fields any event may carry, which its event gets, if there is one:
    ///
    /// ```
    /// # use agui_runtime::{StateError, StateHandle, protocol::Metadata};
    /// # async fn example(count: &StateHandle<u32>, why: Metadata) -> Result<(), StateError> {
    /// count.update(|count| *count += 1).metadata(why).await?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`StateError::NoBaseline`] and [`StateError::Reentrant`] before anything changed; [`StateError::Json`] when the
    /// changed state has no JSON form: nothing was sent, and the next update sends the whole state.
    pub fn update<R, F: FnOnce(&mut S) -> R>(&self, edit: F) -> Update<'_, S, F> {
        Do::new(&self.emit, UpdateState { handle: self, edit })
    }

    /// The same at once, for a step that has room already.
    pub(crate) fn change<R>(&self, edit: impl FnOnce(&mut S) -> R, fields: Fields) -> Result<R, StateError> {
        self.with(|synced| {
            let returned = edit(&mut synced.live);
            let owed = synced.owed(&self.emit)?;
            let event = synced.shadow.flush(&synced.live)?.event().inspect_err(|_| synced.shadow.lose())?;
            if let Some(event) = event {
                synced.tell(&self.emit, owed, event, fields);
            }
            Ok(returned)
        })
    }

    /// Looks at the state.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    ///
    /// ```
    /// # use agui_runtime::{StateError, StateHandle};
    /// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
    /// let items = list.read(|list| list.len())?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn read<R>(&self, look: impl FnOnce(&S) -> R) -> Result<R, StateError> {
        self.with(|synced| Ok(look(&synced.live)))
    }

    /// Sends the whole state again: STATE_SNAPSHOT. For clients that may have lost their copy.
    ///
    /// # Errors
    /// [`StateError::NoBaseline`], [`StateError::Reentrant`].
    ///
    /// ```
    /// # use agui_runtime::{StateError, StateHandle};
    /// # async fn example(list: &StateHandle<Vec<String>>) -> Result<(), StateError> {
    /// list.resend().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn resend(&self) -> Do<'_, ResendState<'_, S>> {
        Do::new(&self.emit, ResendState { handle: self })
    }

    /// The same at once, for a step that has room already.
    pub(crate) fn send_whole(&self, fields: Fields) -> Result<(), StateError> {
        self.with(|synced| {
            let event = synced.whole()?;
            self.emit.say_event(event, fields);
            synced.told = Told::Whole;
            Ok(())
        })
    }

    /// The whole state as an event, for the end of a run: of one that will be resumed, unless the client has just been told
    /// the whole, and where it is wanted and says anything that deltas said.
    pub(crate) fn last_snapshot(&self, resumed: bool) -> Result<Option<Event>, StateError> {
        if !(resumed || self.options.last_snapshot) || !self.has_baseline()? {
            return Ok(None);
        }
        self.with(|synced| match synced.told {
            Told::Whole if synced.shadow.holds() => Ok(None),
            Told::Nothing if !resumed => Ok(None),
            _ => synced.whole().map(Some),
        })
    }

    pub(super) fn options(&self) -> StateOptions {
        self.options
    }

    /// A state and the copy of it that the client holds or is about to get; the text is that of the whole.
    pub(super) fn synced(&self, live: S) -> Result<(Synced<S>, String), StateError> {
        let (shadow, text) = Shadow::start(&live)?;
        Ok((Synced { live, shadow: shadow.exact(self.options.exact), told: Told::Nothing }, text))
    }

    pub(super) fn start_with_snapshot(
        &self,
        live: S,
        earlier: Earlier,
        fields: Fields,
    ) -> Result<(), StateError> {
        let (mut synced, text) = self.synced(live)?;
        let event = shadow::snapshot(&text)?;
        synced.told = Told::Whole;
        let mut inside = self.enter()?;
        if earlier == Earlier::Kept && inside.cell().is_some() {
            drop(inside);
            return Ok(());
        }
        self.emit.act(|kernel, author| {
            kernel.own_state(author);
            kernel.send(author, event, fields);
        });
        let before = inside.cell().replace(synced);
        // The old state's destructor is user code, so it runs outside, and after the event.
        drop(inside);
        drop(before);
        Ok(())
    }

    /// Whether there is a baseline now: not if a stream forwarded by the run changed what the client holds.
    pub(super) fn start_unless_started(&self, synced: Synced<S>) -> Result<bool, StateError> {
        let mut inside = self.enter()?;
        if inside.cell().is_none() {
            if !self.emit.adopt_state() {
                return Ok(false);
            }
            *inside.cell() = Some(synced);
        }
        Ok(true)
    }

    pub(super) fn has_baseline(&self) -> Result<bool, StateError> {
        Ok(self.enter()?.cell().is_some())
    }

    pub(super) fn with<R>(
        &self,
        act: impl FnOnce(&mut Synced<S>) -> Result<R, StateError>,
    ) -> Result<R, StateError> {
        let mut inside = self.enter()?;
        act(inside.cell().as_mut().ok_or(StateError::NoBaseline)?)
    }

    /// Waits for other threads, refuses this one: an edit that uses its own state again would wait for itself.
    fn enter(&self) -> Result<Inside<'_, S>, StateError> {
        let this = thread::current().id();
        if *lock(&self.inside) == Some(this) {
            return Err(StateError::Reentrant);
        }
        let cell = lock(&self.cell);
        *lock(&self.inside) = Some(this);
        Ok(Inside { cell, inside: &self.inside })
    }

    pub(super) fn emit(&self) -> &Emit {
        &self.emit
    }
}

impl<S: State> fmt::Debug for StateHandle<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StateHandle").field("state", &std::any::type_name::<S>()).finish_non_exhaustive()
    }
}

struct Inside<'h, S> {
    cell: MutexGuard<'h, Option<Synced<S>>>,
    inside: &'h Mutex<Option<ThreadId>>,
}

impl<S> Inside<'_, S> {
    fn cell(&mut self) -> &mut Option<Synced<S>> {
        &mut self.cell
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

/// A change about to be made; see [`StateHandle::update`].
pub type Update<'h, S, F> = Do<'h, UpdateState<'h, S, F>>;

/// The act of changing the state.
pub struct UpdateState<'h, S: State, F> {
    handle: &'h StateHandle<S>,
    edit: F,
}

impl<S: State, R, F: FnOnce(&mut S) -> R> Act<'_> for UpdateState<'_, S, F> {
    type Output = Result<R, StateError>;

    fn act(self, _: &Emit, fields: Fields) -> Self::Output {
        self.handle.change(self.edit, fields)
    }
}

impl<S: State, F> fmt::Debug for UpdateState<'_, S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateState").field("handle", self.handle).finish_non_exhaustive()
    }
}

/// The act of sending the state again; see [`StateHandle::resend`].
#[derive(Debug)]
pub struct ResendState<'h, S: State> {
    handle: &'h StateHandle<S>,
}

impl<S: State> Act<'_> for ResendState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, _: &Emit, fields: Fields) -> Self::Output {
        self.handle.send_whole(fields)
    }
}
