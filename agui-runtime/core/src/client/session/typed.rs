//! The state as the caller's type.

use std::fmt;
use std::sync::OnceLock;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// The error for a state that does not fit the session's type.
///
/// ```
/// use agui_runtime::client::{Replay, Session};
///
/// let mut session: Session<Vec<u8>> = Session::new(Replay::default());
/// session.set_state(serde_json::json!([1, "two"]));
/// assert_eq!(session.state().unwrap_err().path, "[1]");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the state does not fit its type at `{path}`: {message}")]
#[non_exhaustive]
pub struct StateUnreadable {
    /// The JSON path where reading stopped, `.` for the whole state.
    pub path: String,
    /// The error at that path.
    pub message: String,
}

type Read<S> = Result<Option<S>, StateUnreadable>;

/// A typed copy of the state, deserialized on demand.
pub(super) struct Typed<S> {
    copy: OnceLock<Read<S>>,
}

impl<S> Default for Typed<S> {
    fn default() -> Self {
        Self { copy: OnceLock::new() }
    }
}

impl<S> Typed<S> {
    /// Drops the copy after the state was replaced.
    pub(super) fn forget(&mut self) {
        self.copy.take();
    }
}

impl<S: DeserializeOwned> Typed<S> {
    pub(super) fn read(&self, state: &Value) -> Result<Option<&S>, StateUnreadable> {
        match self.copy.get_or_init(|| read(state)) {
            Ok(copy) => Ok(copy.as_ref()),
            Err(unreadable) => Err(unreadable.clone()),
        }
    }
}

/// Deserializes the state; the empty object that stands for no state gives `None`.
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
