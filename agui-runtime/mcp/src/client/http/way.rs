//! A server address as a route that can be opened again.

use std::time::Duration;

use futures_util::StreamExt;
use reqwest::{Client, Method};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransportConfig, StreamableHttpResponseLimits,
};

use super::failure::{HttpFailure, may_accept_another};
use super::response::{EVENTS, is_type};
use super::sent::sent;
use super::{HttpRequests, events};
use crate::client::begin::McpServerRoute;
use crate::client::endpoint::McpEndpoint;
use crate::error::BoxError;
use agui_runtime_core::__leaf::shared_tls_config;

/// Time limit for the TCP and TLS connection.
const REACH: Duration = Duration::from_secs(10);

/// Time limit in which a 2024-11-05 server begins its stream.
const FIRST_EVENT: Duration = Duration::from_secs(3);

/// Time limit for requests on a lost session, plus the next handshake.
const RECOVERY: Duration = Duration::from_secs(10);

/// A server address and its HTTP client.
pub(in crate::client) struct McpHttpRoute {
    endpoint: McpEndpoint,
    requests: HttpRequests,
}

impl McpHttpRoute {
    pub(in crate::client) fn new(endpoint: McpEndpoint) -> Result<Self, BoxError> {
        let client = Client::builder()
            .tls_backend_preconfigured(shared_tls_config(endpoint.url.starts_with("https:"))?)
            .redirect(reqwest::redirect::Policy::none())
            .connect_timeout(REACH)
            .build()?;
        let requests = HttpRequests::new(client, endpoint.tokens.clone());
        Ok(Self { endpoint, requests })
    }
}

impl McpServerRoute for McpHttpRoute {
    type Transport = StreamableHttpClientTransport<HttpRequests>;

    async fn open(&mut self) -> Result<Self::Transport, BoxError> {
        let McpEndpoint { url, token, headers, .. } = self.endpoint.clone();
        let mut config = StreamableHttpClientTransportConfig::with_uri(url).custom_headers(headers);
        config.auth_header = token;
        config.session_recovery_timeout = RECOVERY;
        Ok(StreamableHttpClientTransport::with_client(self.requests.clone(), config))
    }

    fn may_help(&self, error: &BoxError) -> bool {
        may_accept_another(error)
    }

    /// MCP, section "Backwards Compatibility": a 2024-11-05 server responds to a GET with a stream, whose first event is the
    /// address for requests.
    async fn explain(&self) -> Option<BoxError> {
        let McpEndpoint { url, token, headers, .. } = self.endpoint.clone();
        let limits = StreamableHttpResponseLimits::default();
        let sent = sent(&url, None, token.as_deref(), headers, limits).ok()?;
        let asking = async {
            let response = self.requests.send(Method::GET, &sent, None).await.ok()?;
            if !response.status().is_success() || !is_type(&response, EVENTS) {
                return None;
            }
            events::sse_events(response, limits.max_sse_event_size, None).next().await?.ok()
        };
        let first = tokio::time::timeout(FIRST_EVENT, asking).await.ok()??;
        (first.event.as_deref() == Some("endpoint")).then(|| HttpFailure::OnlySse.into())
    }
}
