//! The server over streamable HTTP, without sessions: each request stands alone, and a client that leaves cancels its call.

use std::sync::Arc;
use std::time::Duration;

use http::request::Parts;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::Semaphore;

use super::McpServer;
use super::handler::{Handler, Limits};
use crate::agent::RunOptions;

/// The settings of a server that many clients reach.
pub(crate) struct HttpSettings {
    /// The calls that may run at once.
    pub(crate) calls: usize,
    /// The time that a call has.
    pub(crate) time: Option<Duration>,
    /// The size of a request.
    pub(crate) body_size: usize,
    /// The time between two signs of life.
    pub(crate) keep_alive: Option<Duration>,
    /// The options of the call that a request brought.
    pub(crate) options: Arc<dyn Fn(&Parts) -> RunOptions + Send + Sync>,
}

impl McpServer {
    /// Returns the service. The caller checks hosts and origins.
    pub(crate) fn into_service(
        self,
        settings: HttpSettings,
    ) -> StreamableHttpService<Handler, NeverSessionManager> {
        let HttpSettings { calls, time, body_size, keep_alive, options } = settings;
        let limits = Limits {
            calls: Some(Arc::new(Semaphore::new(calls.min(Semaphore::MAX_PERMITS)))),
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
