//! The errors of JSON Patch.

use crate::json::limits::GrowthExcess;

/// An operation that does not apply to a document; nothing from its patch was applied.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::json::patch::{PatchFault, patch};
/// use serde_json::json;
///
/// let place = JsonPointer::root().child("stock").child("7");
/// let error = patch(&mut json!({ "stock": [] }), &[PatchOperation::add(place, 1)]).unwrap_err();
/// assert_eq!((error.op, error.path.as_str()), (0, "/stock/7"));
/// assert_eq!(error.fault, PatchFault::Index("7".to_owned()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("operation {op} does not apply at `{path}`: {fault}")]
#[non_exhaustive]
pub struct PatchError {
    /// The operation's index in the patch, from 0.
    pub op: usize,
    /// The operation's path, a JSON Pointer (RFC 6901).
    pub path: String,
    /// The reason.
    #[source]
    pub fault: PatchFault,
}

/// The reason why an operation does not apply (RFC 6902, section 4): a field in [`PatchError`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchFault {
    /// The path does not exist.
    #[error("the path does not exist")]
    Missing,
    /// A segment is not an index at which an element can be put.
    #[error("`{0}` is not an index of the list")]
    Index(String),
    /// `test` found another value.
    #[error("the value at the path differs")]
    Different,
    /// A value cannot be moved into itself.
    #[error("a value cannot be moved into itself")]
    IntoItself,
    /// `__proto__`, or `constructor/prototype`: refused because JavaScript programs share the documents.
    #[error("the path leads to a JavaScript prototype")]
    Prototype,
    /// The copies exceed their limit: see [`CopyLimit`](super::CopyLimit).
    #[error("the copies would have more than {limit} bytes")]
    TooMuch {
        /// The limit in bytes.
        limit: usize,
    },
    /// The operations exceed their step limit: see [`StepLimit`](super::StepLimit).
    #[error("patches may take at most {limit} steps")]
    TooManySteps {
        /// The limit in steps, for all patches in a run or for one.
        limit: usize,
    },
    /// The document would be nested too deeply: see [`MAX_DEPTH`](super::MAX_DEPTH).
    #[error("a document may have at most {limit} levels")]
    TooDeep {
        /// The limit in levels.
        limit: usize,
    },
}

impl From<GrowthExcess> for PatchFault {
    fn from(excess: GrowthExcess) -> Self {
        match excess {
            GrowthExcess::Much { limit } => Self::TooMuch { limit },
            GrowthExcess::Deep { limit } => Self::TooDeep { limit },
        }
    }
}
