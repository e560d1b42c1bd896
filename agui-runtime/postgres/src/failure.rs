//! Postgres failures as log failures.

use agui_runtime_core::thread::LogError;
use tokio_postgres::Error;
use tokio_postgres::error::{Severity, SqlState};

/// Returns the failure with a readable reason: the server's error, or all causes.
pub(super) fn log_error(error: &Error) -> LogError {
    let mut reason = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        reason.push_str(": ");
        reason.push_str(&inner.to_string());
        cause = inner.source();
    }
    if reason.contains("statement pooling mode") {
        reason.push_str(": set `pool_mode = transaction` or `session` for this database");
    } else if reason.contains("startup parameter") {
        reason.push_str(
            ": leave the `options` out of the address, or set `ignore_startup_parameters` of the pooler",
        );
    }
    LogError::new(reason)
}

/// True if the server confirms that a statement did not happen, and is not shutting down.
pub(super) fn did_not_happen(error: &Error) -> bool {
    // The errors of a pooler about its connections (class 08) say nothing about the statement.
    error.as_db_error().is_some_and(|error| {
        error.parsed_severity() == Some(Severity::Error) && !error.code().code().starts_with("08")
    })
}

/// True if the statement lost a race, did not happen, and may be sent again.
pub(super) fn is_lost_race(error: &Error) -> bool {
    let races = [SqlState::T_R_DEADLOCK_DETECTED, SqlState::T_R_SERIALIZATION_FAILURE];
    did_not_happen(error) && error.code().is_some_and(|code| races.contains(code))
}

/// True if the server takes no writes: a demoted primary, a replica, or a server that starts or ends.
pub(super) fn is_wrong_server(error: &Error) -> bool {
    let wrong = [
        SqlState::READ_ONLY_SQL_TRANSACTION,
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ];
    error.code().is_some_and(|code| wrong.contains(code))
}

/// True if a pooler refuses the connection's settings.
pub(super) fn refuses_options(error: &Error) -> bool {
    error.as_db_error().is_some_and(|error| {
        ["startup parameter", "command-line options"].iter().any(|words| error.message().contains(words))
    })
}
