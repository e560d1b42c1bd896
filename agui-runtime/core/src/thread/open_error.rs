//! A thread store that does not open.

use super::log_error::LogError;

/// A thread store that cannot be opened: another program version, file or server is needed.
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
    /// A newer version of this crate wrote the store, which stays unchanged.
    #[error(
        "the threads are stored in version {found} of the schema, and this program knows versions up to {known}: \
         use a newer agui-runtime"
    )]
    Newer {
        /// The store's schema version.
        found: u64,
        /// The newest version that this program reads.
        known: u64,
    },
    /// Another program wrote the store, which stays unchanged.
    #[error("{what} is not a store of threads: choose another")]
    Foreign {
        /// The file, or the server's schema or keys.
        what: String,
    },
    /// The server or folder does not exist, refuses this program, or does not work.
    #[error(transparent)]
    Unavailable(#[from] LogError),
}
