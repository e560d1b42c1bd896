//! A state value, and the lock that refuses an edit within an edit.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

use super::synced::Synced;
use crate::state::StateError;

/// The state value for one agent in a run.
pub(super) struct Cell<S> {
    synced: Mutex<Option<Synced<S>>>,
    /// The thread that currently runs user code on the state.
    inside: Mutex<Option<ThreadId>>,
}

impl<S> Cell<S> {
    pub(super) fn new() -> Self {
        Self { synced: Mutex::new(None), inside: Mutex::new(None) }
    }

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

    /// Locks the state. An edit that uses the state again on the same thread gets an error, because it would wait for itself.
    pub(super) fn enter(&self) -> Result<Inside<'_, S>, StateError> {
        let this = thread::current().id();
        if *lock(&self.inside) == Some(this) {
            return Err(StateError::Reentrant);
        }
        let synced = lock(&self.synced);
        *lock(&self.inside) = Some(this);
        Ok(Inside { synced, inside: &self.inside })
    }
}

/// The state while one thread uses it.
pub(super) struct Inside<'h, S> {
    synced: MutexGuard<'h, Option<Synced<S>>>,
    inside: &'h Mutex<Option<ThreadId>>,
}

impl<S> Inside<'_, S> {
    pub(super) fn synced(&mut self) -> &mut Option<Synced<S>> {
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
