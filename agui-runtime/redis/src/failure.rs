//! Redis failures as log failures.

use agui_runtime_core::thread::LogError;
use redis::{ErrorKind, RedisError};

pub(super) fn log_error(error: &RedisError) -> LogError {
    LogError::new(error)
}

/// True if the server takes no writes: a primary that became a replica, a replica without a primary, or a server that starts.
pub(super) fn is_wrong_server(error: &RedisError) -> bool {
    const WRONG: [&str; 6] = ["READONLY", "MASTERDOWN", "LOADING", "CLUSTERDOWN", "MOVED", "NOREPLICAS"];
    // An older server tells the reason in the text of the script's error.
    let text = error.to_string();
    error.code().is_some_and(|code| WRONG.contains(&code))
        || ["READONLY", "NOREPLICAS"].iter().any(|code| text.contains(code))
}

/// True if the server responded with an error: a refused script has changed nothing.
pub(super) fn is_error_response(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension)
}
