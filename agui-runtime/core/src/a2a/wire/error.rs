//! A2A errors, which each binding writes differently (A2A, section "Error Handling").

use std::fmt;

use serde_json::{Value, json};

/// The error code, independent from the binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorCode {
    Parse,
    InvalidRequest,
    MethodNotFound,
    InvalidParams,
    Internal,
    TaskNotFound,
    TaskNotCancelable,
    PushNotificationNotSupported,
    UnsupportedOperation,
    ContentTypeNotSupported,
    VersionNotSupported,
}

impl ErrorCode {
    /// Returns the JSON-RPC code.
    pub(crate) fn number(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::InvalidRequest => -32600,
            Self::MethodNotFound => -32601,
            Self::InvalidParams => -32602,
            Self::Internal => -32603,
            Self::TaskNotFound => -32001,
            Self::TaskNotCancelable => -32002,
            Self::PushNotificationNotSupported => -32003,
            Self::UnsupportedOperation => -32004,
            Self::ContentTypeNotSupported => -32005,
            Self::VersionNotSupported => -32009,
        }
    }

    /// Returns the HTTP status, and the gRPC code beside it (A2A, section "Error Code Mappings").
    fn status(self) -> (u16, &'static str) {
        match self {
            Self::Parse | Self::InvalidRequest | Self::InvalidParams | Self::ContentTypeNotSupported => {
                (400, "INVALID_ARGUMENT")
            }
            Self::TaskNotCancelable
            | Self::PushNotificationNotSupported
            | Self::UnsupportedOperation
            | Self::VersionNotSupported => (400, "FAILED_PRECONDITION"),
            Self::MethodNotFound | Self::TaskNotFound => (404, "NOT_FOUND"),
            Self::Internal => (500, "INTERNAL"),
        }
    }

    /// Returns the reason for `google.rpc.ErrorInfo`.
    fn reason(self) -> &'static str {
        match self {
            Self::Parse => "PARSE_ERROR",
            Self::InvalidRequest => "INVALID_REQUEST",
            Self::MethodNotFound => "METHOD_NOT_FOUND",
            Self::InvalidParams => "INVALID_PARAMS",
            Self::Internal => "INTERNAL_ERROR",
            Self::TaskNotFound => "TASK_NOT_FOUND",
            Self::TaskNotCancelable => "TASK_NOT_CANCELABLE",
            Self::PushNotificationNotSupported => "PUSH_NOTIFICATION_NOT_SUPPORTED",
            Self::UnsupportedOperation => "UNSUPPORTED_OPERATION",
            Self::ContentTypeNotSupported => "CONTENT_TYPE_NOT_SUPPORTED",
            Self::VersionNotSupported => "VERSION_NOT_SUPPORTED",
        }
    }
}

/// An error for the client.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ProtocolError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl ProtocolError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Returns the JSON-RPC error object.
    pub(super) fn rpc(&self) -> Value {
        json!({ "code": self.code.number(), "message": self.message, "data": [self.info()] })
    }

    /// Returns the HTTP status and the body, a `google.rpc.Status` (A2A, section "HTTP+JSON/REST Protocol Binding").
    pub(crate) fn http(&self) -> (u16, Value) {
        let (code, status) = self.code.status();
        let error =
            json!({ "code": code, "status": status, "message": self.message, "details": [self.info()] });
        (code, json!({ "error": error }))
    }

    fn info(&self) -> Value {
        json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": self.code.reason(),
            "domain": "a2a-protocol.org",
        })
    }
}

impl fmt::Display for ProtocolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.number())
    }
}
