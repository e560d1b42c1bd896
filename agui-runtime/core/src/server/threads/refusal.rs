//! Refused requests for stored threads.

use http::StatusCode;

use super::conversation::claiming::ClaimError;
use super::conversation::fold::FoldError;
use super::conversation::input::InputContradiction;
use crate::quoted::quoted;
use crate::server::response::rejection::Rejection;
use crate::thread::LogError;

pub(super) fn invalid_cursor(reason: &str) -> Rejection {
    Rejection::new(
        StatusCode::BAD_REQUEST,
        "invalid_cursor",
        format!("{reason}: send the `id` of the last event that you received"),
    )
}

pub(super) fn trimmed() -> Rejection {
    Rejection::new(
        StatusCode::GONE,
        "cursor_trimmed",
        "the events after this one are not kept any more: connect without a cursor",
    )
}

pub(super) fn parent_trimmed() -> Rejection {
    Rejection::new(
        StatusCode::GONE,
        "run_trimmed",
        "the end of the run that this one continues is not kept any more: continue at the end of the thread",
    )
    .at("parentRunId")
}

/// Listing needs an identity: without one, a list would have all callers' threads.
pub(super) fn no_identity() -> Rejection {
    Rejection::new(
        StatusCode::FORBIDDEN,
        "identity_needed",
        "the server does not know who asks, so it lists no threads",
    )
}

pub(super) fn no_run() -> Rejection {
    Rejection::new(
        StatusCode::NOT_FOUND,
        "run_not_found",
        "the thread has no such run: start it without a cursor",
    )
}

pub(in crate::server) fn no_thread() -> Rejection {
    Rejection::new(StatusCode::NOT_FOUND, "thread_not_found", "you have no such thread")
}

pub(super) fn run_exists() -> Rejection {
    Rejection::new(
        StatusCode::CONFLICT,
        "run_exists",
        "the thread has a run with this `runId`, from another request: start runs under new ids",
    )
    .at("runId")
}

pub(super) fn busy() -> Rejection {
    Rejection::new(
        StatusCode::CONFLICT,
        "thread_busy",
        "another run of this thread goes on: wait for its end, or stop it",
    )
}

/// The store takes no record of this length.
pub(super) fn steering_too_large(bytes: usize) -> Rejection {
    Rejection::new(
        StatusCode::PAYLOAD_TOO_LARGE,
        "body_too_large",
        format!("the messages take {bytes} bytes, more than one record of the store"),
    )
    .at("messages")
}

pub(super) fn changed() -> Rejection {
    Rejection::new(StatusCode::CONFLICT, "thread_changed", "another run of this thread was faster")
}

/// The reason is for the log alone: a reason may name addresses.
pub(super) fn unavailable(error: &dyn std::fmt::Display) -> Rejection {
    tracing::error!(error = %quoted(error), "the thread log cannot be used");
    Rejection::new(
        StatusCode::SERVICE_UNAVAILABLE,
        "store_unavailable",
        "the conversations cannot be read or written now: try again later",
    )
    .retry_after(1)
}

impl From<InputContradiction> for Rejection {
    fn from(contradiction: InputContradiction) -> Self {
        let message = quoted(&contradiction).to_string();
        Self::new(StatusCode::CONFLICT, contradiction.code(), message).at(contradiction.path())
    }
}

impl From<FoldError> for Rejection {
    fn from(error: FoldError) -> Self {
        match error {
            FoldError::Trimmed { .. } => trimmed(),
            error => unavailable(&error),
        }
    }
}

impl From<LogError> for Rejection {
    fn from(error: LogError) -> Self {
        unavailable(&error)
    }
}

impl From<ClaimError> for Rejection {
    fn from(error: ClaimError) -> Self {
        unavailable(&error)
    }
}
