//! The failures of Redis, as those of a log.

use redis::{ErrorKind, RedisError};

use crate::thread::log_error::LogError;

pub(super) fn log_error(error: &RedisError) -> LogError {
    LogError::new(error)
}

/// True if the server answered with an error: a script that was refused has changed nothing.
pub(super) fn is_answer(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(_) | ErrorKind::Extension)
}
