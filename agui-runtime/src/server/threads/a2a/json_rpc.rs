//! The JSON-RPC binding (A2A, section "JSON-RPC Protocol Binding").

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use bytes::Bytes;
use http::request::Parts;

use super::Desk;
use super::binding::Binding;
use super::call::Call;
use super::failure::{Failure, failure};
use super::request::{Received, traced};
use crate::a2a::{ErrorCode, ProtocolError, RpcId, RpcRequest};
use crate::quoted::quoted;
use crate::server::request::input_bytes;
use crate::server::response::rejection::Rejection;

/// Handles `POST path`.
pub(super) async fn answer(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    traced(desk, request, answered).await
}

async fn answered(desk: Arc<Desk>, parts: Parts, body: Body) -> Result<Response, Rejection> {
    input_bytes::check_content_type(&parts.headers)?;
    let Received { version, bytes, caller } = desk.receive(parts, body).await?;
    if let Err(message) = desk.check_json(&bytes).await? {
        return Ok(NoRequest { id: RpcId::default(), code: ErrorCode::Parse, message }.response());
    }
    let envelope = match desk.settings.reading.work(bytes.len(), move || read(&bytes)).await? {
        Ok(envelope) => envelope,
        Err(refused) => return Ok(refused.response()),
    };
    let Envelope { id, method, params } = envelope;
    desk.answer(Binding::JsonRpc(id), version, caller, desk.method(&method, params)).await
}

impl Desk {
    /// Returns a method's operation.
    async fn method(&self, method: &str, params: Bytes) -> Result<Call, Failure> {
        Ok(match method {
            "SendMessage" => Call::Send(self.params(params).await?),
            "SendStreamingMessage" => Call::SendStreaming(self.params(params).await?),
            "GetTask" => Call::Get(self.params(params).await?),
            "ListTasks" => Call::List(self.params(params).await?),
            "CancelTask" => Call::Cancel(self.params(params).await?),
            "SubscribeToTask" => Call::Subscribe(self.params(params).await?),
            "CreateTaskPushNotificationConfig"
            | "GetTaskPushNotificationConfig"
            | "ListTaskPushNotificationConfigs"
            | "DeleteTaskPushNotificationConfig" => Call::PushConfig,
            "GetExtendedAgentCard" => Call::ExtendedCard,
            _ => {
                let message = format!("there is no method `{}`", quoted(method));
                return Err(failure(ErrorCode::MethodNotFound, message));
            }
        })
    }
}

/// A JSON-RPC request.
struct Envelope {
    id: RpcId,
    method: String,
    params: Bytes,
}

/// A body that is no JSON-RPC request.
struct NoRequest {
    id: RpcId,
    code: ErrorCode,
    message: String,
}

impl NoRequest {
    fn new(id: RpcId, message: &str) -> Self {
        Self { id, code: ErrorCode::InvalidRequest, message: message.to_owned() }
    }

    fn response(self) -> Response {
        Binding::JsonRpc(self.id).error(&ProtocolError::new(self.code, self.message))
    }
}

fn read(body: &[u8]) -> Result<Envelope, NoRequest> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(NoRequest::new(RpcId::default(), "requests in batches are not supported"));
    }
    let Ok(RpcRequest { jsonrpc, id, method, params }) = serde_json::from_slice(body) else {
        return Err(NoRequest::new(RpcId::default(), "expected a request of JSON-RPC 2.0"));
    };
    if jsonrpc != "2.0" {
        return Err(NoRequest::new(id, "expected `\"jsonrpc\": \"2.0\"`"));
    }
    let Some(method) = method.as_str().filter(|method| !method.is_empty()).map(str::to_owned) else {
        return Err(NoRequest::new(id, "expected a `method`"));
    };
    let params = params
        .map_or_else(|| Bytes::from_static(b"{}"), |params| Box::<str>::from(params).into_string().into());
    Ok(Envelope { id, method, params })
}
