//! The failures of SQLite, as those of a log.

use rusqlite::ErrorCode;

use crate::thread::LogError;

/// A write that failed.
#[derive(Clone, Debug)]
pub(super) struct Failure {
    pub(super) error: LogError,
    /// True if the write may have happened.
    pub(super) is_unknown: bool,
}

impl From<Failure> for LogError {
    fn from(failure: Failure) -> Self {
        failure.error
    }
}

impl Failure {
    /// A transaction that was not committed.
    pub(super) fn before_commit(error: &rusqlite::Error) -> Self {
        Self { error: log_error(error), is_unknown: false }
    }

    /// A commit that failed. If the disk did not confirm what was written, a crash may bring it back.
    pub(super) fn of_commit(error: &rusqlite::Error) -> Self {
        let is_unknown = error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure);
        Self { error: log_error(error), is_unknown }
    }

    /// The file is not in its place, and nothing was written.
    pub(super) fn removed() -> Self {
        let error = LogError::new("the file was removed or replaced since it was opened");
        Self { error, is_unknown: false }
    }

    /// The thread that writes has ended while it had the write.
    pub(super) fn of_writer() -> Self {
        Self { error: LogError::new("the thread that writes has panicked"), is_unknown: true }
    }
}

/// The reason of a failure for people.
pub(super) fn log_error(error: &rusqlite::Error) -> LogError {
    let reason = match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::ReadOnly) => "the file cannot be written",
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => "another process keeps the file locked",
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged",
        Some(ErrorCode::CannotOpen) => "the file cannot be opened",
        Some(ErrorCode::SystemIoFailure) => "the disk does not work",
        _ => return LogError::new(error),
    };
    LogError::new(format_args!("{reason}: {error}"))
}
