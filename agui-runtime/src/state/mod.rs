//! Typed state, shared with the user interface as STATE_SNAPSHOT and STATE_DELTA (AG-UI 1.0, section "State and
//! conversation").
//!
//! `#[derive(State)]` on a plain type, a baseline declared once per run, then plain mutation: the runtime compares with
//! what it last sent and writes the RFC 6902 operations.

mod diff;
mod handle;
mod impls;
mod shadow;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use handle::{Baseline, StateHandle, Update};
pub use impls::MapKey;
pub(crate) use shadow::Shadow;

/// A type that can be shared state, or part of it.
///
/// Implemented by `#[derive(State)]` and for the types of the standard library that have a JSON form; not by hand. The
/// derive wants serde's and schemars' derives beside it, for they decide the JSON.
///
/// What JSON cannot carry cannot be shared: a float that is infinite or not a number is written as `null`, which does not
/// read as a float again, and 128-bit integers are no `State`.
///
/// ```
/// fn shared<S: agui_runtime::State>() {}
///
/// shared::<Vec<Option<String>>>();
/// shared::<std::collections::BTreeMap<u32, f64>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "not a `State`",
    note = "write `#[derive(State)]` on the type, or mark the field `#[state(opaque)]` to send it whole"
)]
pub trait State: StateData + Send + 'static {
    #[doc(hidden)]
    fn derived(_: Derived);
}

/// What a state builds on: serde's and schemars' derives, and `Clone`. Every type that has them is one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be shared state",
    label = "has no JSON form that can be read back",
    note = "write `#[derive(State, Serialize, Deserialize, JsonSchema, Clone)]` on it"
)]
pub trait StateData: Serialize + DeserializeOwned + JsonSchema + Clone {}

impl<T: Serialize + DeserializeOwned + JsonSchema + Clone> StateData for T {}

/// Only generated code names it: what keeps [`State`] for the derive.
#[doc(hidden)]
#[derive(Debug)]
pub struct Derived(());

/// A state that could not be read or written.
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
}

pub(crate) fn text_value<S: State>(state: &S) -> Result<Value, StateError> {
    Ok(crate::json::to_value(state)?)
}
