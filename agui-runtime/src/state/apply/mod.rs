//! Operations applied to a typed state: what a receiver of STATE_DELTA does.
//!
//! Where the type allows, an operation reaches its place through the type's own fields and elements; where it does not
//! (the tag of an enum, a member that may be absent), the smallest part around the place is read anew from its JSON.

mod error;
mod step;
mod target;

use serde_json::Value;

pub use error::{ApplyError, Fault};
pub use target::{Edit, Target, Undo};

use super::{Node, State};
use crate::growth::Copies;
use crate::protocol::PatchOperation;

/// Applies operations to a state, all or none (RFC 6902, 5).
///
/// Any state can be a target, [`serde_json::Value`] among them. The result is what reading the patched JSON gives:
/// operations may pass through documents that are no state, as long as the last one is. Copies may make
/// [`MAX_COPIED`](crate::receive::patch::MAX_COPIED) bytes.
///
/// # Errors
/// The first operation that does not apply, its path and the reason; the state is as it was.
///
/// ```
/// use agui_runtime::apply;
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
///
/// let mut list = vec!["rice".to_owned()];
/// apply(&mut list, &[PatchOperation::add(JsonPointer::root().child("-"), "saffron")])?;
/// assert_eq!(list, ["rice", "saffron"]);
///
/// let error = apply(&mut list, &[PatchOperation::remove(JsonPointer::root().child("7"))]).unwrap_err();
/// assert_eq!(error.to_string(), "operation 0 does not apply at `/7`: nothing is there");
/// # Ok::<(), agui_runtime::ApplyError>(())
/// ```
pub fn apply<T: State>(state: &mut T, operations: &[PatchOperation]) -> Result<(), ApplyError> {
    let Err(stopped) = all(state, operations, step::Route::Typed) else { return Ok(()) };
    match operations {
        // One change of one place is all there is to it; more of them, and a `move`, may pass through what is no state.
        [operation] if !matches!(operation, PatchOperation::Move(_)) => Err(stopped),
        _ => {
            *state = by_document(state, operations, stopped.op)?;
            Ok(())
        }
    }
}

/// What it costs depends on the operations, not on the state: what they replace is kept until all are through.
fn all(target: &mut dyn Target, operations: &[PatchOperation], route: step::Route) -> Result<(), ApplyError> {
    let mut done = Vec::new();
    let mut copies = Copies::default();
    for (index, operation) in operations.iter().enumerate() {
        match step::step(target, operation, route, &mut copies) {
            Ok(changes) => done.push(changes),
            Err((fault, place)) => {
                while let Some(changes) = done.pop() {
                    changes.revert(target);
                }
                return Err(ApplyError { op: index, path: place.as_str().to_owned(), fault });
            }
        }
    }
    Ok(())
}

/// The document is patched and read: for patches that pass through what is no state.
fn by_document<T: Node>(state: &T, operations: &[PatchOperation], stopped: usize) -> Result<T, ApplyError> {
    let at_stop = |fault: Fault| match operations.get(stopped) {
        Some(operation) => ApplyError { op: stopped, path: operation.path().as_str().to_owned(), fault },
        None => ApplyError { op: stopped, path: String::new(), fault },
    };
    let mut document: Value = state.document().map_err(|error| at_stop(error.into()))?;
    all(&mut document, operations, step::Route::Document)?;
    serde_json::from_value(document).map_err(|error| at_stop(error.into()))
}
