//! A state value, and the lock that refuses an edit within an edit.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::synced::SyncedState;
use crate::state::StateError;

/// The state value for one agent in a run.
pub(super) struct StateCell<S> {
    synced: Mutex<Option<SyncedState<S>>>,
    /// The thread that currently runs user code on the state.
    inside: Mutex<Option<ThreadId>>,
}

impl<S> StateCell<S> {
    pub(super) fn new() -> Self {
        Self { synced: Mutex::new(None), inside: Mutex::new(None) }
    }

    pub(super) fn with<R>(
        &self,
        act: impl FnOnce(&mut SyncedState<S>) -> Result<R, StateError>,
    ) -> Result<R, StateError> {
        let mut inside = self.enter()?;
        act(inside.synced().as_mut().ok_or(StateError::NoBaseline)?)
    }

    pub(super) fn has_baseline(&self) -> Result<bool, StateError> {
        Ok(self.enter()?.synced().is_some())
    }

    /// Locks the state. An edit that uses the state again on the same thread gets an error, because it would wait for itself.
    pub(super) fn enter(&self) -> Result<StateGuard<'_, S>, StateError> {
        let this = thread::current().id();
        if *lock(&self.inside) == Some(this) {
            return Err(StateError::Reentrant);
        }
        let synced = lock(&self.synced);
        *lock(&self.inside) = Some(this);
        Ok(StateGuard { synced, inside: &self.inside })
    }
}

/// The state while one thread uses it.
pub(super) struct StateGuard<'h, S> {
    synced: MutexGuard<'h, Option<SyncedState<S>>>,
    inside: &'h Mutex<Option<ThreadId>>,
}

impl<S> StateGuard<'_, S> {
    pub(super) fn synced(&mut self) -> &mut Option<SyncedState<S>> {
        &mut self.synced
    }
}

impl<S> Drop for StateGuard<'_, S> {
    fn drop(&mut self) {
        *lock(self.inside) = None;
    }
}

// A panic in an edit leaves a state that is still a value of its type; the next event sends the difference.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
