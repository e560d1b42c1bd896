//! MCP over streamable HTTP, without sessions: each request stands alone, and a client that leaves cancels its call.

use std::sync::Arc;

use agui_runtime_core::__leaf::{
    McpHttpHandler, McpHttpService, McpHttpSettings, ResponseBody, complete_options,
};
use agui_runtime_core::manifest::AgentSource;
use futures_util::FutureExt;
use http::request::Parts;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::McpServer;
use super::handler::{CallClaimFn, McpCallLimits};

impl McpHttpService for McpServer {
    fn source(&self) -> &AgentSource {
        &self.source
    }

    fn into_handler(self: Box<Self>, settings: McpHttpSettings) -> McpHttpHandler {
        let McpHttpSettings { time, body_size, keep_alive, options, claim } = settings;
        let limits = McpCallLimits {
            time,
            options: Some(Arc::new(move |own, context| match context.extensions.get::<Parts>() {
                Some(parts) => complete_options(own, &options(parts)),
                None => own,
            })),
            claim: claim.map(|claim| -> CallClaimFn {
                Arc::new(move |context| context.extensions.get::<Parts>().map(|parts| claim(parts)))
            }),
        };
        let handler = self.handler(None).limited(limits);
        let mut config = StreamableHttpServerConfig::default().disable_allowed_hosts();
        config.legacy_session_mode = false;
        config.max_request_body_bytes = body_size;
        config.sse_keep_alive = keep_alive;
        let sessions = Arc::<NeverSessionManager>::default();
        let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
        Arc::new(move |request| {
            let service = service.clone();
            async move { service.handle(request).await.map(ResponseBody::new) }.boxed()
        })
    }
}
