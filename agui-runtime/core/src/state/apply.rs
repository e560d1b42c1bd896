//! JSON Patch on a typed state: the state is written as JSON, patched, and read back.

use serde_json::Value;

use super::State;
use crate::json::patch::{PatchError, PatchFault, patched};
use crate::protocol::{JsonPointer, PatchOperation};

/// Applies operations to a state, all or none (RFC 6902, 5).
///
/// Any state can be a target, also a [`serde_json::Value`]. The state is written as JSON, the JSON is patched, and the result is
/// read as a state, so fields that serde skips have their defaults afterwards. Operations may pass through documents that the type
/// cannot read, if it can read the last one. The time is linear in the state's size; for the agent's own changes,
/// [`StateHandle::update`](crate::StateHandle::update) is cheaper. Copies may make [`MAX_COPIED`](crate::json::patch::MAX_COPIED)
/// bytes.
///
/// # Errors
/// The first operation that does not apply, with its path and the reason; the state is unchanged.
///
/// ```
/// use agui_runtime::state::apply;
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
///
/// let mut list = vec!["rice".to_owned()];
/// apply(&mut list, &[PatchOperation::add(JsonPointer::root().child("-"), "saffron")])?;
/// assert_eq!(list, ["rice", "saffron"]);
///
/// let error = apply(&mut list, &[PatchOperation::remove(JsonPointer::root().child("7"))]).unwrap_err();
/// assert_eq!(error.to_string(), "operation 0 does not apply at `/7`: the path does not exist");
/// # Ok::<(), agui_runtime::state::ApplyError>(())
/// ```
pub fn apply<T: State>(state: &mut T, operations: &[PatchOperation]) -> Result<(), ApplyError> {
    if operations.is_empty() {
        return Ok(());
    }
    let document = state.document().map_err(|error| blame(operations, &[], error))?;
    *state = read_patched(&patched(document, operations)?, operations)?;
    Ok(())
}

/// Reads the state from the patched document.
pub(crate) fn read_patched<T: State>(
    document: &Value,
    operations: &[PatchOperation],
) -> Result<T, ApplyError> {
    if let Ok(state) = T::deserialize(document) {
        return Ok(state);
    }
    // Reads again to find the place: recording it slows reading down.
    serde_path_to_error::deserialize(document).map_err(|error| {
        use serde_path_to_error::Segment;
        let way: Vec<String> = error
            .path()
            .iter()
            .map_while(|segment| match segment {
                Segment::Seq { index } => Some(index.to_string()),
                Segment::Map { key } => Some(key.clone()),
                Segment::Enum { variant } => Some(variant.clone()),
                Segment::Unknown => None,
            })
            .collect();
        blame(operations, &way, error.into_inner())
    })
}

/// Blames the operation whose path is nearest to the place where reading stopped; the last one, if several are as near. `test` is
/// never blamed.
fn blame(operations: &[PatchOperation], way: &[String], error: serde_json::Error) -> ApplyError {
    let shared = |place: &JsonPointer| place.segments().zip(way).take_while(|(a, b)| a == *b).count();
    let nearness =
        |operation: &PatchOperation| shared(operation.path()).max(operation.source().map_or(0, shared));
    let changes =
        operations.iter().enumerate().filter(|(_, operation)| !matches!(operation, PatchOperation::Test(_)));
    let (op, path) = changes
        .max_by_key(|(_, operation)| nearness(operation))
        .map(|(op, operation)| (op, operation.path().as_str().to_owned()))
        .unwrap_or_default();
    ApplyError { op, path, fault: ApplyFault::Value(error) }
}

/// An operation that does not apply to a state. The whole patch was not applied.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::PatchFault;
/// use agui_runtime::state::{ApplyFault, apply};
///
/// let mut steps = vec!["stir".to_owned()];
/// let at = |segment| JsonPointer::root().child(segment);
/// let patch = [PatchOperation::add(at("-"), "serve"), PatchOperation::add(at("second"), "taste")];
/// let error = apply(&mut steps, &patch).unwrap_err();
/// assert_eq!((error.op, error.path.as_str()), (1, "/second"));
/// assert!(matches!(error.fault, ApplyFault::Operation(PatchFault::Index(segment)) if segment == "second"));
/// assert_eq!(steps, ["stir"], "all or nothing");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("operation {op} does not apply at `{path}`: {fault}")]
#[non_exhaustive]
pub struct ApplyError {
    /// The operation's index in the patch.
    pub op: usize,
    /// The wrong place, a JSON Pointer (RFC 6901): the operation's `path`, or `from` if that place is missing.
    pub path: String,
    /// The reason.
    #[source]
    pub fault: ApplyFault,
}

/// The reason why an operation does not apply to a state: a field in [`ApplyError`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyFault {
    /// The document refuses the operation.
    #[error(transparent)]
    Operation(#[from] PatchFault),
    /// The type cannot read the patched document.
    #[error(transparent)]
    Value(#[from] serde_json::Error),
}

impl From<PatchError> for ApplyError {
    fn from(error: PatchError) -> Self {
        Self { op: error.op, path: error.path, fault: error.fault.into() }
    }
}
