//! A log failure.

use std::fmt;

/// A log that cannot be used now: the engine's server is gone, the disk is full, or the file belongs to another program. Engines
/// create the error with [`LogError::new`].
#[derive(Clone, Debug, thiserror::Error)]
#[error("the thread log is unavailable: {reason}")]
pub struct LogError {
    reason: String,
}

impl LogError {
    /// Creates a [`LogError`] from a reason, for engines. The reason is for server logs, not for clients.
    #[must_use]
    pub fn new(reason: impl fmt::Display) -> Self {
        Self { reason: reason.to_string() }
    }

    /// Returns the reason alone.
    pub fn reason(&self) -> &str {
        &self.reason
    }
}
