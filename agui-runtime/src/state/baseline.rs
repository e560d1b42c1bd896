//! Where the client's copy of the state starts.

use std::fmt;

use super::handle::{Earlier, StateHandle};
use super::{State, StateError, same_text};
use crate::agent::{Agent, Input};
use crate::emit::{Act, Do, Emit, Fields};

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
    pub fn snapshot(self, state: &S) -> Do<'r, SnapshotState<'r, S>> {
        Do::new(self.handle.emit(), SnapshotState { handle: self.handle, state: state.clone() })
    }

    /// Starts from what the client sent, without an event. `None` when the client holds no state, or holds one that
    /// reads as this state but is not what this state writes (a member missing, or one too many): a delta would not
    /// apply to it. Then start with a snapshot.
    ///
    /// A state that has a baseline already keeps it, and what was changed since: the client's copy has moved on from
    /// what it sent. So helpers may ask again.
    ///
    /// # Errors
    /// [`StateError::Client`] when what the client sent is not a state of this agent; with
    /// [`RunOptions::replace_unreadable_state`](crate::RunOptions::replace_unreadable_state) that is `None` too.
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
        let Some(state) = self.held(input)? else { return Ok(None) };
        let (synced, text) = self.handle.synced(state)?;
        if !input.state.as_ref().is_some_and(|held| same_text::is(held.lazy(), &text)) {
            return Ok(None);
        }
        Ok(self.handle.start_unless_started(synced)?.then_some(self.handle))
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
    pub fn adopt_or_snapshot<'i, A>(self, input: &'i Input<A>) -> Do<'r, AdoptState<'r, 'i, A>>
    where
        A: Agent<State = S>,
        S: Default,
    {
        Do::new(self.handle.emit(), AdoptState { handle: self.handle, input })
    }

    /// What the client holds, typed; by [`RunOptions::replace_unreadable_state`](crate::RunOptions) nothing where that
    /// is no state of this agent.
    fn held<A: Agent<State = S>>(&self, input: &Input<A>) -> Result<Option<S>, StateError> {
        match input.state() {
            Err(StateError::Client { path, message }) if self.handle.options().replace_unreadable => {
                tracing::warn!(path, message, "the state the client sent does not fit and is replaced");
                Ok(None)
            }
            held => held,
        }
    }
}

/// The act of starting the state from a value; see [`Baseline::snapshot`].
pub struct SnapshotState<'r, S: State> {
    handle: &'r StateHandle<S>,
    state: S,
}

impl<'r, S: State> Act<'r> for SnapshotState<'r, S> {
    type Output = Result<&'r StateHandle<S>, StateError>;

    fn act(self, _: &'r Emit, fields: Fields) -> Self::Output {
        self.handle.start_with_snapshot(self.state, Earlier::Replaced, fields)?;
        Ok(self.handle)
    }
}

impl<S: State> fmt::Debug for SnapshotState<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnapshotState").field("handle", self.handle).finish_non_exhaustive()
    }
}

/// The act of starting the state from what the client holds, or of replacing that; see [`Baseline::adopt_or_snapshot`].
#[derive(Debug)]
pub struct AdoptState<'r, 'i, A: Agent> {
    handle: &'r StateHandle<A::State>,
    input: &'i Input<A>,
}

impl<'r, A: Agent> Act<'r> for AdoptState<'r, '_, A>
where
    A::State: Default,
{
    type Output = Result<&'r StateHandle<A::State>, StateError>;

    fn act(self, _: &'r Emit, fields: Fields) -> Self::Output {
        if let Some(adopted) = Baseline::new(self.handle).adopt(self.input)? {
            return Ok(adopted);
        }
        let state = Baseline::new(self.handle).held(self.input)?.unwrap_or_default();
        // Another thread may have started it in the meantime, and changed it since.
        self.handle.start_with_snapshot(state, Earlier::Kept, fields)?;
        Ok(self.handle)
    }
}
