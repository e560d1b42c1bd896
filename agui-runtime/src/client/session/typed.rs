//! The state as the caller's type.

use std::fmt;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::State;
use crate::protocol::JsonPatch;

/// A state that is not of the type a session expects.
///
/// ```
/// use agui_runtime::client::{Replay, Session};
///
/// let mut session: Session<Vec<u8>> = Session::new(Replay::default());
/// session.set_state(serde_json::json!([1, "two"]));
/// assert_eq!(session.state().unwrap_err().path, "[1]");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the state is not as expected at `{path}`: {message}")]
#[non_exhaustive]
pub struct StateUnreadable {
    /// Where reading stopped, `.` for the whole.
    pub path: String,
    /// What was expected there.
    pub message: String,
}

type Read<S> = Result<Option<S>, StateUnreadable>;

/// A typed copy of the state, made when it is asked for.
pub(super) struct Typed<S> {
    /// Applies a patch to the copy; without it, or when that fails, the copy is made anew.
    follow: Option<fn(&mut S, &JsonPatch) -> bool>,
    copy: OnceLock<Read<S>>,
}

impl<S> Default for Typed<S> {
    fn default() -> Self {
        Self { follow: None, copy: OnceLock::new() }
    }
}

impl<S> Typed<S> {
    /// There is another state now.
    pub(super) fn forget(&mut self) {
        self.copy.take();
    }

    /// The patch was applied to the state.
    pub(super) fn patched(&mut self, patch: &JsonPatch) {
        let Some(copy) = self.copy.get_mut() else { return };
        let followed = match (self.follow, copy) {
            (Some(follow), Ok(Some(copy))) => follow(copy, patch),
            _ => false,
        };
        if !followed {
            self.forget();
        }
    }
}

impl<S: State> Typed<S> {
    pub(super) fn follow(&mut self) {
        self.follow = Some(apply);
    }
}

/// One operation after the other, without a way back: the patch as a whole has been applied to the JSON, so what does not apply to the
/// type is read from there.
fn apply<S: State>(state: &mut S, patch: &JsonPatch) -> bool {
    let Ok(operations) = patch.operations() else { return false };
    operations.iter().all(|operation| crate::apply(state, std::slice::from_ref(operation)).is_ok())
}

impl<S: DeserializeOwned> Typed<S> {
    pub(super) fn read(&self, state: &Value) -> Result<Option<&S>, StateUnreadable> {
        match self.copy.get_or_init(|| read(state)) {
            Ok(copy) => Ok(copy.as_ref()),
            Err(unreadable) => Err(unreadable.clone()),
        }
    }
}

/// A client that holds no state has an empty object.
pub(super) fn read<S: DeserializeOwned>(state: &Value) -> Read<S> {
    match serde_path_to_error::deserialize(state) {
        Ok(read) => Ok(Some(read)),
        Err(_) if state.as_object().is_some_and(serde_json::Map::is_empty) => Ok(None),
        Err(error) => {
            Err(StateUnreadable { path: error.path().to_string(), message: error.inner().to_string() })
        }
    }
}

impl<S> fmt::Debug for Typed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Typed").field("is_read", &self.copy.get().is_some()).finish_non_exhaustive()
    }
}
