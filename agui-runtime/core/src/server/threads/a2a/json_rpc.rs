//! The JSON-RPC binding (A2A, section "JSON-RPC Protocol Binding").

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;

use super::TaskDesk;
use super::binding::RequestBinding;
use super::call::TaskOperation;
use super::failure::{OperationFailure, failure};
use super::request::{ReceivedOperation, traced};
use crate::a2a::{ErrorCode, ProtocolError, RpcId, RpcRequest};
use crate::quoted::quoted;
use crate::server::request::input_bytes;
use crate::server::response::rejection::Rejection;

/// Handles `POST path`.
pub(super) async fn json_rpc_endpoint(State(desk): State<Arc<TaskDesk>>, request: Request) -> Response {
    traced(desk, request, json_rpc_response).await
}

async fn json_rpc_response(desk: Arc<TaskDesk>, parts: Parts, body: Body) -> Result<Response, Rejection> {
    input_bytes::check_content_type(&parts.headers)?;
    let ReceivedOperation { version, bytes, caller } = desk.receive(parts, body).await?;
    if let Err(message) = desk.check_json(&bytes).await? {
        return Ok(InvalidJsonRpcRequest { id: RpcId::default(), code: ErrorCode::Parse, message }.response());
    }
    let envelope = match desk.settings.reading.work(bytes.len(), move || read(&bytes)).await? {
        Ok(envelope) => envelope,
        Err(refused) => return Ok(refused.response()),
    };
    let JsonRpcEnvelope { id, method, params } = envelope;
    desk.operation_response(RequestBinding::JsonRpc(id), version, caller, desk.method(&method, params)).await
}

impl TaskDesk {
    /// Returns a method's operation.
    async fn method(&self, method: &str, params: Bytes) -> Result<TaskOperation, OperationFailure> {
        Ok(match method {
            "SendMessage" => TaskOperation::Send(self.params(params).await?),
            "SendStreamingMessage" => TaskOperation::SendStreaming(self.params(params).await?),
            "GetTask" => TaskOperation::Get(self.params(params).await?),
            "ListTasks" => TaskOperation::List(self.params(params).await?),
            "CancelTask" => TaskOperation::Cancel(self.params(params).await?),
            "SubscribeToTask" => TaskOperation::Subscribe(self.params(params).await?),
            "CreateTaskPushNotificationConfig"
            | "GetTaskPushNotificationConfig"
            | "ListTaskPushNotificationConfigs"
            | "DeleteTaskPushNotificationConfig" => TaskOperation::PushConfig,
            "GetExtendedAgentCard" => TaskOperation::ExtendedCard,
            _ => {
                let message = format!("there is no method `{}`", quoted(method));
                return Err(failure(ErrorCode::MethodNotFound, message));
            }
        })
    }
}

/// A JSON-RPC request.
struct JsonRpcEnvelope {
    id: RpcId,
    method: String,
    params: Bytes,
}

/// A body that is no JSON-RPC request.
struct InvalidJsonRpcRequest {
    id: RpcId,
    code: ErrorCode,
    message: String,
}

impl InvalidJsonRpcRequest {
    fn new(id: RpcId, message: &str) -> Self {
        Self { id, code: ErrorCode::InvalidRequest, message: message.to_owned() }
    }

    fn response(self) -> Response {
        RequestBinding::JsonRpc(self.id).error(&ProtocolError::new(self.code, self.message))
    }
}

fn read(body: &[u8]) -> Result<JsonRpcEnvelope, InvalidJsonRpcRequest> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(InvalidJsonRpcRequest::new(RpcId::default(), "requests in batches are not supported"));
    }
    let Ok(RpcRequest { jsonrpc, id, method, params }) = serde_json::from_slice(body) else {
        return Err(InvalidJsonRpcRequest::new(RpcId::default(), "expected a request of JSON-RPC 2.0"));
    };
    if jsonrpc != "2.0" {
        return Err(InvalidJsonRpcRequest::new(id, "expected `\"jsonrpc\": \"2.0\"`"));
    }
    let Some(method) = method.as_str().filter(|method| !method.is_empty()).map(str::to_owned) else {
        return Err(InvalidJsonRpcRequest::new(id, "expected a `method`"));
    };
    let params = params
        .map_or_else(|| Bytes::from_static(b"{}"), |params| Box::<str>::from(params).into_string().into());
    Ok(JsonRpcEnvelope { id, method, params })
}
