//! Why operations do not apply.

use crate::growth::Excess;

/// An operation that does not apply to a state; nothing of its patch was applied.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::{Fault, apply};
///
/// let mut steps = vec!["stir".to_owned()];
/// let at = |segment| JsonPointer::root().child(segment);
/// let patch = [PatchOperation::add(at("-"), "serve"), PatchOperation::remove(at("second"))];
/// let error = apply(&mut steps, &patch).unwrap_err();
/// assert_eq!((error.op, error.path.as_str()), (1, "/second"));
/// assert!(matches!(error.fault, Fault::Index(segment) if segment == "second"));
/// assert_eq!(steps, ["stir"], "all or nothing");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("operation {op} does not apply at `{path}`: {fault}")]
#[non_exhaustive]
pub struct ApplyError {
    /// Which operation of the patch, counted from 0.
    pub op: usize,
    /// The place that is wrong, a JSON Pointer (RFC 6901): its `path`, or `from` where there is nothing to take from there.
    pub path: String,
    /// What is wrong.
    #[source]
    pub fault: Fault,
}

/// What is wrong with an operation.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::{Fault, apply};
///
/// let mut count = 1_u32;
/// let error = apply(&mut count, &[PatchOperation::test(JsonPointer::root(), 2)]).unwrap_err();
/// assert!(matches!(error.fault, Fault::Different));
/// let error = apply(&mut count, &[PatchOperation::replace(JsonPointer::root(), "two")]).unwrap_err();
/// assert!(matches!(error.fault, Fault::Value(_)), "no number");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// There is nothing at the place.
    #[error("nothing is there")]
    Missing,
    /// A segment is no index of its list.
    #[error("`{0}` is not an index of the list")]
    Index(String),
    /// `test` found another value.
    #[error("another value is there")]
    Different,
    /// A value cannot be moved into itself.
    #[error("a value cannot be moved into itself")]
    IntoItself,
    /// The copies make more than [`MAX_COPIED`](crate::receive::patch::MAX_COPIED).
    #[error("copies may make no more than {limit} bytes")]
    TooMuch {
        /// How many bytes they may make.
        limit: usize,
    },
    /// The document would be deeper than [`MAX_DEPTH`](crate::receive::patch::MAX_DEPTH).
    #[error("a document may have no more than {limit} levels")]
    TooDeep {
        /// How many levels it may have.
        limit: usize,
    },
    /// What would be there is not a value of the type.
    #[error(transparent)]
    Value(#[from] serde_json::Error),
}

impl From<Excess> for Fault {
    fn from(excess: Excess) -> Self {
        match excess {
            Excess::Much { limit } => Self::TooMuch { limit },
            Excess::Deep { limit } => Self::TooDeep { limit },
        }
    }
}
