//! A request of JSON-RPC over HTTP.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use tracing::Instrument;

use super::Desk;
use super::call::Caller;
use super::failure::Failure;
use super::respond;
use crate::a2a::{ErrorCode, RpcError, RpcId, RpcRequest, VERSION, VERSION_HEADER};
use crate::quoted::quoted;
use crate::server::budget::Client;
use crate::server::rejection::Rejection;
use crate::server::threads::routes::parameter;
use crate::server::{request, trace};

/// Answers `POST path`.
pub(super) async fn answer(State(desk): State<Arc<Desk>>, request: Request) -> Response {
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &desk.path, desk.settings.request_span.as_ref());
    let answer = desk.answer(parts, body).instrument(span.clone()).await;
    let response = answer.unwrap_or_else(IntoResponse::into_response);
    trace::answered(&span, response.status());
    response
}

impl Desk {
    async fn answer(self: &Arc<Self>, mut parts: Parts, body: Body) -> Result<Response, Rejection> {
        request::check_content_type(&parts.headers)?;
        let Self { settings, agent, threads, .. } = &**self;
        threads.maintain();
        let version = version(&parts);
        let identity = settings.identity(&parts);
        let client = Client::of(&parts, identity.as_deref());
        let own = settings.run_options(&parts);
        let webhook = settings.webhook(&parts)?;
        let headers = std::mem::take(&mut parts.headers);
        let server = settings.server_options(&mut parts, identity.as_deref());
        let options = own.or(&server);
        // Checked before the body is read: a client that may not start a run gets no resources.
        agent.check(&options)?;
        let share = settings.places.body(client);
        let (bytes, share) = request::read_body(&headers, body, settings.limits.body_size, share).await?;
        if let Err(refused) = settings.reading.check(bytes.clone()).await {
            return match refused.code() {
                "invalid_json" => Ok(respond::error(
                    &RpcId::default(),
                    &RpcError::new(ErrorCode::Parse, refused.to_string()),
                )),
                _ => Err(refused),
            };
        }
        let envelope = match settings.reading.work(bytes.len(), move || read(&bytes)).await? {
            Ok(envelope) => envelope,
            Err(refused) => return Ok(refused.response()),
        };
        let Envelope { id, method, params } = envelope;
        if let Err(error) = version {
            return Ok(respond::error(&id, &error));
        }
        let owner = identity.unwrap_or_default();
        let caller = Caller { owner, options, server, body: share, webhook };
        match self.call(&id, &method, params, caller).await {
            Ok(response) => Ok(response),
            Err(Failure::Rpc(error)) => Ok(respond::error(&id, &error)),
            Err(Failure::Http(rejection)) => Err(rejection),
        }
    }
}

/// A request that is one of JSON-RPC.
struct Envelope {
    id: RpcId,
    method: String,
    params: Bytes,
}

/// A body that is not a request of JSON-RPC.
struct NoRequest {
    id: RpcId,
    message: &'static str,
}

impl NoRequest {
    fn response(&self) -> Response {
        respond::error(&self.id, &RpcError::new(ErrorCode::InvalidRequest, self.message))
    }
}

fn read(body: &[u8]) -> Result<Envelope, NoRequest> {
    if body.trim_ascii_start().starts_with(b"[") {
        return Err(NoRequest { id: RpcId::default(), message: "requests in batches are not supported" });
    }
    let Ok(RpcRequest { jsonrpc, id, method, params }) = serde_json::from_slice(body) else {
        return Err(NoRequest { id: RpcId::default(), message: "expected a request of JSON-RPC 2.0" });
    };
    if jsonrpc != "2.0" {
        return Err(NoRequest { id, message: "expected `\"jsonrpc\": \"2.0\"`" });
    }
    let Some(method) = method.as_str().filter(|method| !method.is_empty()).map(str::to_owned) else {
        return Err(NoRequest { id, message: "expected a `method`" });
    };
    let params = params
        .map_or_else(|| Bytes::from_static(b"{}"), |params| Box::<str>::from(params).into_string().into());
    Ok(Envelope { id, method, params })
}

/// Checks the version of the protocol, which the header or the query names. A request that names none is one of 0.3 (A2A, section
/// "Versioning").
fn version(parts: &Parts) -> Result<(), RpcError> {
    let header = parts.headers.get(VERSION_HEADER).map(|value| String::from_utf8_lossy(value.as_bytes()));
    let named = header.map_or_else(|| parameter(&parts.uri, "A2A-Version"), |value| Some(value.into_owned()));
    let named = named.filter(|version| !version.trim().is_empty()).unwrap_or_else(|| "0.3".to_owned());
    let major = named.trim().split('.').next();
    if major == VERSION.split('.').next() {
        return Ok(());
    }
    let message = format!(
        "version `{}` of A2A is not supported here: send the header `A2A-Version: {VERSION}`",
        quoted(&named)
    );
    Err(RpcError::new(ErrorCode::VersionNotSupported, message))
}
