//! The two bindings: the form in which results and errors are written.

use axum::response::Response;
use http::StatusCode;
use serde::Serialize;
use serde_json::Value;

use crate::a2a::{ProtocolError, RpcId, rpc_error, rpc_result};
use crate::server::response::rejection;

/// A request's binding.
pub(super) enum RequestBinding {
    /// JSON-RPC, with the request id.
    JsonRpc(RpcId),
    /// HTTP+JSON.
    HttpJson,
}

impl RequestBinding {
    /// Writes a result, or a stream item.
    pub(super) fn write<T: Serialize>(&self, result: &T) -> Result<Vec<u8>, serde_json::Error> {
        match self {
            Self::JsonRpc(id) => rpc_result(id, result),
            Self::HttpJson => serde_json::to_vec(result),
        }
    }

    /// Returns a result's media type.
    pub(super) fn media_type(&self) -> &'static str {
        match self {
            Self::JsonRpc(_) => "application/json",
            Self::HttpJson => "application/a2a+json",
        }
    }

    /// Returns an error as a response.
    pub(super) fn error(&self, error: &ProtocolError) -> Response {
        tracing::debug!(code = error.code.number(), "an A2A request is answered with an error");
        let (status, body) = self.status(error);
        rejection::json_response(
            StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            &body,
        )
    }

    /// Returns the event line that marks an error, and the error, for a stream's last event.
    pub(super) fn last_event(&self, error: &ProtocolError) -> (&'static str, Value) {
        let name = match self {
            Self::JsonRpc(_) => "",
            Self::HttpJson => "event: error\n",
        };
        (name, self.status(error).1)
    }

    fn status(&self, error: &ProtocolError) -> (u16, Value) {
        match self {
            Self::JsonRpc(id) => (200, rpc_error(id, error)),
            Self::HttpJson => error.http(),
        }
    }
}
