//! SQLite failures as log failures.

use agui_runtime_core::thread::LogError;
use rusqlite::ErrorCode;

/// A failed write.
#[derive(Clone, Debug)]
pub(super) struct SqliteFailure {
    pub(super) error: LogError,
    /// True if the write may have happened.
    pub(super) is_unknown: bool,
}

impl From<SqliteFailure> for LogError {
    fn from(failure: SqliteFailure) -> Self {
        failure.error
    }
}

impl SqliteFailure {
    /// A transaction that was not committed.
    pub(super) fn before_commit(error: &rusqlite::Error) -> Self {
        Self { error: log_error(error), is_unknown: false }
    }

    /// A failed commit. If the disk did not confirm the write, a crash may bring the records back.
    pub(super) fn of_commit(error: &rusqlite::Error) -> Self {
        let is_unknown = error.sqlite_error_code() == Some(ErrorCode::SystemIoFailure);
        Self { error: log_error(error), is_unknown }
    }

    /// The file was removed or replaced, and nothing was written.
    pub(super) fn removed() -> Self {
        let error = LogError::new("the file was removed or replaced since it was opened");
        Self { error, is_unknown: false }
    }

    /// The writer thread ended with the write unfinished.
    pub(super) fn of_writer() -> Self {
        Self { error: LogError::new("the thread that writes has panicked"), is_unknown: true }
    }
}

/// Returns the failure with a readable reason.
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
