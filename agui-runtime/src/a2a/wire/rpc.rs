//! JSON-RPC 2.0, with the errors of A2A (A2A, section "Error Handling").

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// A request. The parameters stay text until the method is known.
#[derive(Debug, Deserialize)]
pub(crate) struct RpcRequest {
    #[serde(default)]
    pub(crate) jsonrpc: Value,
    #[serde(default)]
    pub(crate) id: RpcId,
    #[serde(default)]
    pub(crate) method: Value,
    #[serde(default)]
    pub(crate) params: Option<Box<RawValue>>,
}

/// The id of a request: a number, a text or `null`. Others are answered as `null` (JSON-RPC 2.0, section "Response object").
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct RpcId(Value);

impl<'de> Deserialize<'de> for RpcId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = Value::deserialize(deserializer)?;
        let is_id = id.is_string() || id.is_i64() || id.is_u64();
        Ok(Self(if is_id { id } else { Value::Null }))
    }
}

/// The code of an error.
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

/// An error as the client reads it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct RpcError {
    pub(crate) code: ErrorCode,
    pub(crate) message: String,
}

impl RpcError {
    pub(crate) fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Returns the response to a request.
    pub(crate) fn response(&self, id: &RpcId) -> Value {
        let Self { code, message } = self;
        let info = json!({
            "@type": "type.googleapis.com/google.rpc.ErrorInfo",
            "reason": code.reason(),
            "domain": "a2a-protocol.org",
        });
        let error = json!({ "code": code.number(), "message": message, "data": [info] });
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

impl fmt::Display for RpcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.code.number())
    }
}

/// Writes the response to a request.
pub(crate) fn rpc_result<T: Serialize>(id: &RpcId, result: &T) -> Result<Vec<u8>, serde_json::Error> {
    #[derive(Serialize)]
    struct Response<'r, T> {
        jsonrpc: &'static str,
        id: &'r RpcId,
        result: &'r T,
    }

    serde_json::to_vec(&Response { jsonrpc: "2.0", id, result })
}
