//! The request that becomes a WebSocket (RFC 6455, section 4.2).
//!
//! The server's layers see the runs, not this request: a browser cannot add credentials here. The handshake's headers and
//! extensions apply to every run on the socket.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{OriginalUri, Request};
use axum::middleware;
use axum::response::Response;
use axum::routing::get;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::{Extensions, HeaderMap, HeaderName, HeaderValue, StatusCode, Version, header};
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::session;
use crate::server::lifetime::connection::UpgradedConnection;
use crate::server::limits::run_slots::RunSlots;
use crate::server::limits::server_limits::Limits;
use crate::server::origins::gate::RequestGate;
use crate::server::response::panicked;
use crate::server::response::rejection::Rejection;
pub(in crate::server) use crate::wire::websocket::PATH;
use crate::wire::websocket::SUBPROTOCOL;

/// Handshake headers that do not describe the client.
const OF_THE_HANDSHAKE: [HeaderName; 13] = [
    header::ACCEPT,
    header::CONNECTION,
    header::CONTENT_LENGTH,
    header::CONTENT_TYPE,
    header::EXPECT,
    header::SEC_WEBSOCKET_ACCEPT,
    header::SEC_WEBSOCKET_EXTENSIONS,
    header::SEC_WEBSOCKET_KEY,
    header::SEC_WEBSOCKET_PROTOCOL,
    header::SEC_WEBSOCKET_VERSION,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    HeaderName::from_static("last-event-id"),
];

/// The agents that sockets reach, with their layers.
pub(super) struct SocketAgents {
    pub(super) router: Router,
    /// Paths that accept runs or thread connections.
    pub(super) paths: BTreeSet<String>,
    pub(super) limits: Limits,
    pub(super) run_slots: Arc<RunSlots>,
}

/// The handshake data that every run on the socket shares.
#[derive(Clone)]
pub(super) struct SocketCaller {
    pub(super) headers: HeaderMap,
    pub(super) extensions: Extensions,
}

/// Adds the socket path to a server, whose `router` has the agents with their layers.
pub(in crate::server) fn route(
    router: Router,
    paths: BTreeSet<String>,
    gate: &Arc<RequestGate>,
    limits: &Limits,
    run_slots: &Arc<RunSlots>,
) -> Router {
    // A panic of a layer ends one run, and not its neighbours.
    let agents = router.clone().layer(middleware::from_fn(panicked::catch_panic)).with_state(());
    let (limits, run_slots) = (limits.clone(), Arc::clone(run_slots));
    let reached = Arc::new(SocketAgents { router: agents, paths, limits, run_slots });
    let gate = Arc::clone(gate);
    router.route(PATH, get(move |request: Request| async move { upgrade_response(request, &reached, &gate) }))
}

fn upgrade_response(
    request: Request,
    reached: &Arc<SocketAgents>,
    gate: &RequestGate,
) -> Result<Response, Rejection> {
    let accept = check(request.headers())?;
    let (mut parts, _) = request.into_parts();
    let upgrade = parts.extensions.remove::<OnUpgrade>().filter(|_| parts.version == Version::HTTP_11);
    let upgrade = upgrade.ok_or_else(|| not_a_socket("expected a request over HTTP/1.1"))?;
    let connection = parts.extensions.remove::<UpgradedConnection>();
    let connection = connection.unwrap_or_else(|| UpgradedConnection::standalone(&reached.limits));
    parts.extensions.remove::<OriginalUri>();
    if gate.admits_every_page() && parts.headers.contains_key(header::ORIGIN) {
        // Browsers send these to sockets of any page without asking, and such a server is open without them.
        parts.headers.remove(header::COOKIE);
        parts.headers.remove(header::AUTHORIZATION);
    }
    for name in &OF_THE_HANDSHAKE {
        parts.headers.remove(name);
    }
    let caller = SocketCaller { headers: parts.headers, extensions: parts.extensions };
    let reached = Arc::clone(reached);
    tokio::spawn(async move {
        match upgrade.await {
            Ok(socket) => session::serve(TokioIo::new(socket), reached, caller, connection).await,
            Err(error) => tracing::debug!(%error, "a connection did not become a WebSocket"),
        }
    });
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
    let headers = response.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
    Ok(response)
}

/// Checks the headers, and returns the accept value.
fn check(headers: &HeaderMap) -> Result<HeaderValue, Rejection> {
    if !has_token(headers, &header::CONNECTION, "upgrade")
        || !has_token(headers, &header::UPGRADE, "websocket")
    {
        return Err(not_a_socket("expected the handshake of a WebSocket"));
    }
    if headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|version| version != "13") {
        return Err(not_a_socket("expected version 13 of the protocol")
            .with_header(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13")));
    }
    let key = headers.get(header::SEC_WEBSOCKET_KEY).map(HeaderValue::as_bytes).unwrap_or_default();
    if STANDARD.decode(key).is_ok_and(|key| key.len() == 16) {
        if has_token(headers, &header::SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL) {
            let accept = HeaderValue::try_from(derive_accept_key(key));
            return accept.map_err(|_| invalid_key());
        }
        return Err(Rejection::new(
            StatusCode::BAD_REQUEST,
            "unsupported_subprotocol",
            format!("expected the subprotocol `{SUBPROTOCOL}` in `Sec-WebSocket-Protocol`"),
        ));
    }
    Err(invalid_key())
}

/// True if the comma-separated values contain the token.
fn has_token(headers: &HeaderMap, name: &HeaderName, token: &str) -> bool {
    let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|value| value.trim().eq_ignore_ascii_case(token))
}

fn not_a_socket(message: &str) -> Rejection {
    Rejection::new(StatusCode::UPGRADE_REQUIRED, "upgrade_required", message)
        .with_header(header::UPGRADE, HeaderValue::from_static("websocket"))
        .with_header(header::CONNECTION, HeaderValue::from_static("upgrade"))
}

fn invalid_key() -> Rejection {
    Rejection::new(
        StatusCode::BAD_REQUEST,
        "invalid_websocket_key",
        "expected 16 bytes as Base64 in `Sec-WebSocket-Key`",
    )
}
