//! The bound of shared state: a type that the engine can work on, and that can change its thread.

use super::engine::Node;

/// A type that can be shared state, or part of it.
///
/// Every type with `#[derive(State)]` implements it, and so do the types of the standard library that have
/// a JSON form. The derive needs the derives of serde and schemars beside it, because they decide the JSON.
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
pub trait State: Node + Send {}

impl<T: Node + Send> State for T {}
