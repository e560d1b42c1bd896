//! An HTTP request before sending: address, headers and response limits.

use http::header::{ACCEPT, AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;
use rmcp::transport::streamable_http_client::{StreamableHttpError, StreamableHttpResponseLimits};

use super::CustomHeaders;
use super::failure::{HttpFailure, McpHttpError};
use super::response::unexpected;

pub(super) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
pub(super) const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");

/// Headers that the protocol sets.
const RESERVED: [HeaderName; 3] = [ACCEPT, SESSION, LAST_EVENT];

/// The first protocol version without sessions.
const WITHOUT_SESSIONS: &[u8] = b"2026-07-28";

/// An HTTP request before sending.
#[derive(Clone)]
pub(super) struct McpHttpRequest {
    pub(super) url: Url,
    pub(super) headers: HeaderMap,
    pub(super) limits: StreamableHttpResponseLimits,
}

impl McpHttpRequest {
    /// True if the request's protocol version has sessions.
    pub(super) fn may_have_session(&self) -> bool {
        let version = self.headers.get(VERSION).map(HeaderValue::as_bytes);
        self.headers.contains_key(SESSION) || version.is_some_and(|version| version < WITHOUT_SESSIONS)
    }
}

/// Builds a request.
///
/// # Errors
/// [`StreamableHttpError`] for an invalid address or header.
pub(super) fn sent(
    uri: &str,
    session: Option<&str>,
    token: Option<&str>,
    custom: CustomHeaders,
    limits: StreamableHttpResponseLimits,
) -> Result<McpHttpRequest, McpHttpError> {
    let url = Url::parse(uri).map_err(|_| HttpFailure::NoAddress)?;
    let mut headers = HeaderMap::new();
    for (name, value) in custom {
        if RESERVED.contains(&name) {
            return Err(StreamableHttpError::ReservedHeaderConflict(name.to_string()));
        }
        headers.insert(name, value);
    }
    let value = |text: &str| {
        HeaderValue::from_str(text).map_err(|_| unexpected("a header with control characters".to_owned()))
    };
    if let Some(token) = token {
        let mut value = value(&format!("Bearer {token}"))?;
        value.set_sensitive(true);
        headers.insert(AUTHORIZATION, value);
    }
    if let Some(session) = session {
        headers.insert(SESSION, value(session)?);
    }
    Ok(McpHttpRequest { url, headers, limits })
}

/// Default response limits, with this event size in bytes.
pub(super) fn limited(most: usize) -> StreamableHttpResponseLimits {
    let mut limits = StreamableHttpResponseLimits::default();
    limits.max_sse_event_size = most;
    limits
}
