//! The bound on shared state: the engine can work on the type, and the value can change its thread.

use super::engine::StateNode;

/// A type that can be shared state, or part of one.
///
/// `#[derive(State)]` implements it, and so do the standard library's types that have a JSON form. Add serde's and schemars'
/// derives beside `#[derive(State)]`: they decide the JSON.
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
pub trait State: StateNode + Send {}

impl<T: StateNode + Send> State for T {}
