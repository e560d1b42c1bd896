//! MCP servers beside the agents of a server.

use std::sync::Arc;

use axum::Router;
use http::request::Parts;

use super::Server;
use super::settings::Settings;
use crate::agent::RunOptions;
use crate::kernel::TokioTimer;
use crate::mcp::{HttpSettings, McpServer};

/// The tools of an agent at a path.
pub(super) struct MountedMcp {
    pub(super) path: String,
    server: McpServer,
}

impl Server {
    /// Adds the tools of an agent at a path, as an MCP server over streamable HTTP (feature `mcp`; MCP, section "Streamable
    /// HTTP").
    ///
    /// The checks of [hosts](Self::allow_hosts) and [origins](Self::allow_origins) hold for it, and so do the
    /// [`layer`](Self::layer)s, by which tools get the values of their requests. Three of the [`Limits`](crate::Limits) hold
    /// too: `runs` for the number of calls at once, `run_timeout` for the time of each, and `body_size` for the size of a
    /// request. There are no sessions: a client that leaves cancels its call.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use agui_runtime::Server;
    /// use agui_runtime::mcp::McpServer;
    /// use agui_runtime::prelude::*;
    ///
    /// /// Looks up what an ingredient costs, in cents.
    /// #[tool(read_only)]
    /// async fn price(name: String) -> u32 {
    ///     180
    /// }
    ///
    /// /// Sells things.
    /// #[agent(tools = [price])]
    /// async fn shop(run: &mut Run<Shop>, _: Input<Shop>) -> Result<(), Stop> {
    ///     Ok(())
    /// }
    ///
    /// let shop = Arc::new(Shop::new());
    /// let server = Server::new().mcp("/mcp", McpServer::shared(&shop)).dyn_agent("/", shop);
    /// assert!(server.router().is_ok());
    /// ```
    pub fn mcp(mut self, path: &str, server: McpServer) -> Self {
        self.mcp.push(MountedMcp { path: path.to_owned(), server });
        self
    }
}

/// Adds the route of each server.
pub(super) fn routes(mounted: Vec<MountedMcp>, router: Router, settings: &Arc<Settings>) -> Router {
    mounted.into_iter().fold(router, |router, MountedMcp { path, server }| {
        let service = server.into_service(http_settings(Arc::clone(settings)));
        router.route_service(&path, service)
    })
}

fn http_settings(settings: Arc<Settings>) -> HttpSettings {
    let limits = &settings.limits;
    HttpSettings {
        calls: limits.runs,
        time: limits.run_timeout,
        body_size: limits.body_size,
        keep_alive: settings.keep_alive,
        options: Arc::new(move |parts: &Parts| {
            let of_server = RunOptions::default().reveal_errors(settings.reveal_errors).timer(TokioTimer);
            settings.run_options(parts).or(&of_server.request(parts.extensions.clone()))
        }),
    }
}
