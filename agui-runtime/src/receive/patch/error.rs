//! Why a patch does not apply.

use crate::growth::Excess;

/// An operation that does not apply to a document; nothing of its patch was applied.
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::{PatchFault, patch};
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
    /// Which operation of the patch, counted from 0.
    pub op: usize,
    /// Its path, a JSON Pointer (RFC 6901).
    pub path: String,
    /// What is wrong.
    #[source]
    pub fault: PatchFault,
}

/// What is wrong with an operation (RFC 6902, section 4).
///
/// ```
/// use agui_runtime::protocol::{JsonPointer, PatchOperation};
/// use agui_runtime::receive::patch::{PatchFault, patch};
/// use serde_json::json;
///
/// let test = PatchOperation::test(JsonPointer::root().child("n"), 2);
/// let error = patch(&mut json!({ "n": 1 }), &[test]).unwrap_err();
/// assert_eq!(error.fault, PatchFault::Different);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchFault {
    /// There is nothing at the place it names.
    #[error("nothing is there")]
    Missing,
    /// A segment is no index an element can be put at.
    #[error("`{0}` is not an index of the list")]
    Index(String),
    /// `test` found another value.
    #[error("another value is there")]
    Different,
    /// A value cannot be moved into itself.
    #[error("a value cannot be moved into itself")]
    IntoItself,
    /// `__proto__`, or `constructor/prototype`: documents are shared with programs in JavaScript.
    #[error("the path leads to a JavaScript prototype")]
    Prototype,
    /// The copies make more than they may: see [`Copies`](super::Copies).
    #[error("copies may make no more than {limit} bytes")]
    TooMuch {
        /// How many bytes they may make.
        limit: usize,
    },
    /// The operations would move or look at more than they may: see [`Steps`](super::Steps).
    #[error("patches may take no more than {limit} steps")]
    TooManySteps {
        /// How many steps they may take: all patches of a run, or one.
        limit: usize,
    },
    /// The document would be deeper than documents may be: see [`MAX_DEPTH`](super::MAX_DEPTH).
    #[error("a document may have no more than {limit} levels")]
    TooDeep {
        /// How many levels it may have.
        limit: usize,
    },
}

impl From<Excess> for PatchFault {
    fn from(excess: Excess) -> Self {
        match excess {
            Excess::Much { limit } => Self::TooMuch { limit },
            Excess::Deep { limit } => Self::TooDeep { limit },
        }
    }
}
