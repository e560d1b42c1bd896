//! The failure of a log.

use std::fmt;

/// A log that cannot be used now: its server is gone, its disk is full, its file is not one of ours.
///
/// ```
/// use agui_runtime::thread::LogError;
///
/// assert_eq!(LogError::new("disk full").to_string(), "the thread log is unavailable: disk full");
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[error("the thread log is unavailable: {reason}")]
pub struct LogError {
    reason: String,
}

impl LogError {
    /// Creates an error from its reason, for engines. The reason is for logs, not for clients.
    ///
    /// ```
    /// let error = agui_runtime::thread::LogError::new("connection refused");
    /// ```
    #[must_use]
    pub fn new(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string() }
    }

    /// Returns the reason alone.
    #[cfg(feature = "sqlite")]
    pub(super) fn reason(&self) -> &str {
        &self.reason
    }
}
