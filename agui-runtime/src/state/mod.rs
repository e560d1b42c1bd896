//! Typed state, shared with the user interface as STATE_SNAPSHOT and STATE_DELTA (AG-UI 1.0, section "State and
//! conversation").
//!
//! `#[derive(State)]` on a plain type, a baseline declared once per run, then plain mutation: the runtime compares with
//! what it last sent and writes the RFC 6902 operations.
//!
//! ```text
//! live value ─┐
//!             ├─ Node::sync ─▶ Patch: operations as text ─▶ Shadow: delta, snapshot or nothing ─▶ event
//! sent copy ──┘  one pass: compare, write, copy what differs
//! ```
//!
//! | room | what |
//! |---|---|
//! | `contract` | what a type must be able to do; the derive and `impls` do it |
//! | `engine` | paths, text, settling: what every type shares |
//! | `list` | who came, went and moved |
//! | `shadow` `handle` `baseline` | the sent copy, and the state of a run |
//! | `track` | remembering instead of comparing, for large states |
//! | `apply` | the receiver's side |
//! | `diff` | operations between two values, without a sent copy |

pub mod apply;
pub mod as_string;
mod baseline;
mod by_hand;
mod contract;
mod diff;
pub mod engine;
mod handle;
mod impls;
mod list;
mod options;
mod same_text;
mod shadow;
mod streamed;
#[cfg(test)]
mod tests;
mod track;

use serde_json::Value;

pub use apply::{ApplyError, Fault, apply};
pub use baseline::{AdoptState, Baseline, SnapshotState};
pub use by_hand::PatchState;
pub use contract::{Node, State};
pub use diff::diff;
pub use handle::{ResendState, StateHandle, Update, UpdateState};
pub use impls::MapKey;
pub(crate) use options::StateOptions;
pub use shadow::{Change, Shadow};
pub use streamed::Streamed;
pub use track::{ChunkedText, Live, Mut, Tracked, Tracking};

/// A state that could not be read or written.
///
/// ```
/// use agui_runtime::StateError;
///
/// fn advice(error: &StateError) -> String {
///     match error {
///         StateError::Client { path, .. } => format!("send the state again: what is at `{path}` does not fit"),
///         other => other.to_string(),
///     }
/// }
///
/// let error = StateError::Client { path: "steps[2].id".to_owned(), message: "expected u32".to_owned() };
/// assert_eq!(advice(&error), "send the state again: what is at `steps[2].id` does not fit");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StateError {
    /// What the client sent is not a state of this agent.
    #[error("the state the client sent does not fit at `{path}`: {message}")]
    Client {
        /// Where reading stopped, `.` for the whole.
        path: String,
        /// What was expected there.
        message: String,
    },
    /// The state has no JSON form; nothing was sent, and the next update tries again.
    #[error("the state has no JSON form")]
    Json(#[from] serde_json::Error),
    /// The state was used before the run declared where the client's copy starts.
    #[error(
        "the state has no baseline yet: call `run.state().adopt_or_snapshot(&input)` or `.snapshot(..)` first"
    )]
    NoBaseline,
    /// The state was used from within its own `update` or `read`.
    #[error("the state is used inside its own `update` or `read`")]
    Reentrant,
    /// Operations of others do not apply to the state; nothing was sent.
    #[error(transparent)]
    Patch(#[from] ApplyError),
    /// Operations of others lead to a document that this state reads, and writes otherwise: with a member it does not know, or
    /// without one it has. Nothing was sent.
    #[error("the operations lead to a document that the state would write otherwise")]
    OtherDocument,
}

pub(crate) fn text_value<S: State>(state: &S) -> Result<Value, StateError> {
    Ok(crate::json::to_value(state)?)
}
