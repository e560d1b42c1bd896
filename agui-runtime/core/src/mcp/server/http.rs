//! MCP over streamable HTTP, without sessions: each request stands alone, and a client that leaves cancels its call.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::McpServer;
use super::handler::{McpCallLimits, McpHandler};
use crate::agent::RunOptions;

/// Settings for a server that many clients reach. The caller limits the client count.
pub(crate) struct HttpSettings {
    /// Time limit for one call.
    pub(crate) time: Option<Duration>,
    /// Largest request body, in bytes.
    pub(crate) body_size: usize,
    /// Pause between keep-alive comments.
    pub(crate) keep_alive: Option<Duration>,
    /// Run options for the call in a request.
    pub(crate) options: Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>,
}

impl McpServer {
    /// Returns the HTTP service. The caller checks hosts and origins.
    pub(crate) fn into_service(
        self,
        settings: HttpSettings,
    ) -> StreamableHttpService<McpHandler, NeverSessionManager> {
        let HttpSettings { time, body_size, keep_alive, options } = settings;
        let limits = McpCallLimits {
            time,
            options: Some(Arc::new(move |own, context| match context.extensions.get::<Parts>() {
                Some(parts) => own.or(&options(parts)),
                None => own,
            })),
        };
        let handler = self.handler(None).limited(limits);
        let mut config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        config.legacy_session_mode = false;
        config.max_request_body_bytes = body_size;
        config.sse_keep_alive = keep_alive;
        StreamableHttpService::new(move || Ok(handler.clone()), Arc::default(), config)
    }
}
