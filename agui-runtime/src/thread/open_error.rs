//! A store of threads that does not open.

use super::log_error::LogError;

/// A store that cannot be opened: its program must be another, or its file or server.
///
/// ```
/// use agui_runtime::thread::OpenError;
///
/// let newer = OpenError::Newer { found: 3, known: 1 };
/// assert_eq!(
///     newer.to_string(),
///     "the threads are stored in version 3 of the schema, and this program knows versions up to 1: \
///      use a newer agui-runtime"
/// );
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// A newer version of this crate has written the store. It is left as it is.
    #[error(
        "the threads are stored in version {found} of the schema, and this program knows versions up to {known}: \
         use a newer agui-runtime"
    )]
    Newer {
        /// The version of the store.
        found: u64,
        /// The newest version that this program reads.
        known: u64,
    },
    /// Another program has written what is there. It is left as it is.
    #[error("{what} is not a store of threads: choose another")]
    Foreign {
        /// The file, or the schema or the keys of a server.
        what: String,
    },
    /// There is no such server or folder, it refuses this program, or it does not work.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
