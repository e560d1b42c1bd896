//! Typed state, shared with the user interface as STATE_SNAPSHOT and STATE_DELTA (AG-UI 1.0, section "State and conversation").
//!
//! `#[derive(State)]` on a plain type, a baseline declared once per run, then plain mutation: the runtime compares with what it
//! last sent and writes the RFC 6902 operations.
//!
//! [`State`](trait@crate::State), [`StateBaseline`](crate::StateBaseline) and [`StateHandle`](crate::StateHandle) are at the crate root.
//!
//! | to | see |
//! |---|---|
//! | match what failed | [`StateError`], [`ApplyError`], [`ApplyFault`] |
//! | record changes in large states | [`Live`], [`Mut`], [`Tracked`], [`TrackedCollection`] |
//! | let a long text grow | [`ChunkedText`], [`Streamed`](trait@Streamed) |
//! | use custom map keys | [`MapKey`] |
//! | write operations without a run | [`diff()`], [`Shadow`], [`StateChange`] |
//! | apply operations | [`apply()`] |

// live value ─┐
//             ├─ Node::sync ─▶ Patch: operations as text ─▶ Shadow: delta, snapshot or nothing ─▶ event
// sent copy ──┘  one pass: compare, write, copy what differs
//
// | module | content |
// |---|---|
// | `state` | `State`, the bound that users name |
// | `engine` | `Node`, met by the derive and by `impls`; paths, text, settling, lists: the code that every type shares |
// | `shadow` | the sent copy |
// | `track` | recorded changes in place of comparisons, for large states |
// | `apply` | the side of the receiver |
// | `diff` | operations between two values, without a sent copy |
// | `serde_form` | the comparison with what serde writes, in development |

mod apply;
mod diff;
#[doc(hidden)]
pub mod engine;
mod impls;
mod open;
pub(crate) mod serde_form;
pub(crate) mod shadow;
#[allow(clippy::module_inception, reason = "it defines `State`")]
pub(crate) mod state;
mod streamed;
#[cfg(test)]
mod tests;
mod track;

use serde_json::Value;

pub(crate) use apply::read_patched;
pub use apply::{ApplyError, ApplyFault, apply};
pub use diff::diff;
pub(crate) use engine::StateNode;
pub use impls::MapKey;
pub(crate) use open::read as read_sent;
pub use shadow::{Shadow, StateChange};
pub(crate) use state::State;
pub use streamed::Streamed;
pub use track::{ChunkedText, Live, Mut, Tracked, TrackedCollection};

/// A state that could not be read or written.
///
/// ```
/// use agui_runtime::state::StateError;
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
    /// The client sent a value that this agent's state type refuses.
    #[error("the state the client sent does not fit at `{path}`: {message}")]
    Client {
        /// The path at which reading stopped, `.` for the whole value.
        path: String,
        /// The expected value.
        message: String,
    },
    /// The client's state is too large where its type leaves the shape open: in `serde_json::Value`s, and in parts that serde
    /// buffers until it knows their types, such as unknown members beside `#[serde(flatten)]`. Such parts take up to a hundred
    /// times their text; they are refused if they take more than 8 MiB (some 200 KB of small objects) and more than half the state
    /// text's length. Other parts take only what their types take and have no limit here.
    #[error(
        "parts of the client's state that have no type take more than {bytes} bytes: declare types for them"
    )]
    TooLarge {
        /// The memory in bytes at which reading stopped.
        bytes: usize,
    },
    /// The state has no JSON form; nothing was sent, and the next update tries again.
    #[error("the state has no JSON form")]
    Json(#[from] serde_json::Error),
    /// A type has a `Serialize` that `#[derive(State)]` cannot see, such as one from serde_repr, serde_with or written by hand:
    /// the state would send something else than serde writes, the schema describes and the agent reads. Nothing was sent. Only
    /// builds with debug assertions, and [`check_state`](crate::testing::check_state), look for such types.
    #[error(
        "`{type_name}` is not written as serde writes it, at `{path}`: serde writes {serde}, and `#[derive(State)]` {written}. \
         A `Serialize` that is not of serde's derive needs `#[state(opaque)]`, on `{type_name}` or on the type inside of it that \
         has such a `Serialize`: the type then is sent whole"
    )]
    WrittenOtherwise {
        /// The first difference, as a JSON Pointer (RFC 6901), empty for the whole state.
        path: String,
        /// The innermost named type at that path.
        type_name: String,
        /// The value there, as serde writes it.
        serde: Box<Value>,
        /// The value there, as the state would have sent it.
        written: Box<Value>,
    },
    /// The state was used before the run chose the document that the client's copy starts from.
    #[error(
        "the state has no baseline yet: call `run.state().adopt_or_snapshot(&input)` or `.snapshot(..)` first"
    )]
    NoBaseline,
    /// The state was used inside an `update` or `read` closure.
    #[error("the state is used inside its own `update` or `read`")]
    Reentrant,
    /// Foreign operations do not apply to the state; nothing was sent.
    #[error(transparent)]
    Patch(#[from] ApplyError),
    /// Foreign operations lead to a document that this state can read but would write differently: with an unknown member, or with
    /// a member missing. Nothing was sent.
    #[error("the operations result in a document that this state would write differently")]
    OtherDocument,
}

impl StateError {
    /// The RUN_ERROR code, for programs, when `?` passes this error on and ends the run.
    ///
    /// | error | code |
    /// |---|---|
    /// | [`Client`](Self::Client) | `state_invalid` |
    /// | [`TooLarge`](Self::TooLarge) | `state_too_large` |
    /// | [`Json`](Self::Json) | `state_unwritable` |
    /// | [`WrittenOtherwise`](Self::WrittenOtherwise) | `state_written_otherwise` |
    /// | [`NoBaseline`](Self::NoBaseline) | `state_without_baseline` |
    /// | [`Reentrant`](Self::Reentrant) | `state_reentrant` |
    /// | [`Patch`](Self::Patch), [`OtherDocument`](Self::OtherDocument) | `state_patch_refused` |
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Client { .. } => "state_invalid",
            Self::TooLarge { .. } => "state_too_large",
            Self::Json(_) => "state_unwritable",
            Self::WrittenOtherwise { .. } => "state_written_otherwise",
            Self::NoBaseline => "state_without_baseline",
            Self::Reentrant => "state_reentrant",
            Self::Patch(_) | Self::OtherDocument => "state_patch_refused",
        }
    }
}

pub(crate) fn text_value<S: State>(state: &S) -> Result<Value, StateError> {
    Ok(crate::json::to_value(state)?)
}
