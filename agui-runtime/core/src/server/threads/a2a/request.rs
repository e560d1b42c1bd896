//! The request parts that both bindings share: version, client and bytes.

use std::future::Future;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::request::Parts;
use tracing::Instrument;

use super::TaskDesk;
use super::call::A2aCaller;
use crate::a2a::{ErrorCode, ProtocolError, VERSION, VERSION_HEADER};
use crate::quoted::quoted;
use crate::server::limits::budget::ClientKey;
use crate::server::request::input_bytes;
use crate::server::response::rejection::Rejection;
use crate::server::threads::routes::parameter;
use crate::server::trace;

/// A request whose client may run the agent.
pub(super) struct ReceivedOperation {
    /// An error if the request has another version.
    pub(super) version: Result<(), ProtocolError>,
    pub(super) bytes: Bytes,
    pub(super) caller: A2aCaller,
}

/// Handles a request in a separate tracing span.
pub(super) async fn traced<F>(
    desk: Arc<TaskDesk>,
    request: Request,
    answer: impl FnOnce(Arc<TaskDesk>, Parts, Body) -> F + Send,
) -> Response
where
    F: Future<Output = Result<Response, Rejection>> + Send,
{
    let (mut parts, body) = request.into_parts();
    let span = trace::span(&mut parts, &desk.path, desk.settings.request_span.as_ref());
    let answer = answer(desk, parts, body).instrument(span.clone()).await;
    let response = answer.unwrap_or_else(IntoResponse::into_response);
    trace::record_status(&span, response.status());
    response
}

impl TaskDesk {
    pub(super) async fn receive(&self, mut parts: Parts, body: Body) -> Result<ReceivedOperation, Rejection> {
        let Self { settings, agent, threads, .. } = self;
        threads.maintain();
        let version = version(&parts);
        let identity = settings.identity(&parts);
        let client = ClientKey::from_request(&parts, identity.as_deref());
        let own = settings.run_options(&parts);
        let webhook = settings.webhook(&parts)?;
        let headers = std::mem::take(&mut parts.headers);
        let server = settings.server_options(&mut parts, identity.as_deref());
        let options = own.or(&server);
        // Checked before the body is read: a client that may not start a run gets no resources.
        agent.check(&options)?;
        let share = settings.run_slots.body(client);
        let (bytes, body) = input_bytes::read_body(&headers, body, settings.limits.body_size, share).await?;
        let owner = identity.unwrap_or_default();
        let caller = A2aCaller { owner, options, server, body, webhook };
        Ok(ReceivedOperation { version, bytes, caller })
    }

    /// Checks that a body is JSON within the limits. The inner error is for a body that is no JSON.
    pub(super) async fn check_json(&self, bytes: &Bytes) -> Result<Result<(), String>, Rejection> {
        match self.settings.reading.check(bytes.clone()).await {
            Err(refused) if refused.code() == "invalid_json" => Ok(Err(refused.to_string())),
            checked => checked.map(|_| Ok(())),
        }
    }
}

/// Checks the protocol version in the header or the query. A request without a version counts as 0.3 (A2A, section "Versioning").
fn version(parts: &Parts) -> Result<(), ProtocolError> {
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
    Err(ProtocolError::new(ErrorCode::VersionNotSupported, message))
}
