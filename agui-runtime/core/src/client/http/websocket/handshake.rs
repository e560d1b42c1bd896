//! The WebSocket handshake (RFC 6455, section 4.1) as an HTTP client's request, so that the agent's proxies, certificates and time
//! limits apply.

use std::time::Duration;

use http::{HeaderMap, HeaderValue, StatusCode, Version, header};
use reqwest::{Client, Upgraded, Url};
use tokio_tungstenite::tungstenite::handshake::client::generate_key;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use crate::client::ClientError;
use crate::client::http::limit::Limits;
use crate::client::http::{answer, redirect};
use crate::wire::websocket::SUBPROTOCOL;

/// Makes a connection that speaks frames.
pub(super) async fn upgrade(
    http: &Client,
    url: &Url,
    headers: &HeaderMap,
    connect: Option<Duration>,
) -> Result<Upgraded, ClientError> {
    let key = generate_key();
    let mut headers = headers.clone();
    headers.insert(header::CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(header::SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    headers.insert(header::SEC_WEBSOCKET_PROTOCOL, HeaderValue::from_static(SUBPROTOCOL));
    headers.insert(header::SEC_WEBSOCKET_KEY, HeaderValue::try_from(&key).map_err(ClientError::other)?);
    let request = http.get(url.clone()).version(Version::HTTP_11).headers(headers).send();
    let response = request.await.map_err(|error| answer::network(error, connect))?;
    redirect::check(&response, url)?;
    if response.status() != StatusCode::SWITCHING_PROTOCOLS {
        return Err(answer::rejection(response, Limits::default().start()).await);
    }
    let has = |name: header::HeaderName, expected: &str| {
        response.headers().get(name).is_some_and(|value| value == expected)
    };
    if !has(header::SEC_WEBSOCKET_ACCEPT, &derive_accept_key(key.as_bytes())) {
        return Err(ClientError::Network("the server did not accept the key of the WebSocket".into()));
    }
    if !has(header::SEC_WEBSOCKET_PROTOCOL, SUBPROTOCOL) {
        return Err(ClientError::Network(format!("the server does not speak `{SUBPROTOCOL}`").into()));
    }
    response.upgrade().await.map_err(|error| answer::network(error, connect))
}
