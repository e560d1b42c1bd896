//! A failed operation: a JSON-RPC error, or a refused request if the server itself cannot go on.

use crate::a2a::{ErrorCode, ForeignTaskId, MessageRefusal, ProtocolError};
use crate::quoted::quoted;
use crate::receive::ReceiveError;
use crate::server::response::rejection::Rejection;
use crate::server::threads::refusal::unavailable;
use crate::thread::LogError;

#[derive(Debug)]
pub(super) enum OperationFailure {
    Protocol(ProtocolError),
    /// Another run in the context was faster, so the task may have changed after loading.
    Overtaken(ProtocolError),
    /// Too many runs, an unavailable store, or a client that must authenticate.
    Http(Rejection),
}

pub(super) fn failure(code: ErrorCode, message: impl Into<String>) -> OperationFailure {
    OperationFailure::Protocol(ProtocolError::new(code, message))
}

/// Returns the failure for a message whose id another message has.
pub(super) fn same_id() -> OperationFailure {
    failure(ErrorCode::InvalidParams, "another message of this context has this `messageId`")
}

/// Returns the failure for a task that the caller does not have; all reasons look alike.
pub(super) fn no_task() -> OperationFailure {
    failure(ErrorCode::TaskNotFound, "you have no such task")
}

impl From<ForeignTaskId> for OperationFailure {
    fn from(_: ForeignTaskId) -> Self {
        no_task()
    }
}

impl From<MessageRefusal> for OperationFailure {
    fn from(refused: MessageRefusal) -> Self {
        let code = match &refused {
            MessageRefusal::MediaType { .. } => ErrorCode::ContentTypeNotSupported,
            _ => ErrorCode::InvalidParams,
        };
        failure(code, quoted(&refused).to_string())
    }
}

impl From<LogError> for OperationFailure {
    fn from(error: LogError) -> Self {
        Self::Http(error.into())
    }
}

/// A run whose events contradict each other is a defect in the program that wrote the log.
impl From<ReceiveError> for OperationFailure {
    fn from(error: ReceiveError) -> Self {
        Self::Http(unavailable(&error))
    }
}

impl From<Rejection> for OperationFailure {
    fn from(rejection: Rejection) -> Self {
        let (code, message) = (rejection.code(), rejection.to_string());
        match code {
            "run_exists" => same_id(),
            "thread_busy" | "thread_changed" => {
                Self::Overtaken(ProtocolError::new(ErrorCode::UnsupportedOperation, message))
            }
            "history_conflict" | "call_not_open" | "interrupt_not_open" => {
                Self::Overtaken(ProtocolError::new(ErrorCode::InvalidParams, message))
            }
            "run_trimmed" | "cursor_trimmed" => no_task(),
            _ => Self::Http(rejection),
        }
    }
}
