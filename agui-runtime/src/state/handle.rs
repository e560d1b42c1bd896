use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::thread::{self, ThreadId};

use super::shadow::Shadow;
use super::{State, StateError};
use crate::agent::{Agent, Input};
use crate::emit::{Emit, Turn};
use crate::protocol::Event;

/// The state of a run before the client's copy has a known beginning: what [`Run::state`](crate::Run::state) gives.
///
/// A delta needs a document to apply to, so there is no `update` here. Choose where the client's copy starts.
#[must_use = "choose a baseline: `adopt_or_snapshot`, `snapshot` or `adopt`"]
#[derive(Debug)]
pub struct Baseline<'r, S: State> {
    handle: &'r StateHandle<S>,
}

impl<'r, S: State> Baseline<'r, S> {
    pub(crate) fn new(handle: &'r StateHandle<S>) -> Self {
        Self { handle }
    }

    /// Starts from a value of the agent's: STATE_SNAPSHOT.
    ///
    /// # Errors
    /// [`StateError::Json`] when the value has no JSON form; nothing is sent then.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Run, StateError};
    /// # async fn example<A: Agent<State = Vec<String>>>(run: &mut Run<A>) -> Result<(), StateError> {
    /// let list = run.state().snapshot(&vec!["rice".to_owned()]).await?;
    /// list.update(|list| list.push("saffron".to_owned())).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn snapshot(self, state: &S) -> Result<&'r StateHandle<S>, StateError> {
        let state = state.clone();
        self.handle.room().await;
        self.handle.start_with_snapshot(state)?;
        Ok(self.handle)
    }

    /// Starts from what the client sent, without an event. `None` when the client holds no state, or holds one that
    /// reads as this state but is not what this state writes (a member missing, or one too many): a delta would not
    /// apply to it. Then start with a snapshot.
    ///
    /// A state that has a baseline already keeps it, and what was changed since: the client's copy has moved on from
    /// what it sent. So helpers may ask again.
    ///
    /// # Errors
    /// [`StateError::Client`] when what the client sent is not a state of this agent.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run, StateError};
    /// # async fn example<A: Agent<State = Vec<String>>>(run: &mut Run<A>, input: Input<A>) -> Result<(), StateError> {
    /// let list = match run.state().adopt(&input)? {
    ///     Some(list) => list,
    ///     None => run.state().snapshot(&vec!["rice".to_owned()]).await?,
    /// };
    /// # list.read(|_| ())
    /// # }
    /// ```
    pub fn adopt<A: Agent<State = S>>(
        self,
        input: &Input<A>,
    ) -> Result<Option<&'r StateHandle<S>>, StateError> {
        if self.handle.has_baseline()? {
            return Ok(Some(self.handle));
        }
        let Some(state) = input.state()? else { return Ok(None) };
        let shadow = Shadow::of(&state)?;
        if !input.state.as_deref().is_some_and(|held| crate::json::same(held, shadow.sent())) {
            return Ok(None);
        }
        Ok(self.handle.start_unless_started(Synced { live: state, shadow })?.then_some(self.handle))
    }

    /// Starts from what the client sent where its copy can be kept, otherwise with a STATE_SNAPSHOT: of the client's
    /// state as this agent reads it, or of `S::default()` when the client holds none. A state that has a baseline
    /// already keeps it.
    ///
    /// # Errors
    /// [`StateError::Client`] when what the client sent is not a state of this agent; passed on with `?` it ends the
    /// run in RUN_ERROR with the place and the reason.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run, StateError};
    /// # async fn example<A: Agent<State = Vec<String>>>(run: &mut Run<A>, input: Input<A>) -> Result<(), StateError> {
    /// let list = run.state().adopt_or_snapshot(&input).await?;
    /// list.update(|list| list.push("saffron".to_owned())).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn adopt_or_snapshot<A>(self, input: &Input<A>) -> Result<&'r StateHandle<S>, StateError>
    where
        A: Agent<State = S>,
        S: Default,
    {
        let handle = self.handle;
        if let Some(adopted) = Baseline::new(handle).adopt(input)? {
            return Ok(adopted);
        }
        self.snapshot(&input.state()?.unwrap_or_default()).await
    }
}

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
    cell: Mutex<Option<Synced<S>>>,
    /// Which thread runs user code on the state right now.
    inside: Mutex<Option<ThreadId>>,
}

struct Synced<S> {
    live: S,
    shadow: Shadow,
}

impl<S: State> StateHandle<S> {
    pub(crate) fn new(emit: Emit) -> Self {
        Self { emit, cell: Mutex::new(None), inside: Mutex::new(None) }
    }

    /// Changes the state and tells the client: one STATE_DELTA with what changed, nothing when nothing did, a
    /// STATE_SNAPSHOT when that is shorter.
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
    /// # Errors
    /// [`StateError::NoBaseline`] and [`StateError::Reentrant`] before anything changed; [`StateError::Json`] when the
    /// changed state has no JSON form: nothing was sent, and the next update sends that change too.
    pub fn update<R, F: FnOnce(&mut S) -> R>(&self, edit: F) -> Update<'_, S, F> {
        Update { handle: self, turn: Turn::new(self.emit.hub()), edit: Some(edit) }
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
    pub async fn resend(&self) -> Result<(), StateError> {
        self.room().await;
        self.with(|synced| {
            self.emit.send(synced.shadow.snapshot(), None);
            Ok(())
        })
    }

    /// The whole state as an event, for the end of a run that will be resumed; `None` before there is a baseline.
    pub(crate) fn closing_snapshot(&self) -> Option<Event> {
        self.with(|synced| Ok(synced.shadow.snapshot())).ok()
    }

    fn start_with_snapshot(&self, live: S) -> Result<(), StateError> {
        let shadow = Shadow::of(&live)?;
        let mut inside = self.enter()?;
        self.emit.act(|kernel, author| {
            kernel.own_state();
            kernel.send(author, shadow.snapshot(), None);
        });
        let before = inside.cell().replace(Synced { live, shadow });
        // The old state's destructor is user code, so it runs outside, and after the event.
        drop(inside);
        drop(before);
        Ok(())
    }

    /// Whether there is a baseline now: not if a stream forwarded by the run changed what the client holds.
    fn start_unless_started(&self, synced: Synced<S>) -> Result<bool, StateError> {
        let mut inside = self.enter()?;
        if inside.cell().is_none() {
            if !self.emit.act(|kernel, _| kernel.adopt_state()) {
                return Ok(false);
            }
            *inside.cell() = Some(synced);
        }
        Ok(true)
    }

    fn has_baseline(&self) -> Result<bool, StateError> {
        Ok(self.enter()?.cell().is_some())
    }

    fn with<R>(&self, act: impl FnOnce(&mut Synced<S>) -> Result<R, StateError>) -> Result<R, StateError> {
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

    async fn room(&self) {
        let mut turn = Turn::new(self.emit.hub());
        std::future::poll_fn(|cx| turn.poll(cx)).await;
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
#[must_use = "nothing changes until it is awaited"]
pub struct Update<'h, S: State, F> {
    handle: &'h StateHandle<S>,
    turn: Turn<'h>,
    edit: Option<F>,
}

// The edit is moved out, never pinned.
impl<S: State, F> Unpin for Update<'_, S, F> {}

impl<S: State, R, F: FnOnce(&mut S) -> R> Future for Update<'_, S, F> {
    type Output = Result<R, StateError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let handle = self.handle;
        ready!(self.turn.poll(cx));
        let Some(edit) = self.edit.take() else { return Poll::Pending };
        Poll::Ready(handle.with(|synced| {
            let returned = edit(&mut synced.live);
            if let Some(event) = synced.shadow.flush(&synced.live)? {
                handle.emit.send(event, None);
            }
            Ok(returned)
        }))
    }
}

impl<S: State, F> fmt::Debug for Update<'_, S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("done", &self.edit.is_none()).finish_non_exhaustive()
    }
}
