//! Choice for the document that the client's state copy starts from.

use std::fmt;

use crate::agent::{Agent, Input};
use crate::emit::{Emit, ExistingBaseline, RunWrite, StateHandle, WriteFuture};
use crate::json::same_text;
use crate::kernel::WriteFields;
use crate::quoted::without_values;
use crate::state::{State, StateError};

/// A run's state before its client has a known copy, as returned by [`Run::state`](crate::Run::state).
///
/// A delta needs a document to apply to, so there is no `update` here. Choose a baseline: the document that the client's copy
/// starts from.
///
/// ```
/// # use agui_runtime::state::StateError;
/// # use agui_runtime::{Agent, Input, Run};
/// # async fn example<A: Agent<State = Vec<String>>>(run: &mut Run<A>, input: Input<A>) -> Result<(), StateError> {
/// let list = run.state().adopt_or_snapshot(&input).await?;
/// list.update(|list| list.push("saffron".to_owned())).await?;
/// # Ok(())
/// # }
/// ```
#[must_use = "choose a baseline: `adopt_or_snapshot`, `snapshot` or `adopt`"]
#[derive(Debug)]
pub struct StateBaseline<'r, S: State> {
    handle: &'r StateHandle<S>,
}

impl<'r, S: State> StateBaseline<'r, S> {
    pub(crate) fn new(handle: &'r StateHandle<S>) -> Self {
        Self { handle }
    }

    /// Starts from the agent's value and sends that value as a STATE_SNAPSHOT.
    ///
    /// # Errors
    /// [`StateError::Json`] if the value has no JSON form; nothing is sent then.
    pub fn snapshot(self, state: &S) -> WriteFuture<'r, SnapshotState<'r, S>> {
        WriteFuture::new(self.handle.emit(), SnapshotState { handle: self.handle, state: state.clone() })
    }

    /// Starts from the client's state, without an event. A legacy client gets a STATE_SNAPSHOT with that state before the first
    /// change (see [`Peer`](crate::Peer)). Returns `None` if the client sent no state, or a state with a missing or additional
    /// member, to which a delta would not apply. Then start with a snapshot.
    ///
    /// A state that already has a baseline keeps that baseline, with all later changes, so a helper may call this again.
    ///
    /// # Errors
    /// [`StateError::Client`] if the client sent something that is not this agent's state. With
    /// [`RunOptions::replace_unreadable_state`](crate::RunOptions::replace_unreadable_state) the result is `None` instead.
    ///
    /// ```
    /// # use agui_runtime::state::StateError;
    /// # use agui_runtime::{Agent, Input, Run};
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
        let Some(state) = self.held(input)? else { return Ok(None) };
        let (synced, text) = self.handle.synced(state)?;
        if !input.state.as_ref().is_some_and(|held| same_text::is(held.lazy(), &text)) {
            return Ok(None);
        }
        Ok(self.handle.start_unless_started(synced)?.then_some(self.handle))
    }

    /// Starts from the client's state if that copy can be kept (see [`adopt`](Self::adopt)). Otherwise sends a STATE_SNAPSHOT: the
    /// client's state as this agent reads it, or `S::default()` if the client sent none. A state that already has a baseline keeps
    /// that baseline.
    ///
    /// # Errors
    /// [`StateError::Client`] if the client sent something that is not this agent's state. Passed on with `?`, the error ends the
    /// run in a RUN_ERROR with path and reason.
    pub fn adopt_or_snapshot<'i, A>(self, input: &'i Input<A>) -> WriteFuture<'r, AdoptState<'r, 'i, A>>
    where
        A: Agent<State = S>,
        S: Default,
    {
        WriteFuture::new(self.handle.emit(), AdoptState { handle: self.handle, input, default: S::default })
    }

    /// Returns the client's state, typed. With [`RunOptions::replace_unreadable_state`](crate::RunOptions), `None` for a value
    /// that is not this agent's state.
    fn held<A: Agent<State = S>>(&self, input: &Input<A>) -> Result<Option<S>, StateError> {
        match input.state() {
            Err(StateError::Client { path, message }) if self.handle.options().replace_unreadable => {
                let message = without_values(&message);
                tracing::warn!(path, message, "the state the client sent does not fit and is replaced");
                Ok(None)
            }
            held => held,
        }
    }
}

/// Write that starts the state from a value; see [`StateBaseline::snapshot`].
pub struct SnapshotState<'r, S: State> {
    handle: &'r StateHandle<S>,
    state: S,
}

impl<'r, S: State> RunWrite<'r> for SnapshotState<'r, S> {
    type Output = Result<&'r StateHandle<S>, StateError>;

    fn act(self, _: &'r Emit, fields: WriteFields) -> Self::Output {
        self.handle.start_with_snapshot(self.state, ExistingBaseline::Replaced, fields)?;
        Ok(self.handle)
    }
}

impl<S: State> fmt::Debug for SnapshotState<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotState").field("handle", self.handle).finish_non_exhaustive()
    }
}

/// Write that starts the state from the client's copy, or replaces that copy; see [`StateBaseline::adopt_or_snapshot`].
#[derive(Debug)]
pub struct AdoptState<'r, 'i, A: Agent> {
    handle: &'r StateHandle<A::State>,
    input: &'i Input<A>,
    /// Resolved where the write is made, so that a state without a default gives one error rather than one for each use.
    default: fn() -> A::State,
}

impl<'r, A: Agent> RunWrite<'r> for AdoptState<'r, '_, A> {
    type Output = Result<&'r StateHandle<A::State>, StateError>;

    fn act(self, _: &'r Emit, fields: WriteFields) -> Self::Output {
        if let Some(adopted) = StateBaseline::new(self.handle).adopt(self.input)? {
            return Ok(adopted);
        }
        let state = StateBaseline::new(self.handle).held(self.input)?.unwrap_or_else(self.default);
        // Another thread may have started the state in the meantime, and changed it since.
        self.handle.start_with_snapshot(state, ExistingBaseline::Kept, fields)?;
        Ok(self.handle)
    }
}
