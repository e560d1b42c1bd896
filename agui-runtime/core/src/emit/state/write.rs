//! State writes: a change, and a repeated snapshot.

use std::fmt;

use super::StateHandle;
use crate::emit::{Emit, RunWrite, WriteFuture};
use crate::kernel::WriteFields;
use crate::state::{State, StateError};

/// A state change that happens when awaited; see [`StateHandle::update`].
pub type StateUpdate<'h, S, F, R> = WriteFuture<'h, UpdateState<'h, S, F, R>>;

/// The write behind [`StateHandle::update`].
pub struct UpdateState<'h, S: State, F, R> {
    pub(super) handle: &'h StateHandle<S>,
    pub(super) edit: F,
    /// Calls the closure. Chosen where the write is created, so that a wrong closure gives one error instead of one for each use.
    pub(super) call: fn(F, &mut S) -> R,
}

impl<S: State, R, F> RunWrite<'_> for UpdateState<'_, S, F, R> {
    type Output = Result<R, StateError>;

    fn act(self, _: &Emit, fields: WriteFields) -> Self::Output {
        let Self { handle, edit, call } = self;
        handle.change(|state| call(edit, state), fields)
    }
}

impl<S: State, F, R> fmt::Debug for UpdateState<'_, S, F, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UpdateState").field("handle", self.handle).finish_non_exhaustive()
    }
}

/// The write behind [`StateHandle::resend`].
#[derive(Debug)]
pub struct ResendState<'h, S: State> {
    pub(super) handle: &'h StateHandle<S>,
}

impl<S: State> RunWrite<'_> for ResendState<'_, S> {
    type Output = Result<(), StateError>;

    fn act(self, _: &Emit, fields: WriteFields) -> Self::Output {
        self.handle.send_whole(fields)
    }
}
